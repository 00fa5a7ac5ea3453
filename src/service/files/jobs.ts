import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { isoTime, type Clock } from '../base/clock.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import type { FileJobInput } from '../runtime/types.ts'
import type { DetectedEncoding } from './archives/names/entry-names.ts'
import type { Omission } from '../../contract/areas/values/file-values.ts'

/** Progress interval in ms; start and end are reported immediately. */
const TELL_MS = 250
const REMEMBERED = 20
const REMEMBERED_MS = 60 * 60 * 1000

export interface JobProgress {
  /** Aborted on cancellation or when the server is deleted. */
  readonly signal: AbortSignal
  total(bytes: number | null, files: number | null): void
  add(bytes: number, files: number): void
  /** `name`: path in the archive or the server's folder. */
  leaveOut(name: string, reason: OmissionReason): void
  /** The archive's names weren't Unicode; reports how they were decoded. */
  namesRead(names: DetectedEncoding): void
  /** Disables cancellation: the rest is short and shouldn't be left half done. */
  finish(): void
}

interface Job {
  accountId: string
  view: FileJobInput
  abort: AbortController
  finishing: boolean
  ended: Promise<void>
  endedAt: number | null
}

interface JobRunnerOptions {
  clock: Clock
  log: Logger
  tell: (serverId: string, job: FileJobInput) => void
}

/** Long file operations. They don't survive a restart, and leave nothing half done. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #atOnce: number
  readonly #jobs = new Map<string, Map<string, Job>>()

  /** @param atOnce parallel jobs per account */
  constructor(options: JobRunnerOptions, atOnce: number) {
    this.#atOnce = atOnce
    this.#options = options
  }

  /** `run` must clean up when it rejects. Throws 409 `files.jobs-full`. */
  start(
    { accountId, serverId }: { accountId: string; serverId: string },
    kind: 'archive' | 'extract',
    path: string,
    run: (progress: JobProgress) => Promise<void>,
  ): FileJobInput {
    const own = this.#jobs.get(serverId) ?? new Map<string, Job>()
    this.#jobs.set(serverId, own)
    this.#forgetOld(own)
    const running = [...this.#jobs.values()].flatMap((jobs) => [...jobs.values()])
    if (running.filter((job) => job.endedAt === null && job.accountId === accountId).length >= this.#atOnce)
      throw refusal(409, 'files.jobs-full', { most: this.#atOnce })
    const { clock } = this.#options
    const job: Job = {
      accountId,
      view: {
        id: randomUUID(),
        kind,
        state: 'running',
        path,
        doneBytes: 0,
        totalBytes: null,
        doneFiles: 0,
        totalFiles: null,
        leftOut: 0,
        omissions: [],
        startedAt: isoTime(clock.now()),
        endedAt: null,
        error: null,
      },
      abort: new AbortController(),
      finishing: false,
      ended: Promise.resolve(),
      endedAt: null,
    }
    own.set(job.view.id, job)
    const first = { ...job.view }
    this.#options.tell(serverId, first)
    job.ended = this.#run(serverId, job, run)
    return first
  }

  list(serverId: string): FileJobInput[] {
    const own = this.#jobs.get(serverId)
    if (!own) return []
    this.#forgetOld(own)
    return [...own.values()].map((job) => ({ ...job.view })).reverse()
  }

  /** Waits for the cleanup. Throws 404 `files.job-not-found`, 409 `files.job-ending`. */
  async cancel(serverId: string, id: string): Promise<void> {
    const job = this.#jobs.get(serverId)?.get(id)
    if (!job) throw refusal(404, 'files.job-not-found')
    if (job.endedAt !== null) return
    if (job.finishing) throw refusal(409, 'files.job-ending')
    job.abort.abort()
    await job.ended
  }

  async endAll(serverId: string): Promise<void> {
    const own = [...(this.#jobs.get(serverId)?.values() ?? [])]
    for (const job of own) job.abort.abort()
    await Promise.all(own.map((job) => job.ended))
    this.#jobs.delete(serverId)
  }

  /** Cancels an account's jobs on a server where still possible. */
  endOf(serverId: string, accountId: string): void {
    for (const job of this.#jobs.get(serverId)?.values() ?? [])
      if (job.accountId === accountId && job.endedAt === null) job.abort.abort()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#jobs.keys()].map((serverId) => this.endAll(serverId)))
  }

  async #run(serverId: string, job: Job, run: (progress: JobProgress) => Promise<void>): Promise<void> {
    const { view, abort } = job
    const { clock, log, tell } = this.#options
    const omissions = new Omissions()
    let due = false
    const changed = () => {
      if (due) return
      due = true
      setTimeout(() => {
        due = false
        if (view.state === 'running') tell(serverId, { ...view })
      }, TELL_MS).unref()
    }
    try {
      await run({
        signal: abort.signal,
        total(bytes, files) {
          view.totalBytes = bytes
          view.totalFiles = files
          changed()
        },
        add(bytes, files) {
          view.doneBytes = (view.doneBytes ?? 0) + bytes
          view.doneFiles = (view.doneFiles ?? 0) + files
          changed()
        },
        leaveOut(name, reason) {
          omissions.add(name, reason)
          view.leftOut = omissions.count
          view.omissions = [...omissions.named]
          changed()
        },
        namesRead: (names) => void (view.names = names),
        finish() {
          abort.signal.throwIfAborted()
          job.finishing = true
        },
      })
      view.state = 'done'
    } catch (error) {
      view.state = abort.signal.aborted ? 'cancelled' : 'failed'
      if (view.state === 'failed') {
        if (!(error instanceof Refusal)) log.error({ err: error, serverId, job: view.id }, 'job failed')
        view.error =
          error instanceof Refusal
            ? error.asTold
            : {
                code: 'service.failed',
                message: `The service had an internal error. Its log says more under ${view.id}.`,
              }
      }
    }
    job.endedAt = clock.elapsed()
    view.endedAt = isoTime(clock.now())
    tell(serverId, { ...view })
  }

  #forgetOld(own: Map<string, Job>): void {
    const ended = [...own.entries()].filter(([, job]) => job.endedAt !== null)
    const tooMany = ended.length - REMEMBERED
    for (const [index, [id, job]] of ended.entries()) {
      const age = this.#options.clock.elapsed() - (job.endedAt ?? 0)
      if (index < tooMany || age > REMEMBERED_MS) own.delete(id)
    }
  }
}

export type OmissionReason = Extract<Omission['reason'], string>

const NAMED_MOST = 20
const END_CHARS = 150

export class Omissions {
  count = 0
  named: readonly { name: string; reason: OmissionReason }[] = []

  add(name: string, reason: OmissionReason): void {
    this.count++
    if (this.named.length >= NAMED_MOST) return
    const isLong = name.length > 2 * END_CHARS
    const short = isLong ? `${name.slice(0, END_CHARS)}…${name.slice(-END_CHARS)}` : name
    this.named = [...this.named, { name: short.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed(), reason }]
  }
}
