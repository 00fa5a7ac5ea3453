/** Awaits shared work; an abort ends only this wait. */
export async function unlessAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared
  signal.throwIfAborted()
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
