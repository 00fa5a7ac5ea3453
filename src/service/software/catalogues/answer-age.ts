import { AsyncLocalStorage } from 'node:async_hooks'

const ages = new AsyncLocalStorage<{ oldest: number | null }>()

/**
 * Does something that asks catalogues, and tells of which time the answer is where a catalogue was out of reach and a kept
 * answer had to do: ISO 8601, of the oldest that was used; null where all are of now.
 */
export async function withAge<T>(ask: () => Promise<T>): Promise<{ value: T; asOf: string | null }> {
  const age = { oldest: null as number | null }
  const value = await ages.run(age, ask)
  return { value, asOf: age.oldest === null ? null : new Date(age.oldest).toISOString() }
}

/** A kept answer has to do. @param at when it was given, in ms since 1970 */
export function noteKept(at: number): void {
  const age = ages.getStore()
  if (age) age.oldest = Math.min(age.oldest ?? at, at)
}
