import type { Countdown, ServerRef } from '../../../contract/bridge/values.ts'
import { WARNING_MS } from '../../../contract/rules/power.ts'

/** Seconds before the end at which players are told. */
const TOLD_AT = [60, 30, 10, 5, 4, 3, 2, 1]
/** A later step means that the computer slept: players have to be warned again. In ms. */
const LATE_MS = 5000

export interface CountdownPorts {
  now: () => number
  after: (ms: number, run: () => void) => () => void
  isOnline: (server: ServerRef) => boolean
  /** Null if unknown. */
  playersOn: (server: ServerRef) => number | null
  /** Throws a problem. */
  say: (server: ServerRef, text: string) => Promise<void>
  /** Throws a problem. */
  act: (server: ServerRef, action: Countdown['action']) => Promise<void>
  tell: (all: Countdown[]) => void
  failed: (server: ServerRef, error: unknown) => void
}

interface Running extends Countdown {
  stopTimer: () => void
}

/** Warns players in the game's chat, then stops or restarts. Lives here, so it needs no window. */
export class Countdowns {
  readonly #ports: CountdownPorts
  readonly #running = new Map<string, Running>()

  constructor(ports: CountdownPorts) {
    this.#ports = ports
  }

  list(): Countdown[] {
    return [...this.#running.values()].map(({ stopTimer: _, ...countdown }) => countdown)
  }

  /** Replaces a running one. Throws if players can't be warned; nothing is stopped then. */
  async begin(
    server: ServerRef,
    action: Countdown['action'],
    language: Countdown['language'],
  ): Promise<void> {
    this.#end(server)
    const { connectionId, serverId } = server
    const at = this.#ports.now() + WARNING_MS
    const running: Running = { connectionId, serverId, action, language, at, stopTimer: () => {} }
    this.#running.set(keyOf(server), running)
    this.#tell()
    try {
      await this.#say(running, TOLD_AT[0] ?? 0)
    } catch (error) {
      if (this.#isRunning(running)) this.#end(server)
      throw error
    }
    if (this.#isRunning(running)) this.#next(running, 1)
  }

  async cancel(server: ServerRef): Promise<void> {
    const running = this.#end(server)
    if (running) await this.#ports.say(server, chatWords(running.language).canceled(running.action))
  }

  /** The server's status or its player count is new. */
  changed(server: ServerRef): void {
    const running = this.#running.get(keyOf(server))
    if (!running) return
    if (!this.#ports.isOnline(server)) this.#end(server)
    else if (this.#ports.playersOn(server) === 0) this.#act(running)
  }

  /** Players are told, as long as the service still answers. */
  async leave(isMeant: (connectionId: string) => boolean): Promise<void> {
    const meant = this.list().filter(({ connectionId }) => isMeant(connectionId))
    await Promise.allSettled(meant.map((server) => this.cancel(server)))
  }

  forget(isMeant: (connectionId: string) => boolean): void {
    for (const one of this.list()) if (isMeant(one.connectionId)) this.#end(one)
  }

  #next(running: Running, step: number): void {
    const seconds = TOLD_AT[step] ?? 0
    const due = running.at - seconds * 1000
    running.stopTimer = this.#ports.after(Math.max(0, due - this.#ports.now()), () => {
      const late = this.#ports.now() - due
      if (late > LATE_MS) {
        void this.begin(running, running.action, running.language).catch((error: unknown) =>
          this.#ports.failed(running, error),
        )
        return
      }
      if (seconds === 0) return this.#act(running)
      // One warning less is no reason to keep the server running.
      void this.#say(running, seconds).catch(() => undefined)
      this.#next(running, step + 1)
    })
  }

  #act(running: Running): void {
    this.#end(running)
    const { connectionId, serverId } = running
    const server = { connectionId, serverId }
    void this.#ports.act(server, running.action).catch((error: unknown) => this.#ports.failed(server, error))
  }

  #say(running: Running, seconds: number): Promise<void> {
    return this.#ports.say(running, chatWords(running.language).soon(running.action, seconds))
  }

  #isRunning(running: Running): boolean {
    return this.#running.get(keyOf(running)) === running
  }

  #end(server: ServerRef): Running | null {
    const running = this.#running.get(keyOf(server))
    if (!running) return null
    running.stopTimer()
    this.#running.delete(keyOf(server))
    this.#tell()
    return running
  }

  #tell(): void {
    this.#ports.tell(this.list())
  }
}

const keyOf = ({ connectionId, serverId }: ServerRef): string => `${connectionId}\n${serverId}`

interface ChatWords {
  soon: (action: Countdown['action'], seconds: number) => string
  canceled: (action: Countdown['action']) => string
}

/** Read by players, in the language of whoever started it. */
const words: Record<Countdown['language'], ChatWords> = {
  en: {
    soon: (action, seconds) =>
      `The server ${action === 'stop' ? 'stops' : 'restarts'} in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    canceled: (action) => `The ${action === 'stop' ? 'stop' : 'restart'} was canceled.`,
  },
  de: {
    soon: (action, seconds) =>
      `Der Server ${action === 'stop' ? 'stoppt' : 'startet'} in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}${action === 'stop' ? '' : ' neu'}.`,
    canceled: (action) => `Der ${action === 'stop' ? 'Stopp' : 'Neustart'} wurde abgesagt.`,
  },
}

const chatWords = (language: Countdown['language']): ChatWords => words[language]
