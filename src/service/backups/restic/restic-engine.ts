import { rm } from 'node:fs/promises'
import path from 'node:path'
import { refusal } from '../../../host/refusal.ts'
import type { Downloads } from '../../software/downloads/downloads.ts'
import { BUILDS, fetchedRestic, fetchRestic } from './program/fetch-restic.ts'
import { findRestic } from './program/find-restic.ts'
import { localRepository, ResticStore } from './restic-store.ts'

interface ResticPorts {
  dataDir: string
  backupsOf: (serverId: string) => string
  /** Null: none is fetched. */
  downloads: Pick<Downloads, 'fetch' | 'forget'> | null
  /** The only one to use. */
  restic?: string | null
}

/** The restic of this computer, or one that was fetched. */
export class ResticEngine {
  readonly #ports: ResticPorts
  readonly #folder: string
  readonly #stores = new Map<string, ResticStore>()
  #executable: string | null = null
  #looked: Promise<void> | null = null

  constructor(ports: ResticPorts) {
    this.#ports = ports
    this.#folder = path.join(ports.dataDir, 'restic')
  }

  /** Never rejects. */
  async look(): Promise<void> {
    const found = await findRestic({
      ...{ chosen: this.#chosen, fetched: fetchedRestic(this.#folder) },
    }).catch(() => null)
    this.#executable = found?.executable ?? null
  }

  /** Unless it did already. Never rejects. */
  lookOnce(): Promise<void> {
    return (this.#looked ??= this.look())
  }

  /** It is there, or can be fetched. Only after it was looked for. */
  get isOffered(): boolean {
    const canFetch =
      this.#chosen === null &&
      this.#ports.downloads !== null &&
      `${process.platform}-${process.arch}` in BUILDS
    return this.#executable !== null || canFetch
  }

  /** Fetches one where there is none. Rejects with refusals. */
  async require(signal: AbortSignal): Promise<void> {
    await this.look()
    if (this.#executable !== null) return
    const { downloads } = this.#ports
    const found =
      downloads && this.#chosen === null
        ? await fetchRestic({ downloads, folder: this.#folder, wanted: { signal } })
        : await findRestic({ chosen: this.#chosen })
    this.#executable = found.executable
  }

  get #chosen(): string | null {
    return this.#ports.restic ?? null
  }

  get cache(): string {
    return path.join(this.#folder, 'cache')
  }

  /** Null until there is one. */
  get store(): ((serverId: string) => ResticStore) | null {
    const executable = this.#executable
    return executable === null ? null : (serverId) => this.#storeOf(executable, serverId)
  }

  /** Throws 409 `backups.restic-missing` until there is one. */
  get executable(): string {
    if (this.#executable === null) throw refusal(409, 'backups.restic-missing')
    return this.#executable
  }

  /** Its backups are deleted. */
  forget(serverId: string): void {
    this.#stores.delete(serverId)
    // Without a repository it opens nothing.
    rm(this.#passwordOf(serverId), { force: true }).catch(() => undefined)
  }

  #passwordOf(serverId: string): string {
    return path.join(this.#folder, 'passwords', serverId)
  }

  /** One per server: a repository has one line of work. */
  #storeOf(executable: string, serverId: string): ResticStore {
    const known = this.#stores.get(serverId)
    if (known) return known
    const folder = path.join(this.#ports.backupsOf(serverId), 'restic')
    const passwordFile = this.#passwordOf(serverId)
    const store = new ResticStore(
      localRepository({ executable, folder, passwordFile, cache: this.cache }),
      folder,
    )
    this.#stores.set(serverId, store)
    return store
  }
}
