import { Dispatcher } from './undici.ts'

export function refuse(handler: Dispatcher.DispatchHandler, fault: Error): void {
  // Nothing was started, so there is no controller.
  handler.onResponseError?.(null as unknown as Dispatcher.DispatchController, fault)
}

/** Routes each request to one of several dispatchers and closes all of them. */
export abstract class SeveralDispatchers extends Dispatcher {
  protected abstract all(): Dispatcher[]

  override close(): Promise<void>
  override close(done: () => void): void
  override close(done?: () => void): Promise<void> | void {
    return ended(
      this.all().map((one) => one.close()),
      done,
    )
  }

  override destroy(): Promise<void>
  override destroy(fault: Error | null): Promise<void>
  override destroy(done: () => void): void
  override destroy(fault: Error | null, done: () => void): void
  override destroy(fault?: Error | null | (() => void), done?: () => void): Promise<void> | void {
    const why = typeof fault === 'function' ? null : (fault ?? null)
    const told = typeof fault === 'function' ? fault : done
    return ended(
      this.all().map((one) => one.destroy(why)),
      told,
    )
  }
}

function ended(all: Promise<void>[], done: (() => void) | undefined): Promise<void> | void {
  const every = Promise.all(all).then(() => {})
  if (!done) return every
  void every.then(done, done)
}
