import type { Stop } from '../../../contract/bridge/bridge.ts'
import type { Sample } from '../../../contract/bridge/values.ts'
import { call, on, type ProblemData } from '../../core/bridge.ts'
import { isAbsent } from '../../core/problems.ts'
import { missingScope } from '../../core/servers/power.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { now } from '../../ui/base/now.ts'

/** In ms. Older readings are not shown. */
const OLD = 20_000

/** What a server uses now. */
export class CurrentUse {
  readonly #server: ServerState
  #last = $state.raw<Sample | null>(null)
  #missing = $state.raw<ProblemData | null>(null)

  constructor(server: ServerState) {
    this.#server = server
  }

  /** False if the service, or this account there, has no statistics. */
  get isOffered(): boolean {
    const isAllowed = missingScope(this.#server.server?.role, ['stats.read']) === null
    return isAllowed && !isAbsent(this.#missing)
  }

  get cpu(): number | null {
    return this.#current?.cpu ?? null
  }

  get memory(): number | null {
    return this.#current?.memory ?? null
  }

  get #current(): Sample | null {
    const last = this.#server.isOnline ? this.#last : null
    return last && now() - last.at <= OLD ? last : null
  }

  start(): Stop {
    const { connectionId, serverId } = this.#server
    const isMine = (event: { connectionId: string; serverId: string }) =>
      event.connectionId === connectionId && event.serverId === serverId
    const stops = [
      on('sample', (event) => {
        if (isMine(event)) this.#last = event.sample
      }),
      on('statistics', (event) => {
        if (isMine(event)) this.#missing = event.problem
      }),
    ]
    void call('servers.samples', { connectionId, serverId }).then(
      ({ samples, problem }) => {
        this.#last ??= samples.at(-1) ?? null
        this.#missing = problem
      },
      // The graphs say why.
      () => undefined,
    )
    return () => stops.forEach((stop) => stop())
  }
}
