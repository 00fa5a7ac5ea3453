import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { dueTimes } from '../../schedules/due-times.ts'
import type { OverdueRow } from '../../store/backups.ts'
import type { ScheduleRow } from '../../store/schedules.ts'
import type { Store } from '../../store/store.ts'

/** Also the time that a rule has for what was missed while the service was off. */
const CHECK_MS = 60 * 60 * 1000
const OVERDUE_MS = 3 * 24 * 60 * 60 * 1000

interface BackupWatchOptions {
  store: Pick<Store, 'backups' | 'schedules'>
  sources: { backupOverdue(serverId: string): void }
  clock: Pick<Clock, 'now'>
  log: Logger
}

/** Tells once, persisted, that a backup is overdue; again only after one was made. */
export class BackupWatch {
  readonly #options: BackupWatchOptions
  readonly #timer: NodeJS.Timeout

  constructor(options: BackupWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref()
  }

  /** Never throws. */
  check(): void {
    const { store, log } = this.#options
    try {
      const rules = Map.groupBy(store.schedules.all().filter(makesBackups), ({ serverId }) => serverId)
      const watched = new Map(store.backups.watched().map((row) => [row.serverId, row]))
      for (const serverId of watched.keys()) if (!rules.has(serverId)) store.backups.unwatch(serverId)
      for (const [serverId, own] of rules) this.#look(serverId, own, watched.get(serverId))
    } catch (error) {
      log.warn({ err: error }, 'overdue backups could not be found out')
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(serverId: string, own: readonly ScheduleRow[], known: OverdueRow | undefined): void {
    const { store, sources, clock } = this.#options
    const now = clock.now()
    const rules = JSON.stringify(own.map(({ when }) => [when.cron, when.timeZone]))
    const newest = store.backups.newestAt(serverId) ?? 0
    const before = known?.rules === rules ? known : { serverId, rules, since: now, told: null }
    const told = before.told !== null && newest > before.told ? null : before.told
    const last = Math.max(before.since, newest)
    const isOverdue = told === null && own.some((rule) => isLate(rule, last, now))
    const row = { ...before, told: isOverdue ? now : told }
    if (row.told !== known?.told || known.rules !== rules) store.backups.watch(row)
    if (isOverdue) sources.backupOverdue(serverId)
  }
}

/** By the clock alone. One that was paused should too. */
const makesBackups = ({ enabled, paused, when, only, steps }: ScheduleRow): boolean =>
  (enabled || paused !== null) &&
  when.cron !== undefined &&
  !only &&
  steps.some(({ kind }) => kind === 'backup')

function isLate({ when: { cron = '', timeZone = '' } }: ScheduleRow, last: number, now: number): boolean {
  const due = dueTimes(cron, timeZone).after(last)
  return due !== null && now - due >= OVERDUE_MS
}
