import type { z } from 'zod'
import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import { SCOPES, type Scope } from '../../contract/declarations/operation.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { messageOf } from '../../contract/rules/game/plain-line.ts'
import { STOPPING } from '../../contract/rules/log-text.ts'
import { propertiesIn } from '../../contract/rules/properties-text.ts'
import type { Dial } from '../../host/network/dial.ts'
import { askStatus, type PingAnswer } from '../../host/network/server-list-ping.ts'
import { hostRefusal } from '../base/adapter.ts'
import { linesIn } from '../base/body.ts'
import { OFFLINE, type Pulse, pulseIn, UNKNOWN } from '../game/pulse.ts'
import type { ServerFolder } from './folder.ts'
import type { Caller, SshLink } from './link.ts'
import { LATEST_LOG } from './log-files.ts'
import type { Rcon, RconAccess } from './rcon.ts'
import * as remote from './remote.ts'

/** The one server of a connection. */
export const SERVER_ID = 'server'

const PROPERTIES = 'server.properties'
const PROPERTIES_MOST = 256 * 1024
const PROPERTIES_MS = 30_000
const PING_MS = 4000
/** Bytes: more than what is logged after a stop. */
const LOG_END = 64 * 1024
/** An answer is of now for so long, ms. */
const FRESH_MS = 3000
/** Misses in a row before a game that answered is no longer taken for running. */
const MISSES_MOST = 3
const NAME_MOST = 60
const GAME_PORT = 25_565

/** Never offered as such: each command line is shown and confirmed, see `connections.run-power-line`. */
const POWER = ['control.start', 'control.stop', 'control.kill'] as const

interface GameServerPorts {
  link: SshLink
  folder: ServerFolder
  rcon: Rcon
  dial: Dial
  offered: () => ReadonlySet<Scope>
}

/** What is known of a server that runs at a host: by its files, and by how its port answers. */
export class GameServer {
  readonly #link: SshLink
  readonly #folder: ServerFolder
  readonly #rcon: Rcon
  readonly #dial: Dial
  readonly #offered: () => ReadonlySet<Scope>
  #properties: { at: number; values: Promise<ReadonlyMap<string, string>> } | null = null
  #pulse: { at: number; value: Promise<Pulse> } | null = null
  #last: Pulse = UNKNOWN
  #misses = 0

  constructor({ link, folder, rcon, dial, offered }: GameServerPorts) {
    this.#link = link
    this.#folder = folder
    this.#rcon = rcon
    this.#dial = dial
    this.#offered = offered
  }

