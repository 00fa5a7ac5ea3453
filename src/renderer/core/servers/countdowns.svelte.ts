import { createSubscriber } from 'svelte/reactivity'
import type { Countdown, ServerRef } from '../../../contract/bridge/values.ts'
import { call, on, onReach } from '../bridge.ts'

let all = $state.raw<readonly Countdown[]>([])

const follow = createSubscriber(() => {
  const stops = [
    on('countdowns', (now) => (all = now)),
    onReach((reached) => {
      if (reached)
        call('servers.countdowns').then(
          (now) => (all = now),
          () => undefined,
        )
    }),
  ]
  return () => stops.forEach((stop) => stop())
})

/** The countdown of a server while its players are warned. */
export function countdownOf({ connectionId, serverId }: ServerRef): Countdown | null {
  follow()
  return all.find((one) => one.connectionId === connectionId && one.serverId === serverId) ?? null
}
