import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import type { Clock } from '../../base/clock.ts'
import { asRefusal } from '../../files/names/refusals.ts'
import { gameHost } from '../../base/game-host.ts'
import { refusal } from '../../base/refusal.ts'
import type { Runtime, ServerSpec } from '../../runtime/types.ts'
import {
  aboutLeftover,
  type Leftover,
  requireFolder,
  type ServerFolders,
} from '../../files/server-folders.ts'
import { type NewServer, type RunSettings, type ServerRow, USUAL_RUN } from '../../store/servers.ts'
import { PortTurns, type PortTurnsOptions } from './port-turns.ts'

export interface ServerRegisterOptions extends PortTurnsOptions {
  runtime: Runtime
  folders: ServerFolders
  clock: Clock
  log: Logger
  allowance: Pick<AccountAllowance, 'requireServer'>
  /** Ends what still writes to the folder of a server that is about to go. */
  letGo: (serverId: string) => Promise<unknown>
  /** Everybody who has something to do with a server, and what tells them that it came or went. */
  peopleOf: (serverId: string) => string[]
  listChanged: (accountId: string) => void
  /** Forgets what is held of its files. */
  forgetFiles: (serverId: string) => void
  /** Removes what is recorded of its software. */
  forgetInstalled: (serverId: string) => Promise<void>
}

/** What somebody wishes of a new server; it gets id, port and times here. */
export type ServerWish = Omit<
  NewServer,
  'id' | 'port' | 'createdAt' | 'licenseAcceptedBy' | 'licenseAcceptedAt' | keyof RunSettings
> & {
  /** Its owner has accepted the license of its software. */
  acceptsLicense: boolean
  /** How it is installed where that is not the newest of the software alone; `note` is called right before the server is there. */
  first?: { note(serverId: string): void; begin(serverId: string): void }
}

/**
 * Which servers there are. A server's row, its folder and what the runtime knows of it come in one step and go in one
 * step, with nothing of this process in between: whoever reads finds all of it or nothing.
 */
export class ServerRegister {
  readonly #options: ServerRegisterOptions
  readonly #ports: PortTurns
  readonly #going = new Set<string>()

  /** Tells the runtime of the servers there are. One that it cannot take in is shown without a status. */
  constructor(options: ServerRegisterOptions) {
    this.#options = options
    this.#ports = new PortTurns(options)
    const { store, runtime, folders, log } = options
    // Without it, what is started would make another world, or fail in words that nobody understands.
    runtime.startOnlyWhere((serverId) => requireFolder(folders.of(serverId)))
    for (const row of store.servers.all()) {
      try {
        runtime.add(this.#specOf(row))
      } catch (error) {
        log.error({ err: error, serverId: row.id }, 'a server could not be taken in')
      }
    }
  }

  /** Whether a server is being deleted: it is still there, but nothing of it is changed any more. */
  isGoing(serverId: string): boolean {
    return this.#going.has(serverId)
  }

  /** Makes a server. Leaves nothing behind where it throws: 409 `server.no-port`, `server.too-many` or `server.memory-limit`, 507. */
  create(wish: ServerWish): Promise<ServerRow> {
    return this.#ports.take(() => this.#make(wish))
  }

  /**
   * Gives a server another port: the one that is wished, or the next that is free. Throws 404, 409 `server.running`,
   * `server.no-port`, `server.port-taken`. `check` is called at the last moment.
   */
  movePort(serverId: string, wish: number | null, check: () => void): Promise<ServerRow> {
    return this.#ports.take(() => this.#movePort(serverId, wish, check))
  }

  /** Does what gives a server this port. Throws what `movePort` does of ports, before anything is done. */
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
    // From here on nothing waits.
    check()
    const row = store.servers.byId(serverId)
    if (!row) throw refusal(404, 'server.not-found.deleted')
    if (!this.#options.runtime.isDown(serverId))
      throw refusal(409, 'server.running.stop-first', { then: 'change-its-port' })
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
      id: randomUUID(),
      port,
      createdAt,
      ...(acceptsLicense && { licenseAcceptedBy: wish.ownerId, licenseAcceptedAt: createdAt }),
    }
    try {
      // An empty folder without a row is nothing: it goes at the next start, should this be all that is reached.
      await folders.make(server.id)
      runtime.add(this.#specOf(server))
      try {
        // Again where nothing waits any more: of what is asked for at once each one counts those before it.
        allowance.requireServer(wish.ownerId, wish.memoryMb)
        // A process that ends between the two leaves a note on a server that never was.
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
   * Makes a server of a folder that is whole, which is gone from its place then; `from`: the server it was copied from.
   * Leaves nothing behind where it throws what `create` does. `note` is told the ID right before there is a server.
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
    // From here on nothing waits.
    allowance.requireServer(from.ownerId, from.memoryMb)
    // What starts by itself could do so twice at once, with the same players and plugins.
    const server = { ...from, id: randomUUID(), name, port, createdAt: clock.now(), autoStart: false }
    return this.#place(folder, server, { note, placed: () => runtime.copied(from.id, server.id) })
  }

  /** Makes a server of a folder. Where it throws, the folder is where it was. */
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
      // As long as the folder is set aside, a process that ends leaves nothing of it.
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
   * Makes a server of a folder that is whole and that somebody has brought; it is gone from its place then. Leaves it there where
   * it throws what `create` does, or 409 `server.port-taken`. `before` is told the ID before there is a server.
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
    // From here on nothing waits.
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

  /** Tells the runtime of a row that was changed. */
  changed(row: ServerRow): void {
    this.#options.runtime.update(this.#specOf(row))
  }

  /**
   * Deletes a server. Throws 409 `server.running`, 409 `server.folder-busy`; then it is there as before. Answers which of its
   * files could not be deleted.
   */
  async remove(serverId: string): Promise<Leftover | null> {
    const { store, runtime, folders, letGo, peopleOf, listChanged, forgetFiles } = this.#options
    runtime.requireDown(serverId)
    this.#going.add(serverId)
    let closed: Promise<void>
    try {
      await letGo(serverId)
      // From here to the end of this block nothing waits.
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

  /** The server is gone already: what is left of it on the disk goes at the next start at the latest. */
  async #cleared(serverId: string, clearing: Promise<unknown>): Promise<void> {
    await clearing.catch((error: unknown) =>
      this.#options.log.warn({ err: error, serverId }, 'a deleted server could not be cleared away'),
    )
  }

  /** What the runtime is told of a row. */
  #specOf(row: NewServer): ServerSpec {
    const { folders, host } = this.#options
    const run = { ...USUAL_RUN, ...row }
    return {
      id: row.id,
      name: row.name,
      folder: folders.of(row.id),
      software: { id: row.softwareId, version: row.softwareVersion },
      memoryMb: row.memoryMb,
      port: row.port,
      host: gameHost(row.openTo ?? null, host),
      licenseAccepted: typeof row.licenseAcceptedBy === 'string',
      java: { major: run.javaMajor, set: run.jvmSet, own: run.javaArgs },
      autoStart: run.autoStart,
      autoRestart: run.autoRestart,
    }
  }
}
