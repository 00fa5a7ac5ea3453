import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AgeingClock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { ServerJava } from '../../software/java/server-java.ts'
import type { Downloads } from '../../software/downloads/downloads.ts'
import type { Store } from '../../store/store.ts'
import type { ExtensionCatalogs } from '../../extensions/catalogs/extension-catalogs.ts'
import { Remembered } from '../../extensions/catalogs/remembered.ts'
import { Installs } from './installs.ts'
import { jarsCalled } from './folder/jars-called.ts'
import { JarReader } from '../../extensions/jars/jar-reader.ts'
import { ServerExtensions } from './server-extensions.ts'
import { markAt } from './folder/steps.ts'
import { type Unfit, unfitFor } from './unfit.ts'

export interface ExtensionsPorts {
  all: AllServerFiles
  runtime: Pick<Runtime, 'isDown' | 'status' | 'onStatus' | 'beforeStart' | 'tellChanged'>
  store: { servers: Pick<Store['servers'], 'byId' | 'all'> }
  clock: AgeingClock
  log: Logger
  /** What is asked for extensions, and fetches them; null: only what is here already can be changed. */
  catalogs: { catalogs: ExtensionCatalogs; downloads: Pick<Downloads, 'fetch'> } | null
  /** What people have sent. */
  sent: SentFiles
  /** The software whose plugins or mods a server loads, by its id. */
  loadsAs: (server: { id: string; softwareId: string }) => string
  /** The Java that a server is started with; null where that is not known, or it runs on none. */
  javaOf: (serverId: string) => Promise<ServerJava | null>
}

/** Files that were sent to be installed, each to an import of an account. */
interface SentFiles {
  /** Throws 404 `imports.not-found` where this is no import of the account, 409 `imports.busy`. */
  require: (accountId: string, importId: string) => unknown
  /** Keeps one until what is answered is called. */
  hold: (importId: string) => () => void
  /** Deletes one, unless somebody else uses it. */
  endUnused: (importId: string) => Promise<void>
}

/** Reads that are old when the extensions of a server are not as they were. */
const CHANGED = ['extensions.list', 'extensions.changes', 'extensions.updates', 'files.list'] as const

/** `jarsCalled` waits at most this long for jars to be read, in milliseconds. */
const READ_MS = 3000

/** The extensions of all servers. */
export class Extensions {
  readonly #ports: ExtensionsPorts
  readonly #reader: JarReader
  readonly #known = new Map<string, Promise<ServerExtensions>>()
  readonly installs: Installs
  /** How projects are called, as searches and plans told it. */
  readonly names = new Remembered<string>(2000)
  readonly #stops: (() => void)[]

  constructor(ports: ExtensionsPorts) {
    this.#ports = ports
    const { runtime, store, log } = ports
    this.#reader = new JarReader((serverId) => store.servers.byId(serverId)?.ownerId ?? '')
    this.installs = new Installs({
      ...ports,
      of: (id) => this.of(id),
      reader: this.#reader,
      tell: (id, all) => this.tell(id, all),
    })
    this.#stops = [
      runtime.beforeStart(async (serverId) => {
        if (!this.#hasState(serverId)) return
        const extensions = await this.of(serverId)
        const waited = extensions.state.waiting.length > 0
        await extensions.beforeStart()
        if (waited) this.tell(serverId, true)
      }),
      runtime.onStatus((serverId, { status }) => {
        this.#heard(serverId, String(status)).catch((error: unknown) =>
          log.warn({ err: error, serverId }, 'what waits for a server to stop was not done'),
        )
      }),
    ]
    // What a killed service left half done is done now: nobody has to ask for it.
    for (const { id } of store.servers.all())
      if (this.#hasState(id))
        this.of(id).catch((error: unknown) =>
          log.error({ err: error, serverId: id }, 'extensions are not in order'),
        )
  }

  /** Of a server that is there; who calls has checked that. Rejects where what was begun there cannot be finished. */
  of(serverId: string): Promise<ServerExtensions> {
    const known = this.#known.get(serverId)
    if (known) return known
    const opened = this.#open(serverId)
    this.#known.set(serverId, opened)
    // Where it fails it is tried anew with the next one who asks.
    opened.catch(() => this.#known.delete(serverId))
    return opened
  }

  /** What does not fit a server any longer once it has this software. Rejects as `of`, and with the refusals of files. */
  async unfitFor(serverId: string, to: { id: string; version: string }): Promise<Unfit[]> {
    return unfitFor(await this.of(serverId), { software: to.id, version: to.version })
  }

  /** Paths of a server's jars with these names. Unread jars get a few seconds. Rejects like `of`, and with file refusals. */
  async jarsCalled(serverId: string, names: readonly string[]): Promise<string[]> {
    const extensions = await this.of(serverId)
    const all = Promise.all([extensions.read('plugins'), extensions.read('mods')])
    const read = await Promise.race([all, wait(READ_MS, [], { ref: false })])
    return jarsCalled(read.flat(), names)
  }

  /** Tells who reads a server's events. `all`: not only how far it is. */
  tell(serverId: string, all: boolean): void {
    this.#ports.runtime.tellChanged(serverId, all ? CHANGED : ['extensions.changes'], '')
  }

  /** Another one after each step that is written down of a change. */
  stateOf(serverId: string): string {
    return markAt(this.#stateFile(serverId)) ?? 'none'
  }

  /** Ends what is being installed on a server; nothing goes on there when it resolves. */
  async rest(serverId: string): Promise<void> {
    await this.installs.end(serverId)
    await (await this.#known.get(serverId))?.sweep()
  }

  /** Forgets a server that was deleted. */
  forget(serverId: string): void {
    this.#known.delete(serverId)
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.installs.close()
    await this.#reader.close()
  }

  /** Notes how a server runs, and does what waits for it to be down. */
  async #heard(serverId: string, status: string): Promise<void> {
    const extensions = await this.#known.get(serverId)
    if (!extensions) return
    const before = extensions.state
    try {
      extensions.heard(status)
    } catch (error) {
      this.#ports.log.warn({ err: error, serverId }, 'how a server runs could not be noted')
    }
    if (['offline', 'crashed'].includes(status) && before.waiting.length > 0)
      await extensions.carryOut().finally(() => this.tell(serverId, true))
    else if (extensions.state.firstRun !== before.firstRun) this.tell(serverId, false)
  }

  async #open(serverId: string): Promise<ServerExtensions> {
    const { all, runtime, store, clock, log, loadsAs } = this.#ports
    const opened = await ServerExtensions.open({
      files: all.of(serverId),
      // Asked each time: the software of a server can be changed.
      get target() {
        const row = store.servers.byId(serverId)
        return { software: row ? loadsAs(row) : '', version: row?.softwareVersion ?? '' }
      },
      reader: this.#reader,
      clock,
      log,
      java: () => this.#ports.javaOf(serverId),
      // While software is installed, changed or reset, a change would come in the middle of the copy.
      isDown: () => runtime.isDown(serverId),
    })
    await opened.carryOut().catch((error: unknown) => {
      // What could not be done was taken back: all is as it was, and `extensions.changes` says so.
      if (opened.state.waiting.length > 0) throw error
    })
    return opened
  }

  #hasState(serverId: string): boolean {
    return existsSync(this.#stateFile(serverId))
  }

  #stateFile(serverId: string): string {
    return path.join(this.#ports.all.of(serverId).staging, 'extensions', 'state.json')
  }
}
