import { z } from 'zod'
import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import { SCOPES, type Scope } from '../../contract/declarations/operation.ts'
import { HOST_STATES } from '../../contract/rules/hosts.ts'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { ExarotonServer, Ram } from './answers.ts'
import { type ExarotonApi, serverPath } from './exaroton-api.ts'

const MIB_IN_GIB = 1024
const RAM_MS = 10 * 60_000
const SERVERS_MOST = 2000

/** By status code. `saving`, `loading` and `waiting` are in `contract/rules/hosts.ts`. */
const WORDS = [
  ...(['offline', 'online', 'starting', 'stopping', 'starting', 'saving', 'loading'] as const),
  ...(['crashed', 'waiting', 'starting', 'starting'] as const),
]
export const ONLINE = 1
const OFFLINE = 0
const CRASHED = 7

/** Neither running nor on its way: its files are where they stay. */
export const isAtRest = (code: number): boolean => code === OFFLINE || code === CRASHED

/** The servers of an account, and what is last known of them. */
export class ExarotonServers {
  readonly #api: ExarotonApi
  readonly #offered: () => ReadonlySet<Scope>
  readonly #known = new Map<string, ExarotonServer>()
  readonly #ram = new Map<string, { at: number; mb: number | null }>()
  readonly #listeners = new Set<(server: ExarotonServer) => void>()

  constructor(api: ExarotonApi, offered: () => ReadonlySet<Scope>) {
    this.#api = api
    this.#offered = offered
  }

  async list(caller: Caller): Promise<z.input<typeof Server>[]> {
    const all = await this.#api.read('servers', z.array(z.unknown()), caller)
    const servers = all.slice(0, SERVERS_MOST).flatMap((one) => ExarotonServer.safeParse(one).data ?? [])
    const ids = new Set(servers.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
    for (const id of this.#ram.keys()) if (!ids.has(id)) this.#ram.delete(id)
    servers.forEach((one) => this.told(one))
    return servers.map((one) => this.#server(one))
  }

  async read(id: string, caller: Caller): Promise<z.input<typeof Server>> {
    const server = await this.look(id, caller)
    await this.#readRam(id, caller)
    return this.#server(server)
  }

  async look(id: string, caller: Caller): Promise<ExarotonServer> {
    const server = await this.#api.read(serverPath(id), ExarotonServer, caller)
    this.told(server)
    return server
  }

  /** As last told, which a socket keeps current. */
  known(id: string): ExarotonServer | null {
    return this.#known.get(id) ?? null
  }

  told(server: ExarotonServer): void {
    this.#known.set(server.id, server)
    for (const listener of [...this.#listeners]) listener(server)
  }

  listen(listener: (server: ExarotonServer) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  memoryMb(id: string): number | null {
    return this.#ram.get(id)?.mb ?? null
  }

  /** MiB; null where the owner of a shared server doesn't let it be seen. */
  async readMemory(id: string, caller: Caller): Promise<number | null> {
    await this.#readRam(id, caller)
    return this.memoryMb(id)
  }

  /** `ram`: GiB, from the next start on. */
  async changeRam(id: string, ram: number, caller: Caller): Promise<void> {
    await this.#api.send(`${serverPath(id)}/options/ram/`, caller, { method: 'POST', json: { ram } })
    this.#ram.delete(id)
  }

  async #readRam(id: string, caller: Caller): Promise<void> {
    if (Date.now() - (this.#ram.get(id)?.at ?? -Infinity) < RAM_MS) return
    try {
      const { ram } = await this.#api.read(`${serverPath(id)}/options/ram/`, Ram, caller)
      this.#ram.set(id, { at: Date.now(), mb: ram * MIB_IN_GIB })
    } catch (error) {
      // The owner of a shared server may not let it be seen.
      if (!(error instanceof HostRefusal)) throw error
      this.#ram.set(id, { at: Date.now(), mb: null })
    }
  }

  #server(server: ExarotonServer): z.input<typeof Server> {
    const { id, name, address, software } = server
    const memoryMb = this.memoryMb(id)
    return {
      ...{ id, name, ...statusOf(server) },
      ...(address && { address: { host: address } }),
      ...(software?.name && {
        software: { id: software.id ?? software.name, name: software.name, version: software.version },
      }),
      ...(memoryMb !== null && { memoryMb }),
      // What the owner of a shared server allows isn't told: it shows when it is tried.
      role: SCOPES.filter((scope) => scope !== 'control.kill' && this.#offered().has(scope)),
    }
  }
}

/** As the contract has it. Throws where exaroton has a state that isn't known here. */
export function stateOf({ status }: ExarotonServer): 'online' | 'offline' | 'starting' | 'stopping' {
  const word = WORDS[status]
  switch (word) {
    case 'crashed':
      return 'offline'
    case 'saving':
    case 'loading':
    case 'waiting':
      return HOST_STATES[word]
    case undefined:
      throw hostRefusal(409, 'host.not-now')
    default:
      return word
  }
}

export function statusOf({ status, players }: ExarotonServer): z.input<typeof RuntimeStatus> {
  const count = players?.count
  return {
    status: WORDS[status] ?? `status ${status}`,
    ...(status === ONLINE &&
      typeof count === 'number' && {
        players: { online: Math.max(0, Math.trunc(count)), max: players?.max },
      }),
  }
}
