import { isStopped } from '../../../contract/rules/power.ts'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AgingClock } from '../../base/clock.ts'
import { markAt, stagedIn } from '../../changes/steps.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { ServerJava } from '../../software/java/server-java.ts'
import type { Downloads } from '../../software/downloads/downloads.ts'
import type { Store } from '../../store/store.ts'
import type { ExtensionCatalogs } from '../../../extensions/catalogs/extension-catalogs.ts'
import { BoundedMap } from '../../../host/bounded-map.ts'
import { Installs } from './installs.ts'
import { jarsCalled } from '../../../extensions/folder/jars-called.ts'
import { JarReader } from '../../extensions/jars/jar-reader.ts'
import { ServerExtensions } from './server-extensions.ts'
import { type IncompatibleJar, unfitFor } from './unfit.ts'

export interface ExtensionsPorts {
  all: AllServerFiles
  runtime: Pick<Runtime, 'isDown' | 'status' | 'onStatus' | 'beforeStart' | 'tellChanged'>
  store: { servers: Pick<Store['servers'], 'byId' | 'all'> }
  clock: AgingClock
  log: Logger
  /** Null: only installed extensions can be changed. */
  catalogs: { catalogs: ExtensionCatalogs; downloads: Pick<Downloads, 'fetch' | 'forget'> } | null
  sent: SentFiles
  loadsAs: (server: { id: string; softwareId: string }) => string
  /** Null if unknown or the server does not run on Java. */
  javaOf: (serverId: string) => Promise<ServerJava | null>
}

interface SentFiles {
  /** Throws 404 `imports.not-found`, 409 `imports.busy`. */
  require: (accountId: string, importId: string) => unknown
  hold: (importId: string) => () => void
  endUnused: (importId: string) => Promise<void>
}

const CHANGED = ['extensions.list', 'extensions.changes', 'extensions.updates', 'files.list'] as const

/** `jarsCalled` waits at most this many ms for jars to be read. */
const READ_MS = 3000

export class Extensions {
  readonly #ports: ExtensionsPorts
  readonly #reader: JarReader
  readonly #known = new Map<string, Promise<ServerExtensions>>()
  readonly installs: Installs
  readonly names = new BoundedMap<string>(2000)
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
    // Finish what a killed service left half done.
    for (const { id } of store.servers.all())
      if (this.#hasState(id))
        this.of(id).catch((error: unknown) =>
          log.error({ err: error, serverId: id }, 'extensions are not in order'),
        )
  }

  /** Call only for existing servers. Rejects if an interrupted change cannot be finished. */
  of(serverId: string): Promise<ServerExtensions> {
    const known = this.#known.get(serverId)
    if (known) return known
    const opened = this.#open(serverId)
    this.#known.set(serverId, opened)
    opened.catch(() => this.#known.delete(serverId))
    return opened
  }

  /** What would not fit the server with this software. Rejects as `of`, and with file refusals. */
  async unfitFor(serverId: string, to: { id: string; version: string }): Promise<IncompatibleJar[]> {
    return unfitFor(await this.of(serverId), { software: to.id, version: to.version })
  }

  /** The version that undoing this jar's last change alone puts back. Rejects as `of`, and with file refusals. */
  async versionBefore(serverId: string, jar: string): Promise<string | null> {
    return (await this.of(serverId)).versionBefore(jar)
  }

  /** Paths of jars with these names. Rejects as `of`, and with file refusals. */
  async jarsCalled(serverId: string, names: readonly string[]): Promise<string[]> {
    const extensions = await this.of(serverId)
    const all = Promise.all([extensions.read('plugins'), extensions.read('mods')])
    const read = await Promise.race([all, wait(READ_MS, [], { ref: false })])
    return jarsCalled(read.flat(), names)
  }

  tell(serverId: string, all: boolean): void {
    this.#ports.runtime.tellChanged(serverId, all ? CHANGED : ['extensions.changes'], '')
  }

  /** Changes with every saved step. */
  stateOf(serverId: string): string {
    return markAt(this.#stateFile(serverId)) ?? 'none'
  }

  /** Resolves when nothing is being installed on the server any more. */
  async rest(serverId: string): Promise<void> {
    await this.installs.end(serverId)
    await (await this.#known.get(serverId))?.sweep()
  }

  forget(serverId: string): void {
    this.#known.delete(serverId)
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.installs.close()
    await this.#reader.close()
  }

  async #heard(serverId: string, status: string): Promise<void> {
    const extensions = await this.#known.get(serverId)
    if (!extensions) return
    const before = extensions.state
    try {
      extensions.heard(status)
    } catch (error) {
      this.#ports.log.warn({ err: error, serverId }, 'how a server runs could not be noted')
    }
    if (isStopped(status) && before.waiting.length > 0)
      await extensions.carryOut().finally(() => this.tell(serverId, true))
    else if (extensions.state.firstRun !== before.firstRun) this.tell(serverId, false)
  }

  async #open(serverId: string): Promise<ServerExtensions> {
    const { all, runtime, store, clock, log, loadsAs } = this.#ports
    const opened = await ServerExtensions.open({
      files: all.of(serverId),
      // Read each time: a server's software can change.
      get target() {
        const row = store.servers.byId(serverId)
        return { software: row ? loadsAs(row) : '', version: row?.softwareVersion ?? '' }
      },
      reader: this.#reader,
      clock,
      log,
      java: () => this.#ports.javaOf(serverId),
      // False while software is installed, changed or reset: a change would interfere with the copy.
      isDown: () => runtime.isDown(serverId),
    })
    await opened.carryOut().catch((error: unknown) => {
      // If nothing waits, the change was reverted, and `extensions.changes` reports it.
      if (opened.state.waiting.length > 0) throw error
    })
    return opened
  }

  #hasState(serverId: string): boolean {
    return existsSync(this.#stateFile(serverId))
  }

  #stateFile(serverId: string): string {
    return path.join(stagedIn(this.#ports.all.of(serverId)), 'state.json')
  }
}
