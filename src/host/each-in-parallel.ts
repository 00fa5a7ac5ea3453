/** Bounded concurrency, results in order. The first failure aborts the rest and is thrown when all have ended. */
export async function eachInParallel<T, R>(
  all: readonly T[],
  atOnce: number,
  outer: AbortSignal,
  act: (one: T, at: number, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const ended = new AbortController()
  const signal = AbortSignal.any([outer, ended.signal])
  let next = 0
  const work = async () => {
    while (next < all.length) {
      signal.throwIfAborted()
      const at = next++
      results[at] = await act(all[at]!, at, signal)
    }
  }
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, all.length) }, () =>
      work().catch((error: unknown) => {
        ended.abort(error)
        throw error
      }),
    ),
  )
  outer.throwIfAborted()
  for (const worker of workers) if (worker.status === 'rejected') throw ended.signal.reason as Error
  return results
}
