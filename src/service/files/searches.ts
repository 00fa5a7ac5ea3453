import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { refusal, Refusal } from '../../host/refusal.ts'
import type { Hit, SearchWish } from './search.ts'
import type { SearchAnswer, SearchRequest } from './search-worker.ts'
import type { ServerFiles } from './server-files.ts'

/** The thread uses several MB, so it ends after this many idle ms. */
const IDLE_MS = 30_000
const MEMORY_MB = 128

function workerFile(): URL {
  const built = new URL('./search-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./search-worker.ts', import.meta.url)
}

export class Searches {
  readonly #waiting = new Map<number, { resolve: (hits: Hit[]) => void; reject: (error: Error) => void }>()
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  #nextId = 1

  /** Throws the errors of `search`, and 503 `files.search-ended` if the thread died. */
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
      // Several may end together; keep a single timer.
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
    // Searching need not keep the service alive.
    started.unref()
    const fail = () => {
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
