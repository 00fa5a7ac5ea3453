import type { View } from '../../contract/bridge/values.ts'

/** So long it is waited for the service to say what runs, in ms. */
const MOST_MS = 5_000

/**
 * How many of these servers run, as their service says now: what was read earlier is no reason to stop any. Null where it
 * does not answer in time, or with a failure. Never rejects.
 */
export async function runningServers(
  read: () => Promise<View<{ items: { status?: unknown }[] }>>,
  limit: AbortSignal = AbortSignal.timeout(MOST_MS),
): Promise<number | null> {
  const tooLong = Promise.withResolvers<null>()
  limit.addEventListener('abort', () => tooLong.resolve(null), { once: true })
  const view = await Promise.race([read().catch(() => null), tooLong.promise])
  if (!view?.value || view.problem) return null
  return view.value.items.filter(({ status }) => status !== 'offline' && status !== 'crashed').length
}