  async server(caller: Caller): Promise<z.input<typeof Server>> {
    const properties = await this.properties(caller)
    const { state, players } = await this.pulse(caller)
    const offered = this.#offered()
    const canSend = (await this.rconAccess(caller)) !== null && (await this.#rcon.hasWay(caller))
    const lacking = new Set<Scope>(POWER)
    if (!canSend) lacking.add('console.send')
    // The lists of a server that is off can be changed in its files.
    if (!canSend && state !== 'offline') lacking.add('players.act')
    return {
      id: SERVER_ID,
      name: nameIn(properties) ?? this.#link.place.host,
      ...(state !== 'unknown' && { status: state }),
      ...(players && { players }),
      address: { host: this.#link.place.host, port: this.#port(properties) },
      role: SCOPES.filter((scope) => offered.has(scope) && !lacking.has(scope)),
    }
  }

  async status(caller: Caller): Promise<z.input<typeof RuntimeStatus>> {
    const { state, players } = await this.pulse(caller)
    if (state === 'unknown') throw hostRefusal(503, 'sftp.no-ping')
    return { status: state, ...(players && { players }) }
  }

  /** Asked anew. */
  async state(caller: Caller): Promise<'online' | 'offline'> {
    this.#pulse = null
    const { state } = await this.pulse(caller)
    if (state === 'unknown') throw hostRefusal(503, 'sftp.no-ping')
    return state
  }

  pulse(caller: Caller): Promise<Pulse> {
    if (!this.#pulse || performance.now() - this.#pulse.at > FRESH_MS) {
      const value = this.#ask(caller)
      value.catch(() => (this.#pulse = null))
      this.#pulse = { at: performance.now(), value }
    }
    return this.#pulse.value
  }

  /** Its settings are read anew. */
  forget(): void {
    this.#properties = null
  }

  /** Of a server that has never started there are none. */
  properties(caller: Caller): Promise<ReadonlyMap<string, string>> {
    if (!this.#properties || performance.now() - this.#properties.at > PROPERTIES_MS) {
      const values = this.#read(caller)
      values.catch(() => (this.#properties = null))
      this.#properties = { at: performance.now(), values }
    }
    return this.#properties.values
  }

  /** Null where it is off. */
  async rconAccess(caller: Caller): Promise<RconAccess | null> {
    const properties = await this.properties(caller)
    const password = properties.get('rcon.password') ?? ''
    if (properties.get('enable-rcon') !== 'true' || password === '') return null
    return { port: portIn(properties.get('rcon.port')) ?? 25_575, password }
  }

  async #read(caller: Caller): Promise<ReadonlyMap<string, string>> {
    const session = await this.#link.open(caller)
    const at = await this.#folder.at(session, PROPERTIES)
    const about = await remote.statOf(session, at)
    if (!about?.isFile()) return new Map()
    const bytes = await remote.readPart(session, at, 0, Math.min(about.size, PROPERTIES_MOST))
    return propertiesIn(bytes.toString())
  }

  /** The port from here, then from the host itself, whose answer is sure. */
  async #ask(caller: Caller): Promise<Pulse> {
    const port = this.#port(await this.properties(caller))
    const { host } = this.#link.place
    const near = { host, port, limitMs: PING_MS }
    const direct = await this.#askFromHere(near)
    if (direct.kind === 'answered') return (this.#last = this.#judge(direct))
    const there = await this.#askThere(caller, near)
    // The game may be on another machine than its files.
    const isUnsure = there === null && direct.kind === 'refused' && !(await this.#hasStopped(caller))
    return (this.#last = isUnsure ? UNKNOWN : this.#judge(there ?? direct))
  }

  async #askFromHere(near: Parameters<typeof askStatus>[1]): Promise<PingAnswer> {
    const target = { hostname: near.host, port: near.port, isSecure: false }
    const stream = await this.#dial(target).catch((error: NodeJS.ErrnoException) => error.code)
    if (typeof stream === 'object') return askStatus(stream, near)
    return { kind: stream === 'ECONNREFUSED' ? 'refused' : 'silent' }
  }

  /** Whether its log ends with a stop, or there is none. A start begins another log. */
  async #hasStopped(caller: Caller): Promise<boolean> {
    const session = await this.#link.open(caller)
    const at = await this.#folder.at(session, LATEST_LOG)
    const about = await remote.statOf(session, at)
    if (!about?.isFile()) return true
    const end = await remote.readPart(session, at, Math.max(0, about.size - LOG_END), about.size)
    return linesIn(end.toString()).some((line) => STOPPING.test(messageOf(line) ?? ''))
  }

  async #askThere(caller: Caller, near: Parameters<typeof askStatus>[1]): Promise<PingAnswer | null> {
    const session = await this.#link.open(caller)
    const tunnel = await session.tunnel(near.port)
    if (tunnel === null) return null
    return tunnel === 'refused' ? { kind: 'refused' } : askStatus(tunnel, near)
  }

  #judge(answer: PingAnswer): Pulse {
    if (answer.kind === 'refused') {
      this.#misses = 0
      return OFFLINE
    }
    if (answer.kind === 'answered') {
      this.#misses = 0
      return pulseIn(answer.json)
    }
    return ++this.#misses < MISSES_MOST ? this.#last : UNKNOWN
  }

  #port(properties: ReadonlyMap<string, string>): number {
    return portIn(properties.get('server-port')) ?? GAME_PORT
  }
}

function portIn(text: string | undefined): number | null {
  const port = Number(text)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

/** The first line of its message, unless nobody has written one. */
function nameIn(properties: ReadonlyMap<string, string>): string | null {
  const [first = ''] = (properties.get('motd') ?? '').split('\n')
  const plain = asOneLine(first.replaceAll(/§./gs, '')).slice(0, NAME_MOST).trim()
  return plain === '' || plain === 'A Minecraft Server' ? null : plain
}
