import { refusalText } from '../../contract/messages/refusals/index.ts'
import type { Stop } from '../base/change.ts'
import type { Runtime } from '../runtime/types.ts'
import type { ManagedServer } from '../runtime/managed-server.ts'
import { reachableHere } from '../base/host.ts'
import { pingServer } from '../worlds/server-list-ping.ts'

const MINUTE = 60_000

interface Ports {
  runtime: Pick<Runtime, 'onStatus' | 'onPlayerNews' | 'servers' | 'busy'>
  /** Monotonic ms. */
  elapsed: () => number
}

/** How long nobody was on, per online server. */
export class EmptyTime {
  readonly #ports: Ports
  /** Since when, in monotonic ms. */
  readonly #empty = new Map<string, number>()
  readonly #stops: Stop[]

  constructor(ports: Ports) {
    this.#ports = ports
    this.#stops = [
      ports.runtime.onStatus((serverId, { status }) => {
        if (status === 'online') this.#begin(serverId)
        else this.#empty.delete(serverId)
      }),
      ports.runtime.onPlayerNews((serverId, { kind }) => {
        if ((kind === 'joined' || kind === 'left') && this.#empty.has(serverId)) this.#begin(serverId)
      }),
    ]
  }

  /** Puts to sleep what was empty for long enough. `slept` is called for each. */
  async look(slept: (server: ManagedServer) => void): Promise<void> {
    const due = [...this.#ports.runtime.servers()].filter((server) => this.#isDue(server))
    await Promise.all(
      due.map(async (server) => {
        // A log that isn't understood must not send anybody away.
        if (await isPlayedOn(server)) return this.#begin(server.spec.id)
        const { sleep } = server.spec
        if (!sleep || !this.#isDue(server)) return
        const says = sleep.wake === 'nobody' ? 'console.falls-asleep-alone' : 'console.falls-asleep'
        server.fallAsleep(refusalText(says, { count: sleep.afterMinutes }))
        slept(server)
      }),
    )
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  #begin(serverId: string): void {
    this.#empty.set(serverId, this.#ports.elapsed())
  }

  #isDue({ spec, online }: ManagedServer): boolean {
    const since = this.#empty.get(spec.id)
    if (!spec.sleep || since === undefined) return false
    if (online.count.online > 0) {
      this.#begin(spec.id)
      return false
    }
    const isLong = this.#ports.elapsed() - since >= Math.max(1, spec.sleep.afterMinutes) * MINUTE
    return isLong && this.#ports.runtime.busy(spec.id).length === 0
  }
}

/** As the server itself says; false if it doesn't answer. */
async function isPlayedOn({ runs, spec }: ManagedServer): Promise<boolean> {
  const { host, port } = runs ?? spec
  return ((await pingServer(port, { host: reachableHere(host) }))?.players.online ?? 0) > 0
}
