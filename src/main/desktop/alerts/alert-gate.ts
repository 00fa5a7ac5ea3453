import type { DesktopWords } from '../words.ts'
import { type Alert, joinedAlert } from './alert.ts'

/** What comes within so long is looked at together, in ms. */
export const GATHER_MS = 1_000
/** After so many in a minute the next ones are gathered for longer. */
const CALM = 3
export const LONG_GATHER_MS = 20_000
const MINUTE = 60_000
/** Shown one by one at most; more are one. */
const SINGLY = 3
/** Alerts that wait; of more only the count is known. */
const WAITING_MOST = 100

export interface AlertGatePorts {
  show: (alert: Alert) => void
  words: () => DesktopWords
  /** Milliseconds that pass, from wherever. */
  elapsed: () => number
  /** Calls once after so many ms; answers how to call that off. */
  after: (ms: number, run: () => void) => () => void
}

/**
 * Lets alerts out so that they can be read: the same thing once a minute, three at a time, and whatever comes in crowds as
 * one that counts. A server that crashes again and again, or a service gone mad, does not bury the person's screen.
 */
export class AlertGate {
  readonly #ports: AlertGatePorts
  readonly #waiting = new Map<string, Alert>()
  #beyond = 0
  #callOff: (() => void) | null = null
  /** When which was shown, within the last minute. */
  #shown: { key: string; at: number }[] = []

  constructor(ports: AlertGatePorts) {
    this.#ports = ports
  }

  offer(alert: Alert): void {
    const now = this.#ports.elapsed()
    this.#shown = this.#shown.filter(({ at }) => now - at < MINUTE)
    if (this.#shown.some(({ key }) => key === alert.key)) return
    if (this.#waiting.size < WAITING_MOST || this.#waiting.has(alert.key)) this.#waiting.set(alert.key, alert)
    else this.#beyond++
    this.#callOff ??= this.#ports.after(this.#shown.length < CALM ? GATHER_MS : LONG_GATHER_MS, () => {
      this.#callOff = null
      this.#letOut()
    })
  }

  /** Shows nothing more. */
  stop(): void {
    this.#callOff?.()
    this.#callOff = null
    this.#waiting.clear()
  }

  #letOut(): void {
    const alerts = [...this.#waiting.values()]
    const count = alerts.length + this.#beyond
    this.#waiting.clear()
    this.#beyond = 0
    const at = this.#ports.elapsed()
    this.#shown.push(...alerts.map(({ key }) => ({ key, at })))
    if (count <= SINGLY) for (const alert of alerts) this.#ports.show(alert)
    else this.#ports.show(joinedAlert(alerts, count, this.#ports.words()))
  }
}
