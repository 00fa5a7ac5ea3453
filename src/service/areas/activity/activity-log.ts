import type { Logger } from 'pino'
import { type AgingClock, isoTime } from '../../base/clock.ts'
import type { ServerWrite } from '../../http/serve.ts'
import type { EntryFilter, EntryPosition, EntryRow, NewEntry } from '../../store/activity.ts'
import type { Store } from '../../store/store.ts'
import { type WriteSummary, notedOf } from './entry.ts'

/** In days of observed uptime. */
const ACTIVITY_DAYS = 90
const KEPT_MS = ACTIVITY_DAYS * 24 * 60 * 60 * 1000
/** Identical entries within this many ms are merged. */
const SAME_MS = 60_000
const REMEMBERED = 5000
/** Batch interval in ms: a single write costs as much as twenty together. */
const WRITE_MS = 200
/** Beyond this, as on a full disk, the oldest are dropped and counted. */
const WAITING_MOST = 2000
const EXPORTED_MOST = 10_000
/** Interval of removing old entries, and pause between its steps, in ms. */
const SWEEP_MS = 60 * 60 * 1000
const STEP_MS = 20

interface ActivityPorts {
  store: Pick<Store, 'activity' | 'accounts' | 'inOneStep'>
  clock: AgingClock
  log: Logger
}

type AutomaticEntry = Pick<NewEntry, 'area' | 'action'> &
  Partial<Pick<WriteSummary, 'result' | 'reason' | 'kind' | 'targets'>>

interface PendingEntry {
  serverId: string
  said: string
  name: string
  entry: NewEntry
  /** Null until written, or if the server is gone. */
  id: number | null
  written: boolean
}

export class ActivityLog {
  readonly #ports: ActivityPorts
  readonly #sweeping: NodeJS.Timeout
  readonly #lately = new Map<string, PendingEntry>()
  readonly #begun = new Map<string, PendingEntry>()
  #waiting: PendingEntry[] = []
  #lost = 0
  #writing: NodeJS.Timeout | null = null
  #step: NodeJS.Timeout | null = null

