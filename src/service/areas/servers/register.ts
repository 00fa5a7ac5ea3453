import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import type { Clock } from '../../base/clock.ts'
import { asRefusal } from '../../files/names/refusals.ts'
import { gameHost } from '../../base/game-host.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Runtime, ServerSpec } from '../../runtime/types.ts'
import {
  aboutLeftover,
  type Leftover,
  requireFolder,
  type ServerFolders,
} from '../../files/server-folders.ts'
import { type NewServer, type RunSettings, type ServerRow, USUAL_RUN } from '../../store/servers.ts'
import { GamePorts, type GamePortsOptions } from './game-ports.ts'

interface ServerRegisterOptions extends GamePortsOptions {
  runtime: Runtime
  folders: ServerFolders
  clock: Clock
  log: Logger
  allowance: Pick<AccountAllowance, 'requireServer'>
  /** Stops everything that writes to the server's folder. */
  letGo: (serverId: string) => Promise<unknown>
  peopleOf: (serverId: string) => string[]
  listChanged: (accountId: string) => void
  forgetFiles: (serverId: string) => void
  forgetInstalled: (serverId: string) => Promise<void>
}

type ServerWish = Omit<
  NewServer,
  'id' | 'port' | 'createdAt' | 'licenseAcceptedBy' | 'licenseAcceptedAt' | keyof RunSettings
> & {
  acceptsLicense: boolean
  first?: { note(serverId: string): void; begin(serverId: string): void }
}

/**
 * A server's row, folder and runtime entry appear and disappear in one synchronous step, so readers see all or
 * nothing.
 */
export class ServerRegister {
  readonly #options: ServerRegisterOptions
  readonly #ports: GamePorts
  readonly #going = new Set<string>()

