import type { Clock } from '../base/retry.ts'

/** Pauses between rounds in ms: growing while nothing is new. The last fifth is random. */
const PAUSES = [2000, 3000, 5000, 8000, 15_000] as const
const AT_ONCE = 4

export interface PollResult {
  news: boolean
  away: boolean
  /** ms to leave the service alone. */
  leaveAlone: number
}

export interface PollingPorts {
  clock: Clock
  pace: Pick<PollingInterval, 'times'>
  wanted: () => string[]
  ask: (serverId: string, signal: AbortSignal) => Promise<PollResult>
  onRound: (away: boolean) => void
  /** Errors that are not a service's response. */
  onFault: (error: unknown) => void
}

export class Polling {
  readonly #ports: PollingPorts
  readonly #ended = new AbortController()
  #pause = new AbortController()
  #quiet = 0

  constructor(ports: PollingPorts) {
    this.#ports = ports
    void this.#run()
  }

  /** Longest current pause, in seconds. */
  get every(): number {
    return this.#longest / 1000
  }

  hurry(): void {
    this.#quiet = 0
    this.#pause.abort(new Error('hurried'))
  }

  stop(): void {
    this.#ended.abort(new Error('stopped'))
  }

  get #longest(): number {
    return this.#paused(Math.min(this.#quiet, PAUSES.length - 1))
  }

  #paused(step: number): number {
    return (PAUSES[step] ?? 0) * this.#ports.pace.times
  }

  async #run(): Promise<void> {
    const { clock, wanted, onRound } = this.#ports
    const { signal } = this.#ended
    while (!signal.aborted) {
      this.#pause = new AbortController()
      const servers = wanted()
      let leaveAlone = 0
      if (servers.length > 0) {
        const asked = await this.#round(servers, signal)
        if (signal.aborted) return
        this.#quiet = asked.some(({ news }) => news) ? 0 : this.#quiet + 1
        leaveAlone = Math.max(0, ...asked.map((one) => one.leaveAlone))
        onRound(asked.length > 0 && asked.every(({ away }) => away))
      }
      const longest = servers.length > 0 ? this.#longest : this.#paused(2)
      const pause = Math.max(longest * (0.8 + 0.2 * clock.random()), leaveAlone)
      const woken = AbortSignal.any([signal, this.#pause.signal])
      await clock.sleep(pause, woken).catch(() => undefined)
    }
  }

  async #round(servers: string[], signal: AbortSignal): Promise<PollResult[]> {
    const left = [...servers]
    const asked: PollResult[] = []
    const lane = async () => {
      for (let id = left.shift(); id !== undefined && !signal.aborted; id = left.shift())
        await this.#ports.ask(id, signal).then(
          (one) => asked.push(one),
          (error: unknown) => {
            if (!signal.aborted) this.#ports.onFault(error)
          },
        )
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    return asked
  }
}

/** Factor on battery. */
const SPARED = 4

export class PollingInterval {
  #times = 1

  get times(): number {
    return this.#times
  }

  spare(on: boolean): void {
    this.#times = on ? SPARED : 1
  }
}