  constructor(ports: ActivityPorts) {
    this.#ports = ports
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_MS).unref()
    this.sweep()
  }

  /** Returns whether it was logged. Never throws. */
  take(write: ServerWrite): boolean {
    return this.#noting(() => {
      const noted = notedOf(write)
      if (!noted) return false
      const by = { actor: write.by.accountId, address: write.address, rule: null }
      const job = jobOf(write)
      if (job === null) this.#add(write.serverId, noted, by)
      else remember(this.#begun, job, this.#addNew(write.serverId, noted, by))
      return true
    })
  }

  /** Logs an act of the service. Never throws. */
  takeOwn(
    serverId: string,
    { result = 'done', reason = null, kind = null, ...did }: AutomaticEntry,
  ): boolean {
    const targets = did.targets ?? []
    const noted = { ...did, result, reason, kind, targets, count: targets.length }
    return this.#noting(() => {
      this.#add(serverId, noted, { actor: '', address: null, rule: null })
      return true
    })
  }

  /** Logs an act of a rule, for its author. Never throws. */
  takeOfRule(
    serverId: string,
    { rule, author }: { rule: string; author: string },
    { result = 'done', reason = null, kind = null, ...did }: AutomaticEntry,
  ): boolean {
    const targets = did.targets ?? []
    const noted = { ...did, result, reason, kind, targets, count: targets.length }
    return this.#noting(() => {
      this.#addNew(serverId, noted, { actor: author, address: null, rule })
      return true
    })
  }

  /** Ends a job's entry; returns whether it was logged. Never throws. */
  ended(job: string, result: WriteSummary['result'], reason: string | null): boolean {
    return this.#noting(() => {
      const begun = this.#begun.get(job)
      if (!begun) return false
      this.#begun.delete(job)
      if (!begun.written) Object.assign(begun.entry, { result, reason })
      else if (begun.id !== null) this.#ports.store.activity.end(begun.id, result, reason)
      return true
    })
  }

  page(serverId: string, filter: EntryFilter, before: EntryPosition, limit: number): EntryRow[] {
    this.write()
    return this.#ports.store.activity.page(serverId, filter, before, limit)
  }

  people(serverId: string, after: string, limit: number): { actor: string; name: string }[] {
    this.write()
    return this.#ports.store.activity.people(serverId, after, limit)
  }

  exportOf(accountId: string) {
    this.write()
    const rows = this.#ports.store.activity.ofActor(accountId, EXPORTED_MOST + 1)
    return {
      activity: rows.slice(0, EXPORTED_MOST).map(({ at, ...did }) => ({ at: isoTime(at), ...did })),
      activityIsComplete: rows.length <= EXPORTED_MOST,
    }
  }

  sweep(): void {
    if (this.#step !== null) return
    const step = () => {
      this.#step = null
      const { store, clock, log } = this.#ports
      try {
        const more = store.inOneStep(() => store.activity.sweepStep(clock.seen() - KEPT_MS))
        if (more) this.#step = setTimeout(step, STEP_MS).unref()
      } catch (error) {
        log.warn({ err: error }, 'old activity could not be removed')
      }
    }
    this.#step = setTimeout(step, STEP_MS).unref()
  }

  close(): void {
    clearInterval(this.#sweeping)
    if (this.#step) clearTimeout(this.#step)
    this.write()
    if (this.#writing) clearTimeout(this.#writing)
  }

  #noting(note: () => boolean): boolean {
    try {
      return note()
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'activity could not be noted')
      return false
    }
  }

  /** Adds or merges an entry: repeated refusals once a minute, repeated acts until the actor does something else. */
  #add(serverId: string, noted: WriteSummary, by: Pick<NewEntry, 'actor' | 'address' | 'rule'>): void {
    const { store, clock } = this.#ports
    const said = JSON.stringify([serverId, by, noted])
    const isKept = noted.result === 'refused' || noted.result === 'failed'
    const place = isKept ? said : JSON.stringify([serverId, by.actor])
    const before = this.#lately.get(place)
    if (before?.said === said && clock.seen() - before.entry.seen < SAME_MS) {
      if (!before.written) before.entry.times++
      else if (before.id !== null) store.activity.again(before.id)
      return
    }
    remember(this.#lately, place, this.#addNew(serverId, noted, by, said))
  }

  #addNew(
    serverId: string,
    noted: WriteSummary,
    by: Pick<NewEntry, 'actor' | 'address' | 'rule'>,
    said = '',
  ): PendingEntry {
    const { store, clock } = this.#ports
    const entry = { ...noted, ...by, at: clock.now(), seen: clock.seen(), times: 1 }
    const name = by.actor === '' ? '' : (store.accounts.byId(by.actor)?.name ?? '')
    const waiting: PendingEntry = { serverId, said, name, entry, id: null, written: false }
    this.#waiting.push(waiting)
    if (this.#waiting.length > WAITING_MOST) {
      this.#waiting.shift()
      this.#lost++
    }
    this.#writing ??= setTimeout(() => this.write(), WRITE_MS).unref()
    return waiting
  }

  /** On failure, as on a full disk, entries keep waiting. */
  write(): void {
    const { store, log } = this.#ports
    if (this.#writing) clearTimeout(this.#writing)
    this.#writing = null
    if (this.#waiting.length === 0) return
    try {
      const ids = store.inOneStep(() =>
        this.#waiting.map(({ serverId, entry, name }) => store.activity.add(serverId, entry, name)),
      )
      for (const [at, one] of this.#waiting.entries()) Object.assign(one, { id: ids[at], written: true })
      this.#waiting = []
      if (this.#lost > 0) log.error({ lost: this.#lost }, 'activity was lost while it could not be written')
      this.#lost = 0
    } catch (error) {
      log.warn({ err: error, waiting: this.#waiting.length }, 'activity could not be written')
    }
  }
}

function jobOf({ op, answer }: ServerWrite): string | null {
  const id = (answer as { id?: unknown } | null | undefined)?.id
  return op.status === 202 && typeof id === 'string' ? id : null
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest)
}
