import { randomUUID } from 'node:crypto'
import {
  SCHEDULES_MOST,
  type NewSchedule,
  type ScheduleChange,
  type ScheduleEvent,
} from '../../contract/areas/schedule-values.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { lackFor } from '../../contract/rules/schedules.ts'
import type { GrantedScopes } from '../base/access.ts'
import { Counter } from '../../host/counter.ts'
import { refusal } from '../../host/refusal.ts'
import type { RunRow, ScheduleRow, Sentence } from '../store/schedules.ts'
import { checkedRule, kindsFor, type Kinds } from './check-rule.ts'
import { DueRules } from './due-rules.ts'
import type { SchedulePorts } from './ports.ts'
import { RuleEvents } from './rule-events.ts'
import { Runner } from './runner.ts'

/** A rule that starts itself, such as one that restarts whatever comes online, is paused. */
const OFTEN = 10
const OF_STATUS = { burst: OFTEN, perSecond: 1 / 60 }
/** Players come and go as they like: what is more is left out. */
const OF_PLAYERS = { burst: 60, perSecond: 1 }
const PLAYER_EVENTS: ReadonlySet<ScheduleEvent> = new Set(['joined', 'left', 'players'])
const KEPT_MS = 90 * 24 * 60 * 60 * 1000

interface Caller {
  accountId: string
  held: Exclude<GrantedScopes, null>
}

interface KnownRule {
  rule: ScheduleRow
  /** Monotonic ms: since when it has been on as it is. */
  since: number
}

/** The rules of all servers. One timer serves them all. */
export class Schedules {
  readonly #ports: SchedulePorts
  readonly #byServer = new Map<string, Map<string, KnownRule>>()
  readonly #runner: Runner
  readonly #events: RuleEvents
  readonly #due: DueRules
  readonly #ofStatus: Counter
  readonly #ofPlayers: Counter
  #closed = false

