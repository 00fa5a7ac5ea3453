import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { FileHashes } from '../../../extensions/catalogs/extension-catalog.ts'
import type { JarReading } from '../../../extensions/jars/facts.ts'
import type { JarAnswer, JarFolders, JarRequest } from './jar-worker.ts'

/** The thread uses several MB, so it ends after this many idle ms. */
const IDLE_MS = 30_000
/** Limit per jar in ms; hashing a large one on a slow disk takes some seconds. */
const JAR_MS = 60_000
/** Limit for reading a description in ms, which is much faster; a slow jar blocks all others. */
const FACTS_MS = 10_000
const MEMORY_MB = 256

function workerFile(): URL {
  const built = new URL('./jar-worker.js', import.meta.url)
  return existsSync(built) ? built : new URL('./jar-worker.ts', import.meta.url)
}

interface QueuedRequest {
  request: JarRequest
  done: (answer: JarAnswer | null) => void
}

/** The request in progress. */
interface ActiveRequest extends QueuedRequest {
  account: string
  since: number
}

/** Reads jars one at a time in a thread. A crash affects one jar. Accounts that used the least time go first. */
export class JarReader {
  readonly #accountOf: (serverId: string) => string
  readonly #waiting = new Map<string, QueuedRequest[]>()
  /** Milliseconds used by account since the queue was last empty. */
  readonly #spent = new Map<string, number>()
  #now: ActiveRequest | null = null
  #worker: Worker | null = null
  #nextId = 1
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(accountOf: (serverId: string) => string) {
    this.#accountOf = accountOf
  }

  /** Undefined if the failure may be temporary. */
  async read(folders: JarFolders, path: string): Promise<JarReading | undefined> {
    const answer = await this.#ask({ kind: 'facts', folders, path })
    if (!answer) return this.#closed ? undefined : { facts: null, why: 'too-slow' }
    if (!('facts' in answer)) return undefined
    const { facts, why, broken, fault } = answer
    return { facts, why, broken, fault }
  }

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

  #take(): ActiveRequest | null {
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
      // The thread could not be started.
      const { id } = this.#now.request
      return queueMicrotask(() => this.#answered({ id, failed: true }))
    }
    const ms = this.#now.request.kind === 'facts' ? FACTS_MS : JAR_MS
    this.#setTimer(ms, () => this.#letGo())
    const { serverId, root, staging, trash } = this.#now.request.folders
    // Only what can be cloned: callers pass more.
    this.#worker.postMessage({ ...this.#now.request, folders: { serverId, root, staging, trash } })
  }

  /** The current jar counts as unreadable. */
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
    // Reading need not keep the service alive.
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
