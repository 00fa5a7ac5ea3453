import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { OnlinePlayers, ReportedPlayer } from '../runtime/online-players.ts'
import type { ManagementSettings } from '../worlds/server-properties.ts'
import {
  type ManagementCalls,
  METHODS,
  NOTIFICATIONS,
  RpcNotification,
  type RpcOutcome,
  type RpcPlayer,
  RpcPlayers,
} from '../../host/management/messages.ts'
import { type CloseReason, RPC_LIMITS, type RpcLimits, RpcSocket } from './rpc-socket.ts'

export interface LinkTuning {
  limits: RpcLimits
  readMs: number
  /** Retry pauses in ms, doubling up to the last. */
  retryFirstMs: number
  retryMostMs: number
  /** A connection that lasted this long resets the pause, in ms. */
  steadyMs: number
  /** Joins and leaves handled one by one per second; beyond that, the whole list is requested. */
  newsPerSecond: number
}

export const LINK_TUNING: LinkTuning = {
  limits: RPC_LIMITS,
  readMs: 5000,
  retryFirstMs: 1000,
  retryMostMs: 60_000,
  steadyMs: 30_000,
  newsPerSecond: 50,
}

interface LinkPorts {
  /** Read before each attempt: servers without a secret create one at start. */
  settings(): Promise<ManagementSettings>
  online: OnlinePlayers
  log: Logger
}

type News = { kind: 'joined' | 'left'; player: ReportedPlayer }

const ENDINGS: Readonly<Record<CloseReason, string>> = {
  secret: 'it refused the secret',
  'not-offered': 'something else answers at its port',
  unreachable: 'it does not answer',
  closed: 'it closed the connection',
  'too-large': 'it sent a message that is too large',
  mute: 'it did not say who is on',
  silent: 'it did not answer a call in time',
}

/** The management protocol of one running server. While `isReady` is false, its output and console are used instead. */
export class ManagementLink implements ManagementCalls {
  readonly #ports: LinkPorts
  readonly #tuning: LinkTuning
  readonly #over = new AbortController()
  #socket: RpcSocket | null = null
  #isReady = false
  /** Joins and leaves received while the list is being requested. */
  #waiting: News[] | null = null
  #second = { began: 0, count: 0 }
  #asksAnew: NodeJS.Timeout | null = null
  /** Avoids logging the same for every attempt. */
  #said = ''

  constructor(ports: LinkPorts, tuning: LinkTuning = LINK_TUNING) {
    this.#ports = ports
    this.#tuning = tuning
    void this.#run().catch((error: unknown) => ports.log.warn({ err: error }, 'management protocol'))
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Never throws. */
  call(method: string, params: readonly unknown[], ms = this.#tuning.readMs): Promise<RpcOutcome> {
    return this.#socket?.call(method, params, ms) ?? Promise.resolve({ kind: 'unsent' })
  }

  close(): void {
    this.#over.abort()
    this.#socket?.end()
  }

  async #run(): Promise<void> {
    const { retryFirstMs, retryMostMs, steadyMs } = this.#tuning
    let pause = retryFirstMs
    while (!this.#over.signal.aborted) {
      const settings = await this.#ports.settings()
      if (this.#over.signal.aborted) return
      if (settings.kind === 'off') return
      if (settings.kind === 'unusable') return this.#say(`not used: ${settings.why}`)
      const { kind: _, ...place } = settings
      const held = await this.#hold(place)
      pause = held >= steadyMs ? retryFirstMs : pause
      // Jitter, for servers that restart together.
      const wait = pause * (0.8 + 0.4 * Math.random())
      await delay(wait, undefined, { signal: this.#over.signal, ref: false }).catch(() => {})
      pause = Math.min(pause * 2, retryMostMs)
    }
  }

  /** Resolves with how long the connection was used, in ms. */
  #hold(place: ConstructorParameters<typeof RpcSocket>[0]): Promise<number> {
    return new Promise((resolve) => {
      let since: number | null = null
      const socket = new RpcSocket(
        place,
        {
          opened: () =>
            void this.#begin(socket).then((isReady) => {
              if (isReady) since = performance.now()
              else socket.end('mute')
            }),
          notified: (method, params) => this.#heed(socket, method, params),
          ended: (how) => {
            this.#let(how)
            resolve(since === null ? 0 : performance.now() - since)
          },
        },
        this.#tuning.limits,
      )
      this.#socket = socket
    })
  }

  async #begin(socket: RpcSocket): Promise<boolean> {
    if (!(await this.#askWhoIsOn(socket)) || socket !== this.#socket) return false
    this.#isReady = true
    this.#say('used')
    return true
  }

  #let(how: CloseReason): void {
    this.#socket = null
    this.#isReady = false
    this.#waiting = null
    if (this.#asksAnew) clearTimeout(this.#asksAnew)
    this.#asksAnew = null
    this.#ports.online.untold()
    if (!this.#over.signal.aborted)
      this.#say(`not used: ${ENDINGS[how]}; the console is read until it answers again`)
  }

  async #askWhoIsOn(socket: RpcSocket): Promise<boolean> {
    const said: News[] = []
    this.#waiting = said
    const called = await socket.call(METHODS.players, [], this.#tuning.readMs)
    if (socket !== this.#socket) return false
    this.#waiting = null
    const all = called.kind === 'answered' ? RpcPlayers.safeParse(called.result).data : undefined
    if (!all) return false
    this.#ports.online.told(all.flatMap((player) => named(player) ?? []))
    for (const { kind, player } of said) this.#ports.online.toldOne(kind, player)
    return true
  }

  #heed(socket: RpcSocket, method: string, params: unknown): void {
    const kind = method === NOTIFICATIONS.joined ? 'joined' : method === NOTIFICATIONS.left ? 'left' : null
    if (kind === null || socket !== this.#socket) return
    const { newsPerSecond } = this.#tuning
    const now = performance.now()
    if (now - this.#second.began >= 1000) this.#second = { began: now, count: 0 }
    this.#second.count += 1
    if (this.#second.count > newsPerSecond) return this.#askSoon(socket)
    const player = RpcNotification.safeParse(params).data
    const known = player && named(player)
    if (!known) return
    if (this.#waiting) this.#waiting.push({ kind, player: known })
    else if (this.#isReady) this.#ports.online.toldOne(kind, known)
  }

  #askSoon(socket: RpcSocket): void {
    this.#asksAnew ??= setTimeout(() => {
      this.#asksAnew = null
      if (this.#waiting) this.#askSoon(socket)
      else void this.#askWhoIsOn(socket).then((isRead) => isRead || socket.end('mute'))
    }, 1000)
  }

  #say(what: string): void {
    if (this.#said === what) return
    this.#said = what
    this.#ports.log.info({ management: what }, 'management protocol of a server')
  }
}

const named = ({ id, name }: RpcPlayer): ReportedPlayer | null => (name === null ? null : { name, uuid: id })
