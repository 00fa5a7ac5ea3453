import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AccountAllowance } from '../../account-allowance.ts'
import type { Clock } from '../../clock.ts'
import { asRefusal } from '../../files/refusals.ts'
import { findFreePort } from '../../free-port.ts'
import { Refusal } from '../../refusal.ts'
import type { Runtime, ServerSpec } from '../../runtime/types.ts'
import type { ServerFolders } from '../../server-folders.ts'
import { type NewServer, type RunSettings, type ServerRow, USUAL_RUN } from '../../store/servers.ts'
import type { Store } from '../../store/store.ts'

export interface ServerRegisterOptions {
  store: Pick<Store, 'servers'>
  runtime: Runtime
  folders: ServerFolders
  clock: Clock
  log: Logger
  /** Address the service and its game servers listen on. */
  host: string
  /** Servers are given this port or the next free ones. */
  firstGamePort: number
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
  /** Two servers created at once must not be given the same port. */
  #creating: Promise<unknown> = Promise.resolve()
  readonly #going = new Set<string>()

  /** Tells the runtime of the servers there are. One that it cannot take in is shown without a status. */
  constructor(options: ServerRegisterOptions) {
    this.#options = options
    const { store, runtime, log } = options
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
    const turn = this.#creating.then(() => this.#make(wish))
    this.#creating = turn.catch(() => {})
    return turn
  }

  /**
   * Gives a server another port: the one that is wished, or the next that is free. Throws 404, 409 `server.running`,
   * `server.no-port`, `server.port-taken`. `check` is called at the last moment.
   */
  movePort(serverId: string, wish: number | null, check: () => void): Promise<ServerRow> {
    // In turn with those that are created: no two are given the same one.
    const turn = this.#creating.then(() => this.#movePort(serverId, wish, check))
    this.#creating = turn.catch(() => {})
    return turn
  }

  async #movePort(serverId: string, wish: number | null, check: () => void): Promise<ServerRow> {
    const { store, host, firstGamePort } = this.#options
    const taken = store.servers.ports()
    const port = await findFreePort(host, taken, wish ?? firstGamePort)
    if (port === null) throw new Refusal(409, 'server.no-port', 'No port is free for this server.')
    // From here on nothing waits.
    check()
    const row = store.servers.byId(serverId)
    if (!row)
      throw new Refusal(404, 'server.not-found', 'This server does not exist. It may have been deleted.')
    if (!this.#options.runtime.isDown(serverId))
      throw new Refusal(409, 'server.running', 'The server is running. Stop it first, then change its port.')
    if (wish === row.port) return row
    if (wish !== null && wish !== port) throw portTaken(wish, port)
    const changed = store.servers.change(row, { port })!
    this.changed(changed)
    return changed
  }

  async #make({ acceptsLicense, first, ...wish }: ServerWish): Promise<ServerRow> {
    const { store, runtime, folders, clock, host, firstGamePort, allowance } = this.#options
    // In its turn: of many that are asked for at once each one counts those before it.
    allowance.requireServer(wish.ownerId, wish.memoryMb)
    const port = await findFreePort(host, store.servers.ports(), firstGamePort)
    if (port === null) throw new Refusal(409, 'server.no-port', 'No port is free for another server.')
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
          await folders.clear(server.id)
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
    const turn = this.#creating.then(() => this.#adopt(folder, from, name, note))
    this.#creating = turn.catch(() => {})
    return turn
  }

  async #adopt(
    folder: string,
    from: ServerRow,
    name: string,
    note: (serverId: string) => void,
  ): Promise<ServerRow> {
    const { store, runtime, clock, host, firstGamePort, allowance } = this.#options
    const port = await findFreePort(host, store.servers.ports(), firstGamePort)
    if (port === null) throw new Refusal(409, 'server.no-port', 'No port is free for another server.')
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
        forgotten.then(() => folders.clear(server.id)),
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
    const turn = this.#creating.then(() => this.#bring(folder, wish, at))
    this.#creating = turn.catch(() => {})
    return turn
  }

  async #bring(
    folder: string,
    { acceptsLicense, ...wish }: ServerWish,
    { port: wished, before }: { port: number | null; before: (serverId: string) => void },
  ): Promise<ServerRow> {
    const { store, runtime, clock, host, firstGamePort, allowance, forgetInstalled } = this.#options
    const port = await findFreePort(host, store.servers.ports(), wished ?? firstGamePort)
    if (port === null) throw new Refusal(409, 'server.no-port', 'No port is free for another server.')
    if (wished !== null && wished !== port) throw portTaken(wished, port)
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

  /** Deletes a server. Throws 409 `server.running`, 409 `server.folder-busy`; then it is there as before. */
  async remove(serverId: string): Promise<void> {
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
    await this.#cleared(
      serverId,
      closed.then(() => this.#options.forgetInstalled(serverId)).then(() => folders.clear(serverId)),
    )
  }

  /** The server is gone already: what is left of it on the disk goes at the next start at the latest. */
  async #cleared(serverId: string, clearing: Promise<void>): Promise<void> {
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
      host,
      licenseAccepted: typeof row.licenseAcceptedBy === 'string',
      java: { major: run.javaMajor, set: run.jvmSet, own: run.javaArgs },
      autoStart: run.autoStart,
      autoRestart: run.autoRestart,
    }
  }
}

function portTaken(wished: number, free: number): Refusal {
  const message = `Port ${wished} is in use. ${free} is free: choose that one, or another.`
  return new Refusal(409, 'server.port-taken', message, { fields: { port: [message] } })
}
