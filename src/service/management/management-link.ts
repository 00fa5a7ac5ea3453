import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { OnlinePlayers, ToldPlayer } from '../runtime/online-players.ts'
import type { ManagementSettings } from '../worlds/server-properties.ts'
import { METHODS, NOTIFICATIONS, RpcNotified, type RpcPlayer, RpcPlayers } from './messages.ts'
import { type Called, type Ending, RPC_LIMITS, type RpcLimits, RpcSocket } from './rpc-socket.ts'

export interface LinkTuning {
  limits: RpcLimits
  /** How long a call for what is there has, in ms. */
  readMs: number
  /** Pauses before it is tried again, in ms: they double, up to the last. */
  retryFirstMs: number
  retryMostMs: number
  /** A connection that held for so long begins with the first pause anew, in ms. */
  steadyMs: number
  /** Who joins and leaves is taken one by one so often in a second; of more, who is on is asked for as a whole. */
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

/** What it is used with. */
export interface LinkPorts {
  /** Read before each try: a server without a secret writes one when it starts. */
  settings(): Promise<ManagementSettings>
  online: OnlinePlayers
  log: Logger
}

type News = { kind: 'joined' | 'left'; player: ToldPlayer }

const ENDINGS: Readonly<Record<Ending, string>> = {
  secret: 'it refused the secret',
  'not-offered': 'something else answers at its port',
  unreachable: 'it does not answer',
  closed: 'it closed the connection',
  'too-large': 'it sent a message that is too large',
  mute: 'it did not say who is on',
  silent: 'it did not answer a call in time',
}

/**
 * The management protocol of one running server: tells who is on, and takes calls. Where it is off, refuses or is gone,
 * `isReady` is false and the server's output and console are used.
 */
export class ManagementLink {
  readonly #ports: LinkPorts
  readonly #tuning: LinkTuning
  readonly #over = new AbortController()
  #socket: RpcSocket | null = null
  #isReady = false
  /** Said while who is on is being asked for. */
  #waiting: News[] | null = null
  #second = { began: 0, count: 0 }
  /** Who is on is asked for anew. */
  #asksAnew: NodeJS.Timeout | null = null
  /** What was logged last: the same is not said again with every try. */
  #said = ''

  constructor(ports: LinkPorts, tuning: LinkTuning = LINK_TUNING) {
    this.#ports = ports
    this.#tuning = tuning
    void this.#run().catch((error: unknown) => ports.log.warn({ err: error }, 'management protocol'))
  }

  /** Whether it says who is on, and takes calls. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Calls a method. Never throws. */
  call(method: string, params: readonly unknown[], ms = this.#tuning.readMs): Promise<Called> {
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
      // Not all at once, where many servers are started again together.
      const wait = pause * (0.8 + 0.4 * Math.random())
      await delay(wait, undefined, { signal: this.#over.signal, ref: false }).catch(() => {})
      pause = Math.min(pause * 2, retryMostMs)
    }
  }

  /** Holds one connection until it ends; answers for how long it was used, in ms. */
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

  #let(how: Ending): void {
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
    const player = RpcNotified.safeParse(params).data
    const known = player && named(player)
    if (!known) return
    if (this.#waiting) this.#waiting.push({ kind, player: known })
    else if (this.#isReady) this.#ports.online.toldOne(kind, known)
  }

  /** More was said than is taken one by one. */
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

const named = ({ id, name }: RpcPlayer): ToldPlayer | null => (name === null ? null : { name, uuid: id })
