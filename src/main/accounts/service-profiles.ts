import type { ApiProfile } from '../api/profile/profile.ts'
import { inEnglish } from '../api/profile/profile-faults.ts'
import type { Log } from '../logging/log.ts'
import type { FileFault, Profiles } from '../profiles/load-profiles.ts'
import { HeaderConstants } from '../profiles/header-constants.ts'
import type { SecretStore } from './secret-store.ts'

interface ServiceProfilesPorts {
  secrets: SecretStore
  load?: (() => Promise<Profiles>) | undefined
  log: Log
}

export class ServiceProfiles {
  readonly headers: HeaderConstants
  readonly #ports: ServiceProfilesPorts
  /** `headers.sets` at the last read. */
  #asOf = 0
  #now: Profiles = { byBaseUrl: new Map(), fileOf: new Map(), faults: [] }

  constructor(ports: ServiceProfilesPorts) {
    this.#ports = ports
    this.headers = new HeaderConstants(ports.secrets, ports.log)
  }

  async load(): Promise<void> {
    if (!this.#ports.load) return
    const asOf = this.headers.sets
    this.#now = await this.#ports.load()
    this.#asOf = asOf
    for (const fault of this.#now.faults)
      this.#ports.log.warn('a file of API profiles has a fault', {
        fault: [fault.file, inEnglish(fault)].filter(Boolean).join(': '),
      })
  }

  of(baseUrl: string): ApiProfile | null {
    return this.#now.byBaseUrl.get(baseUrl) ?? null
  }

  async fresh(baseUrl: string): Promise<{ profile: ApiProfile | null; faults: readonly FileFault[] }> {
    await this.load()
    return { profile: this.of(baseUrl), faults: this.#now.faults }
  }

  /** Forgets header values that the profile no longer names. Never rejects. */
  async tidy(baseUrl: string): Promise<void> {
    // An unreadable file may be the one that names them.
    if (this.#now.faults.length > 0) return
    await this.headers
      .keepOnly(baseUrl, this.of(baseUrl)?.headers ?? [], this.#asOf)
      .catch((error: unknown) =>
        this.#ports.log.warn('headers that no profile names could not be forgotten', { err: error }),
      )
  }

  /** Header values are secrets of the service; dropped when the last connection signs out. */
  async forgetHeaders(baseUrl: string): Promise<void> {
    await this.headers.forget(baseUrl, this.of(baseUrl)?.headers ?? [])
    await this.headers.keepOnly(baseUrl, [])
  }
}
