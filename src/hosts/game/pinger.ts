import type { Dial } from '../../host/network/dial.ts'
import { askStatus } from '../../host/network/server-list-ping.ts'
import { type Pulse, pulseIn, UNKNOWN } from './pulse.ts'

const PING_MS = 2500
/** An answer is of now for so long, ms; and how long a silent port isn't asked again. */
const FRESH_MS = 3000
const SILENT_MS = 60_000
const HOST_MOST = 255

interface Address {
  host: string
  port: number | null | undefined
}

/** Asks games at the addresses where they are played. Never rejects. */
export class Pinger {
  readonly #dial: Dial
  readonly #recent = new Map<string, { until: number; pulse: Promise<Pulse> }>()

  constructor(dial: Dial) {
    this.#dial = dial
  }

  pulse(address: Address | null): Promise<Pulse> {
    if (!address?.port || address.port > 65_535 || address.host.length > HOST_MOST)
      return Promise.resolve(UNKNOWN)
    const { host, port } = address
    const key = `${host} ${port}`
    const recent = this.#recent.get(key)
    if (recent && performance.now() < recent.until) return recent.pulse
    const asked = { until: performance.now() + PING_MS + FRESH_MS, pulse: this.#ask(host, port) }
    this.#recent.set(key, asked)
    void asked.pulse.then(({ state }) => {
      asked.until = performance.now() + (state === 'unknown' ? SILENT_MS : FRESH_MS)
    })
    return asked.pulse
  }

  async #ask(host: string, port: number): Promise<Pulse> {
    const socket = await this.#dial({ hostname: host, port, isSecure: false }).catch(() => null)
    if (!socket) return UNKNOWN
    const answer = await askStatus(socket, { host, port, limitMs: PING_MS })
    return answer.kind === 'answered' ? pulseIn(answer.json) : UNKNOWN
  }
}
