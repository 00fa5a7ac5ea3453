import { createSubscriber } from 'svelte/reactivity'
import type { Relocation } from '../../../contract/bridge/relocation-calls.ts'
import type { Transfer, Transfers } from '../../../contract/bridge/transfer-values.ts'
import { call, on, onReach } from '../../core/bridge.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { notifyProblem } from '../../ui/feedback/notices.svelte.ts'

/** Moves of one server, newest last; live while something renders them. Failed acts become notices. */
export class ServerRelocations {
  readonly #server: ServerState
  #all = $state.raw<readonly Relocation[]>([])
  #transfers = $state.raw<readonly Transfer[]>([])
  readonly #subscribe: () => void

  constructor(server: ServerState) {
    this.#server = server
    this.#subscribe = createSubscriber(() => {
      const heard = ({ items }: Transfers) => (this.#transfers = items)
      const read = () => {
        void call('relocations.list').then((all) => (this.#all = all), notifyProblem)
        void call('transfers.list').then(heard, () => undefined)
      }
      const stops = [
        on('relocations', (all) => (this.#all = all)),
        on('transfers', heard),
        onReach((reached) => reached && read()),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    })
  }

  get all(): readonly Relocation[] {
    this.#subscribe()
    const { connectionId, serverId } = this.#server
    return this.#all.filter(({ from }) => from.connectionId === connectionId && from.serverId === serverId)
  }

  transferOf({ transferId }: Relocation): Transfer | null {
    this.#subscribe()
    return this.#transfers.find(({ id }) => id === transferId) ?? null
  }

  retry = ({ id }: Relocation): Promise<void> => during(() => call('relocations.retry', { id }))
  cancel = ({ id }: Relocation): Promise<void> => during(() => call('relocations.cancel', { id }))
  forget = ({ id }: Relocation): Promise<void> => during(() => call('relocations.forget', { id }))
}

async function during(act: () => Promise<unknown>): Promise<void> {
  await act().catch((thrown: unknown) => notifyProblem(thrown))
}
