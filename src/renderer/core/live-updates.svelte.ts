import { createSubscriber } from 'svelte/reactivity'
import type { LiveUpdates as Now } from '../../contract/bridge/values.ts'
import { call, on, onReach } from './bridge.ts'
import { number } from '../messages/format.ts'
import { t } from '../messages/t.svelte.ts'

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

  /** Why and how often data is polled; null while it is pushed. */
  get words(): string | null {
    this.#subscribe()
    const asked = this.#now?.asked
    if (!asked) return null
    return `${t(`live.${asked.why}`)} ${t('live.every', { seconds: number(asked.every) })}`
  }
}
