import { isStopped } from '../../contract/rules/stopped.ts'
import type { View } from '../../contract/bridge/values.ts'

const MOST_MS = 5_000

/** Freshly read. Null if the service fails or does not respond in time. Never rejects. */
export async function runningServers(
  read: () => Promise<View<{ items: { status?: unknown }[] }>>,
  limit: AbortSignal = AbortSignal.timeout(MOST_MS),
): Promise<number | null> {
  const tooLong = Promise.withResolvers<null>()
  limit.addEventListener('abort', () => tooLong.resolve(null), { once: true })
  const view = await Promise.race([read().catch(() => null), tooLong.promise])
  if (!view?.value || view.problem) return null
  return view.value.items.filter(({ status }) => !isStopped(status)).length
}
