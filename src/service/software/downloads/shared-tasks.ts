import { unlessAborted } from '../../../contract/rules/lanes.ts'
import { refusal } from '../../../host/refusal.ts'

/** Bytes; the total may be unknown. */
export type ProgressListener = (done: number, total: number | null) => void

/** Reports a pause requested by a host, in seconds. */
export type PauseListener = (host: string, seconds: number) => void

export interface TaskSubscriber {
  /** Cancels for this caller only. */
  signal: AbortSignal
  onProgress?: ProgressListener | undefined
  onWaiting?: PauseListener | undefined
  /** Called once if another caller already started it. */
  onShared?: (() => void) | undefined
}

interface Task<T> {
  result: Promise<T>
  ended: Promise<void>
  abort: AbortController
  waiting: Set<TaskSubscriber>
  /** Joined later, and don't know yet whether there is anything to download. */
  later: Set<TaskSubscriber>
  last: Parameters<ProgressListener> | null
}

type TaskFunction<T> = (signal: AbortSignal, tell: ProgressListener, tellWaiting: PauseListener) => Promise<T>

/** Shares one task per key. It is aborted when its last caller cancels; a new one waits until it has ended. */
export class SharedTasks<T> {
  readonly #tasks = new Map<string, Task<T>>()
  #closed = false

  has(key: string): boolean {
    return this.#tasks.has(key)
  }

  /** Rejects as the task does, or with the own signal's reason. */
  async join(key: string, begin: TaskFunction<T>, wanted: TaskSubscriber): Promise<T> {
    for (;;) {
      wanted.signal.throwIfAborted()
      if (this.#closed) throw stopping()
      const there = this.#tasks.get(key)
      const task = there ?? this.#begin(key, begin)
      if (!task.abort.signal.aborted) return this.#wait(task, wanted, there !== undefined)
      await unlessAborted(task.ended, wanted.signal)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const tasks = [...this.#tasks.values()]
    for (const { abort } of tasks) abort.abort(stopping())
    await Promise.all(tasks.map(({ ended }) => ended))
  }

  #begin(key: string, begin: TaskFunction<T>): Task<T> {
    const abort = new AbortController()
    const waiting = new Set<TaskSubscriber>()
    const tell: ProgressListener = (done, total) => {
      task.last = [done, total]
      tellShared(task)
      for (const { onProgress } of waiting) onProgress?.(done, total)
    }
    const tellWaiting: PauseListener = (host, seconds) => {
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

  async #wait(task: Task<T>, wanted: TaskSubscriber, isLater: boolean): Promise<T> {
    task.waiting.add(wanted)
    if (isLater) task.later.add(wanted)
    tellShared(task)
    if (task.last) wanted.onProgress?.(...task.last)
    try {
      return await unlessAborted(task.result, wanted.signal)
    } finally {
      task.waiting.delete(wanted)
      task.later.delete(wanted)
      if (task.waiting.size === 0) task.abort.abort()
      // The last caller to cancel waits for the end.
      if (wanted.signal.aborted && task.waiting.size === 0) await task.ended
    }
  }
}

/** Not reported if the file is complete and only verified. */
function tellShared({ last, later }: Pick<Task<unknown>, 'last' | 'later'>): void {
  if (!last || last[0] === last[1]) return
  for (const { onShared } of later) onShared?.()
  later.clear()
}

const stopping = () => refusal(503, 'service.stopping')
