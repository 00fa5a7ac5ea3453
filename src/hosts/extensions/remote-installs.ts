import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { CatalogVersion } from '../../extensions/catalogs/extension-catalog.ts'
import type { KnownJar } from '../../extensions/folder/known-jar.ts'
import * as refusals from '../../extensions/folder/refusals.ts'
import type { Step } from '../../extensions/folder/step.ts'
import type { InstallTarget } from '../../extensions/installed/planning.ts'
import { type ReadyJar, stepsFor } from '../../extensions/installed/ready-jars.ts'
import { originOf } from '../../extensions/installed/updates.ts'
import { fetchFile } from '../../extensions/requests/fetch-file.ts'
import { Refusal } from '../../host/refusal.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { NetworkRequester } from '../base/requester.ts'
import type { RemoteExtensions } from './remote-extensions.ts'
import { entriesOf, type RemoteFolder } from './remote-folder.ts'
import { readLocalJar } from './remote-jar.ts'
import { makeFolder, markOf, newTrash, STAGED } from './remote-steps.ts'

const TELL_MS = 500

interface InstallPorts {
  /** For downloads; emptied at the start. */
  downloads: string
  dispatcher: NetworkRequester
  headers: Record<string, string>
  tell: (serverId: string, isAll: boolean) => void
}

export interface RemoteInstall {
  at: number
  /** Bytes, of which half are downloaded from the catalog, half sent to the host. */
  done: number
  total: number
  abort: AbortController
  ended: Promise<void>
}

/** A server to install on. `folder` outlives the request. */
interface InstallPlace {
  serverId: string
  folder: RemoteFolder
  extensions: RemoteExtensions
}

interface StagedJar extends ReadyJar {
  modifiedAt: string | null | undefined
  known: KnownJar & { isPartial: boolean }
}

/** One installation per server at a time, in the background. */
export class RemoteInstalls {
  readonly #ports: InstallPorts
  readonly #running = new Map<string, RemoteInstall>()
  #isBegun = false

  constructor(ports: InstallPorts) {
    this.#ports = ports
  }

  running(serverId: string): RemoteInstall | null {
    return this.#running.get(serverId) ?? null
  }

  /** Throws 409 `extensions.busy`. */
  requireIdle(serverId: string): void {
    if (this.#running.has(serverId)) throw refusals.busy()
  }

  /** `extensions.changes` reports the result. Throws 409 `extensions.busy`. */
  begin(place: InstallPlace, choose: (signal: AbortSignal) => Promise<InstallTarget[]>): void {
    const { serverId, extensions } = place
    this.requireIdle(serverId)
    const abort = new AbortController()
    const install: RemoteInstall = {
      ...{ at: Date.now(), done: 0, total: 0, abort, ended: Promise.resolve() },
    }
    this.#running.set(serverId, install)
    install.ended = this.#run(place, install, choose)
      .catch((error: unknown) => extensions.failed(refusalFor(error)))
      .finally(() => {
        this.#running.delete(serverId)
        this.#ports.tell(serverId, true)
      })
  }

  /** Resolves when it has ended. Throws 409 `extensions.not-running`. */
  async cancel(serverId: string): Promise<void> {
    const install = this.#running.get(serverId)
    if (!install) throw refusals.notRunning()
    install.abort.abort(refusals.canceled())
    await install.ended
  }

  close(): void {
    for (const { abort } of this.#running.values()) abort.abort(refusals.canceled())
  }

  async #run(
    place: InstallPlace,
    install: RemoteInstall,
    choose: (signal: AbortSignal) => Promise<InstallTarget[]>,
  ): Promise<void> {
    const { folder, extensions } = place
    const { signal } = install.abort
    const chosen = await choose(signal)
    install.total = chosen.reduce((sum, { version }) => sum + (version.file?.size ?? 0), 0)
    const staged: StagedJar[] = []
    try {
      await makeFolder(folder, STAGED)
      for (const one of chosen) staged.push(await this.#stage(place, install, one))
      const before = await extensions.list()
      await extensions.commit((jars) => {
        signal.throwIfAborted()
        const outcome = stepsFor(
          { target: extensions.target, newTrash: () => newTrash },
          staged,
          before,
          jars,
        )
        return { ...outcome, steps: outcome.steps.map((step) => this.#marked(step, staged, extensions)) }
      })
      staged.length = 0
    } finally {
      for (const { staged: name } of staged) await folder.remove(`${STAGED}/${name}`).catch(() => undefined)
    }
  }

  /** A staged jar is known by the name it gets. */
  #marked(step: Step, staged: readonly StagedJar[], extensions: RemoteExtensions): Step {
    const jar = staged.find(({ staged: name }) => step.from.folder === 'staged' && step.from.path === name)
    if (!jar) return step
    const mark = markOf(step.to.path, jar.size, jar.modifiedAt)
    extensions.know(mark, jar.known)
    return { ...step, mark }
  }

  async #stage(
    { serverId, folder }: InstallPlace,
    install: RemoteInstall,
    { version, extensionId }: InstallTarget,
  ): Promise<StagedJar> {
    const { file } = version
    if (!file) throw refusals.cannot([version.projectName])
    const local = path.join(this.#downloads(), `${randomUUID()}.jar`)
    const begun = install.done
    try {
      const tell = this.#teller(serverId)
      const hashes = await fetchFile(file, local, {
        ...{ dispatcher: this.#ports.dispatcher, headers: this.#ports.headers },
        signal: install.abort.signal,
        onProgress: (bytes) => tell(() => (install.done = begun + bytes / 2)),
      })
      await using handle = await open(local)
      const { size } = await handle.stat()
      const read = await readLocalJar(handle.fd, size)
      if (!read.facts) throw refusals.notAJar(version.projectName)
      const fetched = install.done
      async function* passing() {
        let bytes = 0
        for await (const piece of createReadStream(local) as AsyncIterable<Buffer>) {
          yield piece
          bytes += piece.length
          tell(() => (install.done = fetched + bytes / 2))
        }
      }
      const name = `${randomUUID()}.jar`
      await folder.upload(`${STAGED}/${name}`, passing())
      const entry = (await entriesOf(folder, STAGED)).find((one) => one.name === name)
      if (entry?.size !== size) throw hostRefusal(502, 'host.not-written')
      const known = { ...read, hashes, origin: originOf(version), update: null }
      return {
        ...{ staged: name, mark: '', size, facts: read.facts, fileName: file.name, extensionId, known },
        ...namesOf(version),
        modifiedAt: entry.modifiedAt,
      }
    } finally {
      await rm(local, { force: true })
    }
  }

  #teller(serverId: string): (note: () => void) => void {
    let toldAt = 0
    return (note) => {
      note()
      const now = performance.now()
      if (now - toldAt < TELL_MS) return
      toldAt = now
      this.#ports.tell(serverId, false)
    }
  }

  /** What an earlier run left there is removed. */
  #downloads(): string {
    const { downloads } = this.#ports
    if (!this.#isBegun) rmSync(downloads, { recursive: true, force: true })
    this.#isBegun = true
    mkdirSync(downloads, { recursive: true, mode: 0o700 })
    return downloads
  }
}

const namesOf = ({ projectName, project, name }: CatalogVersion) => ({
  ...{ name: projectName, version: name, project },
})

/** Of what is no refusal, the line to the host was cut. */
const refusalFor = (error: unknown): Refusal | HostRefusal =>
  error instanceof Refusal || error instanceof HostRefusal ? error : hostRefusal(503, 'host.cut')
