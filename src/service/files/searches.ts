import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { refusal, Refusal } from '../base/refusal.ts'
import type { Hit, SearchWish } from './search.ts'
import type { SearchAnswer, SearchRequest } from './search-worker.ts'
import type { ServerFiles } from './server-files.ts'

/** The thread ends when nothing was searched for so long, in milliseconds: it holds some megabytes. */
const IDLE_MS = 30_000
/** Most memory of the thread, in MiB. */
const MEMORY_MB = 128

/** Beside the bundle in a build, the source next to this file in tests and in development. */
function workerFile(): URL {
  const built = new URL('./search-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./search-worker.ts', import.meta.url)
}

/** Searches off the main thread. */
export class Searches {
  readonly #waiting = new Map<number, { resolve: (hits: Hit[]) => void; reject: (error: Error) => void }>()
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  #nextId = 1

  /** Throws what `search` throws, and 503 `files.search-ended` where the thread ended. */
  run(files: ServerFiles, wish: SearchWish, signal: AbortSignal, mostMs?: number): Promise<Hit[]> {
    if (signal.aborted) return Promise.resolve([])
    const { serverId, root, staging, trash } = files
    const id = this.#nextId++
    const worker = (this.#worker ??= this.#start())
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    const cancel = () => worker.postMessage({ kind: 'cancel', id } satisfies SearchRequest)
    signal.addEventListener('abort', cancel, { once: true })
    const found = new Promise<Hit[]>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    worker.postMessage({
      kind: 'search',
      id,
      folders: { serverId, root, staging, trash },
      wish,
      ...(mostMs !== undefined && { mostMs }),
    } satisfies SearchRequest)
    return found.finally(() => {
      signal.removeEventListener('abort', cancel)
      if (this.#waiting.size > 0) return
      // Several may end at once: only one of them is to let go of the thread.
      if (this.#idle) clearTimeout(this.#idle)
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#giveUp()
    await worker?.terminate()
  }

  #giveUp(): void {
    for (const { reject } of this.#waiting.values()) reject(ended())
    this.#waiting.clear()
  }

  #start(): Worker {
    const started = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    // The service may end whatever is searched.
    started.unref()
    const fail = () => {
      // One that was let go of has nobody waiting for it any more.
      if (this.#worker !== started) return
      this.#worker = null
      this.#giveUp()
    }
    started.on('error', fail)
    started.on('exit', fail)
    started.on('message', (answer: SearchAnswer) => {
      const asked = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (answer.kind === 'found') asked?.resolve(answer.hits)
      else if (answer.kind === 'failed') asked?.reject(new Error(answer.error))
      else asked?.reject(Refusal.again(answer.status, answer.told))
    })
    return started
  }
}

const ended = () => refusal(503, 'files.search-ended')
