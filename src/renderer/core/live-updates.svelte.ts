import { createSubscriber } from 'svelte/reactivity'
import type { LiveUpdates as Now } from '../../contract/bridge/values.ts'
import { call, on, onReach } from './bridge.ts'
import { number } from '../messages/format.ts'
import { t } from '../messages/t.svelte.ts'

/** How a connection's live updates stand, for as long as something on the screen reads it. */
export class LiveUpdates {
  #now = $state.raw<Now | null>(null)
  readonly #subscribe: () => void

  constructor(connectionId: string) {
    const ask = () => {
      void call('console.live', { connectionId }).then(
        (now) => (this.#now = now),
        () => undefined,
      )
    }
    this.#subscribe = createSubscriber(() => {
      const stops = [
        on('live', (event) => {
          if (event.connectionId === connectionId) this.#now = event.now
        }),
        onReach((reached) => {
          if (reached) ask()
        }),
      ]
      return () => stops.forEach((stop) => stop())
    })
  }

  /** Why what is shown is asked for instead of told, and how often; null while it is told. */
  get words(): string | null {
    this.#subscribe()
    const asked = this.#now?.asked
    if (!asked) return null
    return `${t(`live.${asked.why}`)} ${t('live.every', { seconds: number(asked.every) })}`
  }
}