  constructor(ports: SchedulePorts) {
    this.#ports = ports
    const elapsed = () => ports.clock.elapsed()
    this.#ofStatus = new Counter(OF_STATUS, elapsed)
    this.#ofPlayers = new Counter(OF_PLAYERS, elapsed)
    for (const rule of ports.store.schedules.all()) this.#know(rule)
    this.#runner = new Runner({
      ...ports,
      ruleOf: (id) => this.#find(id),
      pause: (rule, why) => this.#pause(rule, why),
    })
    this.#events = new RuleEvents({
      ...ports,
      rulesFor: (serverId, event) =>
        this.#known(serverId).filter(({ rule }) => rule.enabled && rule.when.event === event),
      happened: (rule) => this.#happened(rule),
      again: () => this.#due.again(),
    })
    this.#due = new DueRules({
      ...ports,
      runner: this.#runner,
      rules: () => this.#all(),
      save: (rule) => this.#save(rule),
      alsoLook: () => this.#events.look(),
    })
  }

  /** Call once servers can be started. What an earlier start left is not repeated. */
  start(): void {
    const { store, clock, told } = this.#ports
    for (const run of store.schedules.interrupt(clock.now())) {
      const rule = this.#find(run.scheduleId)
      if (rule) told.ended(rule, run)
    }
    while (store.schedules.sweepRuns(clock.seen() - KEPT_MS));
    this.#due.again()
  }

  kinds(serverId: string): Kinds {
    const { store, runtime, updates } = this.#ports
    const softwareId = store.servers.byId(serverId)?.softwareId
    const isProxy = runtime.catalog().some(({ id, isProxy }) => id === softwareId && isProxy)
    return kindsFor({ chat: !isProxy, extensions: updates.isOffered(serverId) })
  }

  list(serverId: string): ScheduleRow[] {
    return this.#known(serverId).map(({ rule }) => rule)
  }

  /** Throws 404. */
  of(serverId: string, id: string): ScheduleRow {
    const found = this.#byServer.get(serverId)?.get(id)?.rule
    if (!found) throw refusal(404, 'schedules.not-found')
    return found
  }

  create(serverId: string, { name, enabled, ...text }: NewSchedule, caller: Caller): ScheduleRow {
    const { store, clock } = this.#ports
    if (this.#known(serverId).length >= SCHEDULES_MOST)
      throw refusal(409, 'schedules.too-many', { most: SCHEDULES_MOST })
    const rule: ScheduleRow = {
      ...{ id: randomUUID(), serverId, name, enabled, author: caller.accountId, paused: null },
      ...checkedRule(text, this.kinds(serverId), clock.now()),
      ...{ nextAt: null, plannedAt: clock.now() },
    }
    this.#require(serverId, rule, caller)
    return store.inOneStep(() => this.#save(this.#due.planned(rule)))
  }

  /** Whoever changes what it does, or turns it on, becomes its author and needs what its steps need. */
  change(serverId: string, id: string, wish: ScheduleChange, caller: Caller): ScheduleRow {
    const { store, clock } = this.#ports
    const before = this.of(serverId, id)
    const { name = before.name, enabled = before.enabled } = wish
    const { when = before.when, steps = before.steps, missed = before.missed } = wish
    const only = wish.only === undefined ? before.only : (wish.only ?? undefined)
    const isOther = [wish.when, wish.steps, wish.missed, wish.only].some((part) => part !== undefined)
    const turnsOn = enabled && !before.enabled
    if (!isOther && !turnsOn)
      return store.inOneStep(() => this.#save(this.#due.planned({ ...before, name, enabled }, before)))
    const text = checkedRule(
      { when, ...(only && { only }), steps, missed },
      this.kinds(serverId),
      clock.now(),
    )
    const { only: _, ...rest } = before
    const rule: ScheduleRow = { ...rest, ...text, name, enabled, author: caller.accountId, paused: null }
    this.#require(serverId, rule, caller)
    return store.inOneStep(() => this.#save(this.#due.planned(rule, before)))
  }

  remove(serverId: string, id: string): void {
    this.of(serverId, id)
    this.#ports.store.schedules.remove(id)
    this.#byServer.get(serverId)?.delete(id)
    void this.#runner.end(id)
    this.#due.again()
  }

  /** Throws 403, 404, 409 `schedules.running`. */
  run(serverId: string, id: string, caller: Caller): RunRow {
    const rule = this.of(serverId, id)
    this.#require(serverId, rule, caller)
    const run = this.#runner.isActive(id)
      ? null
      : this.#runner.begin(rule, { due: null, cause: 'person', account: caller.accountId, missed: 0 })
    if (!run) throw refusal(409, 'schedules.running')
    return run
  }

  runs(serverId: string, id: string, before: number, limit: number): RunRow[] {
    this.of(serverId, id)
    return this.#ports.store.schedules.runs(id, before, limit)
  }

  tell(serverId: string, event: 'backup-failed'): void {
    this.#events.tell(serverId, event)
  }

  /** Resolves when none of its rules runs any more. */
  async endAll(serverId: string): Promise<void> {
    await Promise.all(this.#known(serverId).map(({ rule }) => this.#runner.end(rule.id)))
  }

  forget(serverId: string): void {
    this.#byServer.delete(serverId)
    this.#events.forget(serverId)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#due.close()
    this.#events.close()
    await this.#runner.close()
  }

  #require(serverId: string, { steps }: Pick<ScheduleRow, 'steps'>, { held }: Caller): void {
    const lack = lackFor(held, steps)
    if (lack === null) return
    const server = this.#ports.store.servers.byId(serverId)?.name ?? ''
    if (lack === 'owner') throw refusal(403, 'server.forbidden.owner', { server })
    const those = { server, scopes: lack.join(', ') }
    throw refusal(403, lack.length === 1 ? 'server.forbidden' : 'server.forbidden.some', those)
  }

  #happened(rule: ScheduleRow): void {
    if (this.#closed || this.#ports.isStopping() || this.#ports.access.isGoing(rule.serverId)) return
    if (this.#runner.isActive(rule.id)) return
    const isOfPlayers = PLAYER_EVENTS.has(rule.when.event!)
    if ((isOfPlayers ? this.#ofPlayers : this.#ofStatus).take(rule.id) > 0) {
      if (!isOfPlayers) this.#pause(rule, refusalText('schedules.paused.often', { most: OFTEN }))
      return
    }
    this.#runner.begin(rule, { due: null, cause: 'event', account: null, missed: 0 })
  }

  #pause({ id }: ScheduleRow, { sentence, values }: Sentence): void {
    // It may have been changed while it ran.
    const rule = this.#find(id)
    if (!rule) return
    const paused = { ...rule, enabled: false, nextAt: null, paused: { sentence, values } }
    this.#save(paused)
    this.#ports.told.paused(paused)
  }

  #save(rule: ScheduleRow): ScheduleRow {
    this.#ports.store.schedules.save(rule)
    this.#know(rule)
    this.#due.again()
    this.#ports.told.changed(rule.serverId)
    return rule
  }

  #know(rule: ScheduleRow): void {
    const rules = this.#byServer.get(rule.serverId) ?? new Map<string, KnownRule>()
    const before = rules.get(rule.id)
    const isSame = before?.rule.enabled === rule.enabled && before.rule.when === rule.when
    rules.set(rule.id, { rule, since: isSame ? before.since : this.#ports.clock.elapsed() })
    this.#byServer.set(rule.serverId, rules)
  }

  #known(serverId: string): KnownRule[] {
    return [...(this.#byServer.get(serverId)?.values() ?? [])]
  }

  *#all(): Iterable<ScheduleRow> {
    for (const rules of this.#byServer.values()) for (const { rule } of [...rules.values()]) yield rule
  }

  #find(id: string): ScheduleRow | null {
    for (const rules of this.#byServer.values()) {
      const known = rules.get(id)
      if (known) return known.rule
    }
    return null
  }
}
