import { createSubscriber } from 'svelte/reactivity'

const step = 15_000

const tick = createSubscriber((update) => {
  const timer = setInterval(update, step)
  return () => clearInterval(timer)
})

/** The time now in milliseconds. Read in markup it is read again every 15 s, for as long as something shows it. */
export function now(): number {
  tick()
  return Date.now()
}
