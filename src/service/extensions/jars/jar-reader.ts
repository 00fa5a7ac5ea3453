import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { FileHashes } from '../catalogs/extension-catalog.ts'
import type { JarReading } from './facts.ts'
import type { JarAnswer, JarFolders, JarRequest } from './jar-worker.ts'

/** The thread ends when nothing was asked for so long, in milliseconds: it holds some megabytes. */
const IDLE_MS = 30_000
/** One jar may take so long, in milliseconds. A large one on a slow disk is hashed in some seconds. */
const JAR_MS = 60_000
/** What a jar says of itself is read in much less, in milliseconds: one that takes longer keeps all others waiting. */
const FACTS_MS = 10_000
/** Most memory of the thread, in MiB. */
const MEMORY_MB = 256

/** Beside the bundle in a build, the source next to this file in tests and in development. */
function workerFile(): URL {
  const built = new URL('./jar-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./jar-worker.ts', import.meta.url)
}

interface Waiting {
  request: JarRequest
  done: (answer: JarAnswer | null) => void
}

/** The request in progress. */
interface Reading extends Waiting {
  account: string
  since: number
}

/**
 * Reads jars off the main thread, one at a time. If one crashes the thread, only that jar is unreadable. The account that has
 * used the least time goes first, so slow jars mostly delay their owner.
 */
export class JarReader {
  readonly #accountOf: (serverId: string) => string
  /** Requests by account. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Milliseconds used by account since the queue was last empty. */
  readonly #spent = new Map<string, number>()
  #now: Reading | null = null
  #worker: Worker | null = null
  #nextId = 1
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(accountOf: (serverId: string) => string) {
    this.#accountOf = accountOf
  }

  /** What a jar says of itself, or why nobody knows; undefined where that may be so only now. */
  async read(folders: JarFolders, path: string): Promise<JarReading | undefined> {
    const answer = await this.#ask({ kind: 'facts', folders, path })
    if (!answer) return this.#closed ? undefined : { facts: null, why: 'too-slow' }
    if (!('facts' in answer)) return undefined
    const { facts, why, broken, fault } = answer
    return { facts, why, broken, fault }
  }

  /** Null where the file cannot be read. */
  async hashes(folders: JarFolders, path: string): Promise<FileHashes | null> {
    const answer = await this.#ask({ kind: 'hashes', folders, path })
    return answer && 'hashes' in answer ? answer.hashes : null
  }

  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    this.#worker = null
    this.#setTimer(null)
    this.#now?.done(null)
    this.#now = null
    for (const { done } of [...this.#waiting.values()].flat()) done(null)
    this.#waiting.clear()
    await worker?.terminate()
  }

  #ask(asked: Omit<JarRequest, 'id'>): Promise<JarAnswer | null> {
    if (this.#closed) return Promise.resolve(null)
    return new Promise((done) => {
      const account = this.#accountOf(asked.folders.serverId)
      const mine = this.#waiting.get(account) ?? []
      mine.push({ request: { ...asked, id: this.#nextId++ }, done })
      this.#waiting.set(account, mine)
      this.#next()
    })
  }

  /** Removes and returns the next request; null if none is waiting. */
  #take(): Reading | null {
    const spentBy = (account: string) => this.#spent.get(account) ?? 0
    const [account] = [...this.#waiting.keys()].sort((a, b) => spentBy(a) - spentBy(b))
    const waiting = account === undefined ? undefined : this.#waiting.get(account)
    const first = waiting?.shift()
    if (account === undefined || !first) return null
    if (waiting?.length === 0) this.#waiting.delete(account)
    return { ...first, account, since: performance.now() }
  }

  #next(): void {
    if (this.#now) return
    this.#now = this.#take()
    if (!this.#now) {
      this.#spent.clear()
      return this.#setTimer(IDLE_MS, () => this.#letGo())
    }
    try {
      this.#worker ??= this.#start()
    } catch {
      // No thread can be had now.
      const { id } = this.#now.request
      return queueMicrotask(() => this.#answered({ id, failed: true }))
    }
    const ms = this.#now.request.kind === 'facts' ? FACTS_MS : JAR_MS
    this.#setTimer(ms, () => this.#letGo())
    const { serverId, root, staging, trash } = this.#now.request.folders
    // Only what can be handed over: who asks has more of it.
    this.#worker.postMessage({ ...this.#now.request, folders: { serverId, root, staging, trash } })
  }

  /** Ends the thread. What it was at cannot be read. */
  #letGo(): void {
    const worker = this.#worker
    this.#worker = null
    void worker?.terminate()
    this.#answered(null)
  }

  #answered(answer: JarAnswer | null): void {
    const now = this.#now
    if (!now) return
    this.#now = null
    this.#spent.set(now.account, (this.#spent.get(now.account) ?? 0) + performance.now() - now.since)
    now.done(answer)
    this.#next()
  }

  #start(): Worker {
    const started = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    // The service may end whatever is read.
    started.unref()
    const fail = () => {
      if (this.#worker !== started) return
      this.#worker = null
      this.#answered(null)
    }
    started.on('error', fail)
    started.on('exit', fail)
    started.on('message', (answer: JarAnswer) => {
      if (this.#worker === started && answer.id === this.#now?.request.id) this.#answered(answer)
    })
    return started
  }

  #setTimer(ms: number | null, act?: () => void): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = ms === null || !act ? null : setTimeout(act, ms).unref()
  }
}
