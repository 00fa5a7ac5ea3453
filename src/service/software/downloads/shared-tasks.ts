import { refusal } from '../../base/refusal.ts'

/** How far something has come, in bytes; the total may not be known. */
export type TellProgress = (done: number, total: number | null) => void

/** Says that a host wants to be left alone for so many seconds, and that it is waited for. */
export type TellWaiting = (host: string, seconds: number) => void

/** One of those who want it. */
export interface Wanted {
  /** Ends the waiting of this one. */
  signal: AbortSignal
  onProgress?: TellProgress | undefined
  onWaiting?: TellWaiting | undefined
  /** Told once where it comes already for somebody else. */
  onShared?: (() => void) | undefined
}

interface Task<T> {
  result: Promise<T>
  /** Resolves once nothing of it goes on; never rejects. */
  ended: Promise<void>
  abort: AbortController
  waiting: Set<Wanted>
  /** Those who came to it later, and do not know yet whether anything still has to come. */
  later: Set<Wanted>
  last: Parameters<TellProgress> | null
}

type Begin<T> = (signal: AbortSignal, tell: TellProgress, tellWaiting: TellWaiting) => Promise<T>

/**
 * What several may want at the same time is done once. Who gives up ends no other's waiting; with the last of them the task
 * is ended too, and a new one for the same key begins only after nothing of the old one goes on.
 */
export class SharedTasks<T> {
  readonly #tasks = new Map<string, Task<T>>()
  #closed = false

  /** Whether something is done for this key. */
  has(key: string): boolean {
    return this.#tasks.has(key)
  }

  /** Joins what is being done for a key, or begins it. Rejects as the task does, and with the reason of its own signal. */
  async join(key: string, begin: Begin<T>, wanted: Wanted): Promise<T> {
    for (;;) {
      wanted.signal.throwIfAborted()
      if (this.#closed) throw stopping()
      const there = this.#tasks.get(key)
      const task = there ?? this.#begin(key, begin)
      if (!task.abort.signal.aborted) return this.#wait(task, wanted, there !== undefined)
      await until(task.ended, wanted.signal)
    }
  }

  /** Ends all of it, and waits until nothing goes on. */
  async close(): Promise<void> {
    this.#closed = true
    const tasks = [...this.#tasks.values()]
    for (const { abort } of tasks) abort.abort(stopping())
    await Promise.all(tasks.map(({ ended }) => ended))
  }

  #begin(key: string, begin: Begin<T>): Task<T> {
    const abort = new AbortController()
    const waiting = new Set<Wanted>()
    const tell: TellProgress = (done, total) => {
      task.last = [done, total]
      tellShared(task)
      for (const { onProgress } of waiting) onProgress?.(done, total)
    }
    const tellWaiting: TellWaiting = (host, seconds) => {
      for (const { onWaiting } of waiting) onWaiting?.(host, seconds)
    }
    const result = begin(abort.signal, tell, tellWaiting)
    const gone = () => void this.#tasks.delete(key)
    const task: Task<T> = {
      result,
      ended: result.then(gone, gone),
      abort,
      waiting,
      later: new Set(),
      last: null,
    }
    this.#tasks.set(key, task)
    return task
  }

  async #wait(task: Task<T>, wanted: Wanted, isLater: boolean): Promise<T> {
    task.waiting.add(wanted)
    if (isLater) task.later.add(wanted)
    tellShared(task)
    if (task.last) wanted.onProgress?.(...task.last)
    try {
      return await until(task.result, wanted.signal)
    } finally {
      task.waiting.delete(wanted)
      task.later.delete(wanted)
      if (task.waiting.size === 0) task.abort.abort()
      // The last one who gives up leaves nothing going on behind.
      if (wanted.signal.aborted && task.waiting.size === 0) await task.ended
    }
  }
}

/** What is only looked at again, since it is here, nobody waits for. */
function tellShared({ last, later }: Pick<Task<unknown>, 'last' | 'later'>): void {
  if (!last || last[0] === last[1]) return
  for (const { onShared } of later) onShared?.()
  later.clear()
}

const stopping = () => refusal(503, 'service.stopping')

/** Waits for a promise until a signal ends the waiting; rejects with its reason then. */
async function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  try {
    return await new Promise<T>((resolve, reject) => {
      stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop)
      promise.then(resolve, reject)
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
