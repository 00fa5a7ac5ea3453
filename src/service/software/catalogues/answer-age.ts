import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestContext } from '../../http/serve.ts'

const ages = new AsyncLocalStorage<{ mostMs: number | null }>()

/**
 * Does something that asks catalogues, and tells how old the answer is where a catalogue was out of reach and a kept answer
 * had to do: in ms, of the oldest that was used; null where all are of now.
 */
export async function withAge<T>(ask: () => Promise<T>): Promise<{ value: T; ageMs: number | null }> {
  const age = { mostMs: null as number | null }
  const value = await ages.run(age, ask)
  return { value, ageMs: age.mostMs }
}

/** Answers a request with what catalogues tell. Where that had to be a kept answer, the header `Age` says how old it is. */
export async function answerWithAge<T>(c: Pick<RequestContext, 'header'>, ask: () => Promise<T>): Promise<T> {
  const { value, ageMs } = await withAge(ask)
  // Whole seconds, as RFC 9111 has them; none would say that it is of now.
  if (ageMs !== null) c.header('Age', String(Math.max(1, Math.round(ageMs / 1000))))
  return value
}

/** A kept answer has to do. @param ms how old it is */
export function noteKept(ms: number): void {
  const age = ages.getStore()
  if (age) age.mostMs = Math.max(age.mostMs ?? 0, ms)
}
