import type { ScheduleEvent } from '../../contract/areas/schedule-values.ts'
import type { Clock } from '../base/clock.ts'
import type { PlayerNews } from '../runtime/online-players.ts'
import type { RuntimeStatusInput } from '../runtime/types.ts'
import type { ScheduleRow } from '../store/schedules.ts'
import type { SchedulePorts } from './ports.ts'

interface RunningServer {
  status: RuntimeStatusInput['status']
  on: number
  /** Monotonic ms; null while somebody is on. */
  emptySince: number | null
  /** Rules that ran for this emptiness. */
  ran: Set<string>
}

interface EventPorts extends Pick<SchedulePorts, 'runtime'> {
  clock: Pick<Clock, 'elapsed'>
  /** Enabled rules of the server with this event. */
  rulesFor: (serverId: string, event: ScheduleEvent) => { rule: ScheduleRow; since: number }[]
  happened: (rule: ScheduleRow) => void
  /** `nextEmpty` may be another. */
  again: () => void
}

const MINUTE = 60_000
const RAN: ReadonlySet<unknown> = new Set(['starting', 'online', 'stopping'])

/** Notices what rules of events wait for. */
export class RuleEvents {
  readonly #ports: EventPorts
  /** Running servers. */
  readonly #watched = new Map<string, RunningServer>()
  readonly #stops: (() => void)[]

  constructor(ports: EventPorts) {
    this.#ports = ports
    const { runtime } = ports
    this.#stops = [
      runtime.onStatus((serverId, { status }) => this.#status(serverId, status)),
      runtime.onPlayerNews((serverId, news) => this.#news(serverId, news)),
    ]
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#watched.clear()
  }

  forget(serverId: string): void {
    this.#watched.delete(serverId)
  }

  tell(serverId: string, event: ScheduleEvent): void {
    for (const { rule } of this.#ports.rulesFor(serverId, event)) this.#ports.happened(rule)
  }

  /** Runs what has been waiting for emptiness long enough; returns how many ms until the next, or null. */
  look(): number | null {
    let next: number | null = null
    for (const [serverId, watched] of this.#watched) {
      const { emptySince, ran } = watched
      if (emptySince === null) continue
      for (const { rule, since } of this.#ports.rulesFor(serverId, 'empty')) {
        if (ran.has(rule.id)) continue
        const due = Math.max(emptySince, since) + (rule.when.minutes ?? 0) * MINUTE
        const left = due - this.#ports.clock.elapsed()
        if (left > 0) next = Math.min(next ?? left, left)
        else {
          ran.add(rule.id)
          this.#ports.happened(rule)
        }
      }
    }
    return next
  }

  #status(serverId: string, status: RuntimeStatusInput['status']): void {
    const before = this.#watched.get(serverId)
    if (!RAN.has(status)) this.#watched.delete(serverId)
    else {
      const isOnline = status === 'online'
      const emptySince = isOnline ? this.#ports.clock.elapsed() : null
      this.#watched.set(serverId, { status, on: 0, emptySince, ran: new Set() })
    }
    if (status === before?.status) return
    // Offline after an installation was not on before.
    if (status === 'online' || status === 'crashed' || (status === 'offline' && before))
      this.tell(serverId, status)
    this.#ports.again()
  }

  #news(serverId: string, { kind }: PlayerNews): void {
    const watched = this.#watched.get(serverId)
    if (watched?.status !== 'online' || (kind !== 'joined' && kind !== 'left')) return
    const before = watched.on
    watched.on = this.#ports.runtime.status(serverId)?.players?.online ?? 0
    watched.emptySince = watched.on > 0 ? null : (watched.emptySince ?? this.#ports.clock.elapsed())
    if (watched.on > 0) watched.ran.clear()
    this.tell(serverId, kind)
    for (const { rule } of this.#ports.rulesFor(serverId, 'players'))
      if (crossed(rule.when, before, watched.on)) this.#ports.happened(rule)
    this.#ports.again()
  }
}

function crossed({ over, under }: ScheduleRow['when'], before: number, now: number): boolean {
  if (over !== undefined) return before <= over && now > over
  return under !== undefined && before >= under && now < under
}
