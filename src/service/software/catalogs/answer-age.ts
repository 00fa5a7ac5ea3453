import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestContext } from '../../http/serve.ts'

const ages = new AsyncLocalStorage<{ mostMs: number | null }>()

/** Also returns the age in ms of the oldest cached answer used because a catalog was unreachable. */
export async function withAge<T>(ask: () => Promise<T>): Promise<{ value: T; ageMs: number | null }> {
  const age = { mostMs: null as number | null }
  const value = await ages.run(age, ask)
  return { value, ageMs: age.mostMs }
}

export async function answerWithAge<T>(c: Pick<RequestContext, 'header'>, ask: () => Promise<T>): Promise<T> {
  const { value, ageMs } = await withAge(ask)
  // Whole seconds (RFC 9111); 0 would mean current.
  if (ageMs !== null) c.header('Age', String(Math.max(1, Math.round(ageMs / 1000))))
  return value
}

/** Reports a cached answer to `withAge`. @param ms its age */
export function noteKept(ms: number): void {
  const age = ages.getStore()
  if (age) age.mostMs = Math.max(age.mostMs ?? 0, ms)
}
