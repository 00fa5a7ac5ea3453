import { createSubscriber } from 'svelte/reactivity'

const step = 15_000

const tick = createSubscriber((update) => {
  const timer = setInterval(update, step)
  return () => clearInterval(timer)
})

/** Current time in ms; reactive, updates every 15 s while in use. */
export function now(): number {
  tick()
  return Date.now()
}
