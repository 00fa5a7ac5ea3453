import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Import } from '../../../contract/areas/imports.ts'
import type { AgingClock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { DetectedEncoding } from '../../files/archives/names/entry-names.ts'
import { type JobProgress, Omissions } from '../../files/jobs.ts'
import { asRefusal, notHere } from '../../files/names/refusals.ts'
import { type RefusalReport, refusal, Refusal } from '../../../host/refusal.ts'
import type { Draft, ImportDrafts } from './drafts.ts'
import {
  extractSent,
  type InspectedUpload,
  inspectUpload,
  removeSent,
  type SentUpload,
} from './inspect-upload.ts'

export interface ImportsPorts {
  drafts: ImportDrafts
  files: Pick<AllServerFiles, 'of' | 'forget'>
  clock: AgingClock
  log: Logger
  /** Whether a server waits for the modpack uploaded to an import. */
  changes: { isAwaited: (importId: string) => boolean }
  breakOff: (id: string) => Promise<unknown>
  /** First free port from this one up; null: from the first game port. */
  freePort: (wish: number | null) => Promise<number | null>
}

/** Imports per account, not counting those a server waits for. One more ends the oldest. */
const MOST = 5
/** Same with quotas: each import has its own. */
const MOST_OF_QUOTA = 2
const MOST_LOOKS = 2
/** Unused imports are kept for this many ms of observed uptime. */
const KEPT_MS = 24 * 60 * 60 * 1000
const SWEEP_MS = 60 * 60 * 1000

interface Inspection {
  kind: 'extracting' | 'looking'
  done: number
  total: number | null
  abort: AbortController
  ended: Promise<void>
}

/** Lost at a restart; the upload is then inspected again. */
type State =
  | { kind: 'waiting' }
  | Inspection
  | { kind: 'ready'; found: InspectedUpload; archive: string | null }
  | { kind: 'failed'; error: RefusalReport }

export class Imports {
  readonly #ports: ImportsPorts
  readonly #states = new Map<string, State>()
  readonly #going = new Set<string>()
  readonly #held = new Map<string, number>()
  readonly #sweeping: NodeJS.Timeout

  constructor(ports: ImportsPorts) {
    this.#ports = ports
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_MS)
    this.#sweeping.unref()
    this.sweep()
  }

  isThere(id: string): boolean {
    return this.#ports.drafts.byId(id) !== null
  }

  isGoing(id: string): boolean {
    return this.#going.has(id)
  }

  /**
   * Ends the account's least recently used imports beyond the maximum. Rejects with 409 `imports.too-many` if all are
   * in use.
   */
  async begin(ownerId: string): Promise<Draft> {
    const { drafts, files, changes } = this.#ports
    const begun = await drafts.begin(ownerId)
    const most = files.of(begun.id).space.quotaBytes === null ? MOST : MOST_OF_QUOTA
    // No await from counting to marking, so that parallel calls respect the maximum.
    const own = drafts.of(ownerId).filter(({ id }) => !this.#going.has(id) && !changes.isAwaited(id))
    const others = own.filter(({ id }) => id !== begun.id && !this.#held.has(id))
    others.sort((a, b) => Number(isBusy(this.#states.get(a.id))) - Number(isBusy(this.#states.get(b.id))))
    const beyond = others.slice(0, Math.max(0, own.length - most))
    const isOneTooMany = own.length - beyond.length > most
    if (isOneTooMany) beyond.push(begun)
    await Promise.all(beyond.map(({ id }) => this.#letGo(id)))
    if (isOneTooMany) throw areInUse()
    return begun
  }

  /** Counts as a use. Throws 404 `imports.not-found`, 409 `imports.busy`. */
  require(ownerId: string, id: string): Draft {
    const { drafts } = this.#ports
    const draft = drafts.byId(id)
    if (draft?.ownerId === ownerId) {
      drafts.use(id)
      if (!this.#going.has(id)) return draft
      throw isGoing()
    }
    throw notHere()
  }

  /** Returns how to release it. Throws 404 `imports.not-found`, 409 `imports.busy`. */
  hold(id: string): () => void {
    if (!this.isThere(id)) throw notHere()
    if (this.#going.has(id)) throw isGoing()
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1)
    return () => {
      const left = this.#held.get(id)! - 1
      if (left > 0) this.#held.set(id, left)
      else this.#held.delete(id)
    }
  }

  /** Throws 409 `imports.busy` if in use or awaited by a server. */
  requireUnused(id: string): void {
    if (this.#isUsed(id)) throw isUsed()
  }

  view(id: string): z.input<typeof Import> {
    const state = this.#states.get(id) ?? { kind: 'waiting' as const }
    switch (state.kind) {
      case 'waiting':
        return { id, state: 'waiting' }
      case 'ready':
        return { id, state: 'ready', found: state.found }
      case 'failed':
        return { id, state: 'failed', error: state.error }
      case 'extracting':
      case 'looking':
        return { id, state: state.kind, doneBytes: state.done, totalBytes: state.total }
    }
  }

  /** Starts the inspection. Throws 409 `imports.busy`, `imports.too-many`. */
  look(draft: Draft, sent: SentUpload | null): void {
    if (isBusy(this.#states.get(draft.id))) throw isChecked()
    const others = this.#ports.drafts.of(draft.ownerId).filter(({ id }) => isBusy(this.#states.get(id)))
    if (others.length >= MOST_LOOKS) throw refusal(409, 'imports.too-many.extracted', { most: MOST_LOOKS })
    const state: Inspection = {
      kind: sent === null ? 'looking' : 'extracting',
      ...{ done: 0, total: null, abort: new AbortController(), ended: Promise.resolve() },
    }
    this.#states.set(draft.id, state)
    state.ended = this.#look(draft.id, sent, state)
  }

  /** Same object until inspected again. Throws 409 `imports.not-ready`. */
  requireFound(id: string): InspectedUpload {
    const state = this.#states.get(id)
    if (state?.kind === 'ready') return state.found
    throw refusal(409, 'imports.not-ready')
  }

  /**
   * Makes a server of an inspected import, which then ends; it stays if `make` rejects. Rejects with 409
   * `imports.busy`.
   */
  async conclude<T>(id: string, make: () => Promise<T>): Promise<T> {
    if (this.#going.has(id)) throw isGoing()
    if (isBusy(this.#states.get(id))) throw isChecked()
    this.requireUnused(id)
    this.#going.add(id)
    let made: T
    try {
      await this.#ports.breakOff(id)
      const state = this.#states.get(id)
      if (state?.kind === 'ready' && state.archive !== null)
        await removeSent(this.#ports.files.of(id), state.archive)
      made = await make()
    } finally {
      this.#going.delete(id)
    }
    await this.#letGo(id)
    return made
  }

  /** Files that cannot be deleted now go at the next start. */
  async end(id: string): Promise<void> {
    const { drafts, files, breakOff, log } = this.#ports
    this.#going.add(id)
    try {
      const state = this.#states.get(id)
      if (isBusy(state)) {
        state.abort.abort()
        await state.ended
      }
      await breakOff(id)
      this.#states.delete(id)
      const gone = drafts.end(id)
      files.forget(id)
      await gone.catch((error: unknown) =>
        log.warn({ err: error, importId: id }, 'an import could not be deleted'),
      )
    } finally {
      this.#going.delete(id)
    }
  }

  async endUnused(id: string): Promise<void> {
    if (this.#isFree(id)) await this.#letGo(id)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    for (const state of this.#states.values()) {
      if (!isBusy(state)) continue
      state.abort.abort()
      await state.ended
    }
  }

  async #look(id: string, sent: SentUpload | null, state: Inspection): Promise<void> {
    const { files, log, freePort } = this.#ports
    const { signal } = state.abort
    const omissions = new Omissions()
    let count = 0
    let names: DetectedEncoding | null = null
    const progress: JobProgress = {
      signal,
      total: (bytes) => void (state.total = bytes),
      add(bytes, more) {
        state.done += bytes
        count += more
      },
      leaveOut: (name, reason) => omissions.add(name, reason),
      namesRead: (read) => void (names = read),
      finish: () => signal.throwIfAborted(),
    }
    try {
      const own = files.of(id)
      if (sent) await extractSent(own, sent, progress)
      state.kind = 'looking'
      const found = await inspectUpload(own, signal)
      const { count: leftOut, named } = omissions
      const about = sent && { files: count, bytes: state.done, leftOut, omissions: [...named], names }
      this.#states.set(id, {
        kind: 'ready',
        found: { ...found, ...about, freePort: await freePort(found.port ?? null) },
        archive: names && sent ? sent.archive : null,
      })
    } catch (thrown) {
      const error = asRefusal(thrown, '')
      if (signal.aborted) return void this.#states.set(id, { kind: 'waiting' })
      if (!(error instanceof Refusal))
        log.error({ err: error, importId: id }, 'an import could not be looked at')
      this.#states.set(id, {
        kind: 'failed',
        error:
          error instanceof Refusal
            ? error.asTold
            : {
                code: 'service.failed',
                message: `The service had an internal error. Its log says more under ${id}.`,
              },
      })
    }
  }

  #isFree(id: string): boolean {
    return !this.#going.has(id) && !isBusy(this.#states.get(id)) && !this.#isUsed(id)
  }

  #isUsed(id: string): boolean {
    return this.#held.has(id) || this.#ports.changes.isAwaited(id)
  }

  /** Failures are only logged: nobody requested this. */
  async #letGo(id: string): Promise<void> {
    await this.end(id).catch((error: unknown) =>
      this.#ports.log.error({ err: error, importId: id }, 'an import could not be ended'),
    )
  }

  sweep(): void {
    const { drafts, clock, log } = this.#ports
    const now = clock.seen()
    try {
      for (const { id, usedSeen } of drafts.all())
        if (now - usedSeen > KEPT_MS && this.#isFree(id)) void this.#letGo(id)
    } catch (error) {
      log.warn({ err: error }, 'it could not be found out which imports nobody comes back to')
    }
  }
}

const isBusy = (state: State | undefined): state is Inspection =>
  state?.kind === 'extracting' || state?.kind === 'looking'

const isGoing = () => refusal(409, 'imports.busy')
const isUsed = () => refusal(409, 'imports.busy.pack')
const areInUse = () => refusal(409, 'imports.too-many')
const isChecked = () => refusal(409, 'imports.busy.checked')