  /** Servers the runtime rejects have no status. */
  constructor(options: ServerRegisterOptions) {
    this.#options = options
    this.#ports = new GamePorts(options)
    const { store, runtime, folders, log } = options
    // Without its folder, the server would create a new world or fail obscurely.
    runtime.startOnlyWhere((serverId) => requireFolder(folders.of(serverId)))
    for (const row of store.servers.all()) {
      try {
        runtime.add(this.#specOf(row))
      } catch (error) {
        log.error({ err: error, serverId: row.id }, 'a server could not be taken in')
      }
    }
  }

  /** Being deleted: still visible, but must not be changed. */
  isGoing(serverId: string): boolean {
    return this.#going.has(serverId)
  }

  /** Leaves nothing behind if it throws 409 `server.no-port`, `server.too-many`, `server.memory-limit`, or 507. */
  create(wish: ServerWish): Promise<ServerRow> {
    return this.#ports.take(() => this.#make(wish))
  }

  /**
   * `wish` null: the next free one. `check` is called last. Throws 404, 409 `server.running`, `server.no-port`,
   * `server.port-taken`.
   */
  movePort(serverId: string, wish: number | null, check: () => void): Promise<ServerRow> {
    return this.#ports.take(() => this.#movePort(serverId, wish, check))
  }

  /** Throws `movePort`'s port errors before doing anything. */
  withPort<T>(row: ServerRow, port: number, work: () => Promise<T>): Promise<T> {
    return this.#ports.take(async () => {
      await this.#ports.free(row.openTo, port)
      return work()
    })
  }

  async #movePort(serverId: string, wish: number | null, check: () => void): Promise<ServerRow> {
    const { store } = this.#options
    const before = store.servers.byId(serverId)
    const isOwn = before !== null && before.port === wish
    const port = isOwn ? wish : await this.#ports.free(before?.openTo ?? null, wish)
    // No await from here on.
    check()
    const row = store.servers.byId(serverId)
    if (!row) throw refusal(404, 'server.not-found.deleted')
    this.#options.runtime.requireDown(serverId, 'change-its-port')
    if (port === row.port) return row
    const changed = store.servers.change(row, { port })!
    this.changed(changed)
    return changed
  }

  async #make({ acceptsLicense, first, ...wish }: ServerWish): Promise<ServerRow> {
    const { store, runtime, folders, clock, allowance } = this.#options
    allowance.requireServer(wish.ownerId, wish.memoryMb)
    const port = await this.#ports.free(wish.openTo ?? null, null)
    const createdAt = clock.now()
    const server = {
      ...wish,
      driver: runtime.drivers.at(-1)!,
      id: randomUUID(),
      port,
      createdAt,
      ...(acceptsLicense && { licenseAcceptedBy: wish.ownerId, licenseAcceptedAt: createdAt }),
    }
    try {
      // If we are killed here, the empty folder goes at the next start.
      await folders.make(server.id)
      runtime.add(this.#specOf(server))
      try {
        // Again, without await afterwards, so that parallel requests count each other.
        allowance.requireServer(wish.ownerId, wish.memoryMb)
        first?.note(server.id)
        const row = store.servers.insert(server)
        this.#options.listChanged(row.ownerId)
        if (first) first.begin(row.id)
        else runtime.install(row.id)
        return row
      } catch (error) {
        const forgotten = runtime.forget(server.id)
        const noted = async () => {
          await this.#options.forgetInstalled(server.id)
          await this.#clear(server.id)
        }
        void this.#cleared(server.id, first ? forgotten.then(noted) : forgotten)
        throw error
      }
    } catch (error) {
      folders.unmake(server.id)
      throw asRefusal(error, '')
    }
  }

  /**
   * Moves a complete folder in as a server, copied from `from`. Leaves nothing behind if it throws what `create`
   * does. `note` is called right before the server exists.
   */
  adopt(folder: string, from: ServerRow, name: string, note: (serverId: string) => void): Promise<ServerRow> {
    return this.#ports.take(() => this.#adopt(folder, from, name, note))
  }

  async #adopt(
    folder: string,
    from: ServerRow,
    name: string,
    note: (serverId: string) => void,
  ): Promise<ServerRow> {
    const { runtime, clock, allowance } = this.#options
    const port = await this.#ports.free(from.openTo, null)
    // No await from here on.
    allowance.requireServer(from.ownerId, from.memoryMb)
    // Two copies must not start automatically with the same players and plugins, or have one container.
    const own = { container: null, autoStart: false }
    const server = { ...from, ...own, id: randomUUID(), name, port, createdAt: clock.now() }
    return this.#place(folder, server, { note, placed: () => runtime.copied(from.id, server.id) })
  }

  /** On failure, the folder is moved back. */
  async #place(
    folder: string,
    server: NewServer,
    { note, placed }: { note?: (serverId: string) => void; placed: () => void },
  ): Promise<ServerRow> {
    const { store, runtime, folders } = this.#options
    folders.prepare(folder, server.id)
    let isThere = false
    try {
      runtime.add(this.#specOf(server))
      // While the folder is set aside, being killed leaves nothing behind.
      note?.(server.id)
      const row = store.servers.insert(server)
      folders.bringBack(server.id)
      isThere = true
      placed()
      this.#options.listChanged(row.ownerId)
      return row
    } catch (error) {
      store.servers.remove(server.id)
      if (isThere) folders.setAside(server.id)
      folders.giveBack(folder, server.id)
      const forgotten = runtime.forget(server.id)
      await this.#cleared(
        server.id,
        forgotten.then(() => this.#clear(server.id)),
      )
      throw asRefusal(error, '')
    }
  }

  /**
   * Moves in an imported folder. If it throws, what `create` does or 409 `server.port-taken`, the folder stays.
   * `before` is called before the server exists.
   */
  bring(
    folder: string,
    wish: ServerWish,
    at: { port: number | null; before: (serverId: string) => void },
  ): Promise<ServerRow> {
    return this.#ports.take(() => this.#bring(folder, wish, at))
  }

  async #bring(
    folder: string,
    { acceptsLicense, ...wish }: ServerWish,
    { port: wished, before }: { port: number | null; before: (serverId: string) => void },
  ): Promise<ServerRow> {
    const { runtime, clock, allowance, forgetInstalled } = this.#options
    const port = await this.#ports.free(wish.openTo ?? null, wished)
    // No await from here on.
    allowance.requireServer(wish.ownerId, wish.memoryMb)
    const createdAt = clock.now()
    const server = {
      ...wish,
      ...{ id: randomUUID(), port, createdAt },
      ...(acceptsLicense && { licenseAcceptedBy: wish.ownerId, licenseAcceptedAt: createdAt }),
    }
    try {
      before(server.id)
      return await this.#place(folder, server, { placed: () => runtime.install(server.id) })
    } catch (error) {
      await this.#cleared(server.id, forgetInstalled(server.id))
      throw error
    }
  }

  /** Takes in a server whose folder and program stay what they are. Leaves nothing behind if it throws. */
  link(folder: string, wish: Omit<NewServer, 'id' | 'createdAt'>): ServerRow {
    const { store, runtime, folders, clock, allowance, listChanged } = this.#options
    allowance.requireServer(wish.ownerId, wish.memoryMb)
    const driver = runtime.drivers.at(-1)!
    const server = { ...wish, driver, id: randomUUID(), createdAt: clock.now() }
    folders.link(server.id, folder)
    try {
      const row = store.servers.insert(server)
      runtime.add(this.#specOf(row))
      listChanged(row.ownerId)
      return row
    } catch (error) {
      store.servers.remove(server.id)
      folders.unlink(server.id)
      void this.#cleared(server.id, runtime.forget(server.id))
      throw asRefusal(error, '')
    }
  }

  changed(row: ServerRow): void {
    this.#options.runtime.update(this.#specOf(row))
  }

  /**
   * Throws 409 `server.running`, `server.folder-busy`; then nothing is deleted. Returns files that could not be
   * deleted.
   */
  async remove(serverId: string): Promise<Leftover | null> {
    const { store, runtime, folders, letGo, peopleOf, listChanged, forgetFiles } = this.#options
    runtime.requireDown(serverId)
    this.#going.add(serverId)
    let closed: Promise<void>
    try {
      await letGo(serverId)
      // No await in the rest of this block.
      runtime.requireDown(serverId)
      const people = peopleOf(serverId)
      folders.setAside(serverId)
      try {
        store.servers.remove(serverId)
      } catch (error) {
        folders.bringBack(serverId)
        throw error
      }
      closed = runtime.forget(serverId)
      forgetFiles(serverId)
      people.forEach(listChanged)
    } finally {
      this.#going.delete(serverId)
    }
    await this.#cleared(serverId, closed)
    await this.#cleared(serverId, this.#options.forgetInstalled(serverId))
    return this.#clear(serverId)
  }

  async #clear(serverId: string): Promise<Leftover | null> {
    const left = await this.#options.folders.clear(serverId)
    if (left) this.#options.log.warn(aboutLeftover(left), 'files of a deleted server could not be deleted')
    return left
  }

  /** Leftover files are deleted at the next start at the latest. */
  async #cleared(serverId: string, clearing: Promise<unknown>): Promise<void> {
    await clearing.catch((error: unknown) =>
      this.#options.log.warn({ err: error, serverId }, 'a deleted server could not be cleared away'),
    )
  }

  #specOf(row: NewServer): ServerSpec {
    const { folders, host } = this.#options
    const run = { ...USUAL_RUN, ...row }
    return {
      id: row.id,
      name: row.name,
      owner: row.ownerId,
      folder: folders.of(row.id),
      software: { id: row.softwareId, version: row.softwareVersion },
      memoryMb: row.memoryMb,
      port: row.port,
      host: gameHost(row.openTo ?? null, host),
      licenseAccepted: typeof row.licenseAcceptedBy === 'string',
      java: { major: run.javaMajor, set: run.jvmSet, own: run.javaArgs },
      autoStart: run.autoStart,
      autoRestart: run.autoRestart,
      sleep: run.sleep,
      driver: run.driver,
      cpus: run.cpus,
      node: run.node,
      container: row.container ?? null,
    }
  }
}
