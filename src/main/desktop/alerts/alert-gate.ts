import type { DesktopWords } from '../words.ts'
import { type Alert, joinedAlert } from './alert.ts'

/** Alerts within this many ms are grouped. */
export const GATHER_MS = 1_000
/** More than this many per minute are grouped for longer. */
const CALM = 3
export const LONG_GATHER_MS = 20_000
export const MINUTE = 60_000
/** More at a time are merged into one. */
const SINGLY = 3
const WAITING_MOST = 100

export interface AlertGatePorts {
  show: (alert: Alert) => void
  words: () => DesktopWords
  /** Monotonic, ms. */
  elapsed: () => number
  after: (ms: number, run: () => void) => () => void
}

/** The same alert once a minute, three at a time, floods merged into a count: a crash loop cannot flood the screen. */
export class AlertGate {
  readonly #ports: AlertGatePorts
  readonly #waiting = new Map<string, Alert>()
  #beyond = 0
  #callOff: (() => void) | null = null
  #shown: { key: string; at: number }[] = []

  constructor(ports: AlertGatePorts) {
    this.#ports = ports
  }

  offer(alert: Alert): void {
    const now = this.#ports.elapsed()
    this.#shown = this.#shown.filter(({ at }) => now - at < MINUTE)
    if (!alert.isGathered && this.#shown.some(({ key }) => key === alert.key)) return
    if (this.#waiting.size < WAITING_MOST || this.#waiting.has(alert.key)) this.#waiting.set(alert.key, alert)
    else this.#beyond++
    this.#callOff ??= this.#ports.after(this.#shown.length < CALM ? GATHER_MS : LONG_GATHER_MS, () => {
      this.#callOff = null
      this.#letOut()
    })
  }

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
