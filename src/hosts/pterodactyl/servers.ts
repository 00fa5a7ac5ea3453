import type { z } from 'zod'
import type { ContainerStats, RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { Scope } from '../../contract/declarations/operation.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import { hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { PanelServer, Resources, ServerMeta } from './answers.ts'
import { soon } from '../console/ask-console.ts'
import { Pinger } from '../game/pinger.ts'
import { OFFLINE, type Pulse, UNKNOWN } from '../game/pulse.ts'
import type { SshPlace } from '../sftp/place.ts'
import type { PanelApi } from './panel-api.ts'
import { scopesIn } from './permissions.ts'

/** The panel caches states as long. */
const STATE_MS = 20_000
const GRANT_MS = 10 * 60_000
const AT_ONCE = 6
/** For what a game says at its port, ms: beside a status, and where it is what is asked for. */
const PING_MS = 800
const PULSE_MS = 3000
/** Asked for with one list; the others follow with the next. A panel allows few requests a minute. */
const STATES_MOST = 60
const GRANTS_MOST = 60

type StatusListener = (id: string, status: string) => void

/** A server's own word at the panel, which its socket tells too. */
export const SUSPENDED = 'suspended'

interface Recent<T> {
  at: number
  value: T
}

const isRecent = <T>(known: Recent<T> | undefined, ms: number): known is Recent<T> =>
  known !== undefined && Date.now() - known.at < ms

/** The servers of an account, and what was last known of their states. */
export class PanelServers {
  readonly #api: PanelApi
  readonly #offered: () => ReadonlySet<Scope>
  readonly #states = new Map<string, Recent<Resources>>()
  readonly #grants = new Map<string, Recent<readonly string[]>>()
  readonly #pinger: Pinger
  readonly #addresses = new Map<string, GameAddress | null>()
  readonly #machines = new Map<string, string>()
  readonly #lanes = new Lanes({ atOnce: AT_ONCE })
  readonly #listeners = new Set<StatusListener>()

  constructor(api: PanelApi, offered: () => ReadonlySet<Scope>) {
    this.#api = api
    this.#pinger = new Pinger(api.dispatcher.dial)
    this.#offered = offered
  }

  async list(caller: Caller): Promise<z.input<typeof Server>[]> {
    const all = await this.#api.all('', PanelServer, caller)
    const found = [...new Map(all.map((server) => [server.uuid, server])).values()]
    const oldest = found
      .filter((server) => !isAtRest(server))
      .map(({ uuid }) => ({ uuid, at: this.#states.get(uuid)?.at ?? 0 }))
      .sort((a, b) => a.at - b.at)
    const asked = new Set(oldest.slice(0, STATES_MOST).map(({ uuid }) => uuid))
    this.#keepOnly(new Set(found.map(({ uuid }) => uuid)))
    let grants = 0
    return Promise.all(
      found.map(async (server) => {
        const last = this.#states.get(server.uuid)?.value ?? null
        const state = asked.has(server.uuid) ? await this.#state(server.uuid, caller).catch(() => last) : last
        const held = this.#grants.get(server.uuid)
        const isAsked = !server.server_owner && !isRecent(held, GRANT_MS) && grants++ < GRANTS_MOST
        const permissions = server.server_owner
          ? ['*']
          : isAsked
            ? await this.permissions(server.uuid, caller).catch(() => [])
            : (held?.value ?? [])
        return this.#server(server, state, permissions)
      }),
    )
  }

  async read(id: string, caller: Caller): Promise<z.input<typeof Server>> {
    const { server, permissions } = await this.#read(id, caller)
    const state = isAtRest(server) ? null : await this.#state(id, caller).catch(() => null)
    return this.#server(server, state, permissions)
  }

  async #read(id: string, caller: Caller): Promise<{ server: PanelServer; permissions: readonly string[] }> {
    const answer = await this.#api.json(pathOf(id), caller)
    const read = PanelServer.safeParse((answer as { attributes?: unknown } | null)?.attributes)
    if (!read.success) throw hostRefusal(502, 'host.unreadable', { field: 'attributes' })
    return { server: read.data, permissions: this.#keepGrant(read.data.uuid, answer, read.data) }
  }

  async details(id: string, caller: Caller): Promise<PanelServer> {
    return (await this.#read(id, caller)).server
  }

  async status(id: string, caller: Caller): Promise<z.input<typeof RuntimeStatus>> {
    const details = await this.details(id, caller)
    if (isAtRest(details)) return { status: wordOf(details, null) }
    const status = wordOf(details, await this.#state(id, caller))
    if (status !== 'online') return { status }
    // A port that isn't reached from here holds nothing up.
    const pulse = await soon(this.#pinger.pulse(this.#keepAddress(details)), PING_MS)
    return { status, ...(pulse?.players && { players: pulse.players }) }
  }

  /** Who plays, as the game says it at its port. */
  async pulse(id: string, caller: Caller): Promise<Pulse> {
    const { current_state: state } = await this.#state(id, caller)
    if (powerWord(state) === 'offline') return OFFLINE
    return (await soon(this.#pinger.pulse(await this.address(id, caller)), PULSE_MS)) ?? UNKNOWN
  }

  async stats(id: string, caller: Caller): Promise<z.input<typeof ContainerStats>> {
    const state = await this.#state(id, caller)
    if (powerWord(state.current_state) !== 'online') throw hostRefusal(409, 'server.not-online')
    const { resources } = state
    return {
      cpuPercent: resources?.cpu_absolute,
      memoryBytes: resources?.memory_bytes,
      diskBytes: resources?.disk_bytes,
      networkRxBytes: resources?.network_rx_bytes,
      networkTxBytes: resources?.network_tx_bytes,
      uptimeSeconds: typeof resources?.uptime === 'number' ? Math.round(resources.uptime / 1000) : null,
    }
  }

  /** Where it is played; null if the panel doesn't tell. */
  async address(id: string, caller: Caller): Promise<GameAddress | null> {
    const known = this.#addresses.get(id)
    return known === undefined ? this.#keepAddress(await this.details(id, caller)) : known
  }

  /** The machine that a server is on; the server's own id if the panel doesn't say. */
  machine(id: string): string {
    return this.#machines.get(id) ?? id
  }

  /** The servers of each. */
  async machines(caller: Caller): Promise<ReadonlyMap<string, string[]>> {
    if (this.#machines.size === 0) await this.list(caller)
    return Map.groupBy(this.#machines.keys(), (id) => this.machine(id))
  }

  /** Bytes; null if the machine doesn't tell. */
  async diskUse(id: string, caller: Caller): Promise<number | null> {
    const state = await this.#state(id, caller).catch(() => null)
    return state?.resources?.disk_bytes ?? null
  }

  /** A status that a socket told is newer than what the panel has cached. */
  told(id: string, status: string): void {
    const before = this.#states.get(id)?.value
    if (status !== SUSPENDED)
      this.#states.set(id, { at: Date.now(), value: { ...before, current_state: status } })
    for (const listener of [...this.#listeners]) listener(id, status)
  }

  /** What sockets tell. */
  listen(listener: StatusListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async #state(id: string, caller: Caller): Promise<Resources> {
    const known = this.#states.get(id)
    if (isRecent(known, STATE_MS)) return known.value
    return this.#lanes.run(
      id,
      async () => {
        const value = await this.#api.one(`${pathOf(id)}/resources`, Resources, caller)
        this.#states.set(id, { at: Date.now(), value })
        return value
      },
      caller.signal,
    )
  }

  #keepOnly(ids: ReadonlySet<string>): void {
    for (const known of [this.#states, this.#grants, this.#addresses, this.#machines])
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
  }

  /** The panel's own names; `*` holds all. */
  async permissions(id: string, caller: Caller): Promise<readonly string[]> {
    const known = this.#grants.get(id)
    if (isRecent(known, GRANT_MS)) return known.value
    return this.#lanes.run(
      id,
      async () => this.#keepGrant(id, await this.#api.json(pathOf(id), caller), null),
      caller.signal,
    )
  }

  #keepGrant(id: string, answer: unknown, server: PanelServer | null): readonly string[] {
    const meta = ServerMeta.safeParse(answer).data?.meta
    const isOwner = meta?.is_server_owner ?? server?.server_owner
    const value = meta?.user_permissions ?? (isOwner ? ['*'] : [])
    this.#grants.set(id, { at: Date.now(), value })
    return value
  }

  #keepAddress(server: PanelServer): GameAddress | null {
    const address = addressOf(server)
    this.#addresses.set(server.uuid, address)
    const machine = machineOf(server)
    if (machine) this.#machines.set(server.uuid, machineName(machine))
    return address
  }

  #server(server: PanelServer, state: Resources | null, held: readonly string[]): z.input<typeof Server> {
    const address = this.#keepAddress(server)
    const memory = server.limits?.memory
    const known = state !== null || isAtRest(server)
    return {
      id: server.uuid,
      name: server.name,
      ...(known && { status: wordOf(server, state) }),
      ...(address && { address }),
      memoryMb: memory ? memory : null,
      role: scopesIn(held, this.#offered()),
    }
  }
}

const DEFAULT_PORT = 2022

/** Where its files are reached over SSH. */
export function machineOf({ sftp_details: sftp }: PanelServer): Machine | null {
  const host = sftp?.alias || sftp?.ip
  return host ? { host, port: sftp?.port ?? DEFAULT_PORT } : null
}

export const machineName = ({ host, port }: Machine): string => `${host}:${port}`

export function placeNamed(machine: string): Machine {
  const at = machine.lastIndexOf(':')
  return { host: machine.slice(0, at), port: Number(machine.slice(at + 1)) }
}

type Machine = Pick<SshPlace, 'host' | 'port'>

export interface GameAddress {
  host: string
  port: number | null | undefined
}

function addressOf({ relationships }: PanelServer): GameAddress | null {
  const ports = (relationships?.allocations?.data ?? []).flatMap(({ attributes }) => attributes ?? [])
  const main = ports.find((one) => one.is_default) ?? ports[0]
  const host = main?.ip_alias ?? main?.ip
  return host ? { host, port: main?.port } : null
}

export const pathOf = (id: string): string => `/servers/${encodeURIComponent(id)}`

const isAtRest = (server: PanelServer): boolean =>
  Boolean(server.status || server.is_suspended || server.is_transferring || server.is_node_under_maintenance)

/** The panel's own words where the contract has none: they are shown as they are. */
function wordOf(server: PanelServer, state: Resources | null): string {
  const { status } = server
  if (status === 'installing') return 'installing'
  if (server.is_suspended || status === SUSPENDED) return SUSPENDED
  if (status) return word(status.replaceAll('_', ' '))
  if (server.is_transferring) return 'transferring'
  if (server.is_node_under_maintenance) return 'in maintenance'
  return state ? powerWord(state.current_state) : 'offline'
}

const POWER_WORDS: Readonly<Record<string, string>> = {
  running: 'online',
  starting: 'starting',
  stopping: 'stopping',
  offline: 'offline',
  stopped: 'offline',
}

const WORD_MOST = 60
const word = (text: string): string => asOneLine(text.slice(0, WORD_MOST))

export const powerWord = (state: string): string => POWER_WORDS[state] ?? word(state)
