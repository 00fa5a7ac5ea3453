import { refusalText } from '../../contract/messages/refusals/index.ts'
import type { Stop } from '../base/change.ts'
import type { ScheduleRow } from '../store/schedules.ts'
import { dueTimes, passed } from './due-times.ts'
import type { SchedulePorts } from './ports.ts'
import type { Runner } from './runner.ts'

/** The clock can be set at any time, so it is looked at this often, in ms. */
const LOOK_MS = 60_000
/** What is later than this was missed. */
const LATE_MS = 5 * 60_000
/** A clock set back by more than this was wrong before. */
const WRONG_MS = 25 * 60 * 60_000

interface DuePorts extends Pick<
  SchedulePorts,
  'store' | 'clock' | 'timers' | 'log' | 'access' | 'isStopping'
> {
  runner: Pick<Runner, 'begin' | 'note' | 'isActive'>
  rules: () => Iterable<ScheduleRow>
  save: (rule: ScheduleRow) => void
  /** What else is due; returns the ms until the next, or null. */
  alsoLook: () => number | null
}

/** Begins what is due. */
export class DueRules {
  readonly #ports: DuePorts
  #stop: Stop | null = null
  #closed = false
  #looking = false

  constructor(ports: DuePorts) {
    this.#ports = ports
  }

  /** With its next time; that of `before` stays if nothing else has changed. */
  planned(rule: ScheduleRow, before: ScheduleRow | null = null): ScheduleRow {
    const now = this.#ports.clock.now()
    if (!rule.enabled || rule.when.cron === undefined) return { ...rule, nextAt: null, plannedAt: now }
    if (before?.nextAt && before.when === rule.when) return rule
    return { ...rule, nextAt: this.#nextOf(rule, now), plannedAt: now }
  }

  /** Looks now, and again when something is due. */
  again(): void {
    if (this.#closed || this.#looking) return
    this.#stop?.()
    this.#stop = this.#ports.timers.after(0, () => this.#look())
  }

  close(): void {
    this.#closed = true
    this.#stop?.()
  }

  #look(): void {
    const { clock, rules, alsoLook, log, isStopping } = this.#ports
    if (isStopping()) return
    this.#looking = true
    let next = LOOK_MS
    const now = clock.now()
    // What fails, as on a full disk, is tried again with the next look.
    const soon = (rule: ScheduleRow | null, look: () => number | null) => {
      try {
        next = Math.min(next, look() ?? LOOK_MS)
      } catch (error) {
        log.warn({ err: error, ruleId: rule?.id }, 'a schedule that may be due could not be run')
      }
    }
    const left = (at: number | null) => at && at - now
    for (const rule of rules()) soon(rule, () => left(this.#lookAt(rule, now)))
    soon(null, alsoLook)
    this.#looking = false
    if (!this.#closed) this.#stop = this.#ports.timers.after(Math.max(1, next), () => this.#look())
  }

  /** Returns when it is due next. */
  #lookAt(rule: ScheduleRow, now: number): number | null {
    const { save, access } = this.#ports
    if (rule.nextAt === null || access.isGoing(rule.serverId)) return null
    // Between now and `plannedAt` everything was dealt with already, unless that clock was wrong.
    if (rule.plannedAt - now > WRONG_MS) {
      const nextAt = this.#nextOf(rule, now)
      save({ ...rule, nextAt, plannedAt: now })
      return nextAt
    }
    return rule.nextAt > now ? rule.nextAt : this.#begin(rule, rule.nextAt, now)
  }

  #begin(rule: ScheduleRow, due: number, now: number): number | null {
    const { store, runner, save } = this.#ports
    const { cron = '', timeZone = '' } = rule.when
    const times = dueTimes(cron, timeZone)
    const { count, last } = passed(times, due, now)
    const isLate = now - last > LATE_MS
    const nextAt = times.after(Math.max(now, last))
    const cause = { due: last, cause: 'time', account: null } as const
    store.inOneStep(() => {
      save({ ...rule, nextAt, plannedAt: now })
      if (runner.isActive(rule.id)) {
        const error = refusalText('schedules.still-running')
        const { sentence, values } = error
        runner.note(rule, { ...cause, missed: 0, result: 'skipped', error: { sentence, values } })
      } else if (isLate && rule.missed === 'skip')
        runner.note(rule, { ...cause, missed: count, result: 'missed', error: null })
      else runner.begin(rule, { ...cause, missed: isLate ? count : count - 1 })
    })
    return nextAt
  }

  #nextOf({ id, when: { cron = '', timeZone = '' } }: ScheduleRow, now: number): number | null {
    const times = dueTimes(cron, timeZone)
    let at = times.after(now)
    while (at !== null && this.#ports.store.schedules.ranFor(id, at)) at = times.after(at)
    return at
  }
}
