import type { GrantedScopes } from '../base/access.ts'
import { refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'
import { lackFor } from '../../contract/rules/schedules.ts'
import type { RunCause, RunRow, ScheduleRow, StepOutcome, Sentence, RuleText } from '../store/schedules.ts'
import { performStep, type RunState } from './perform.ts'
import type { SchedulePorts } from './ports.ts'
import { isQuiet } from '../../contract/rules/quiet-hours.ts'
import type { RuntimeStatusInput } from '../runtime/types.ts'

interface ActiveRun {
  run: RunRow
  abort: AbortController
  ended: Promise<void>
}

export interface RunnerPorts extends SchedulePorts {
  /** As it is now; null if it is gone. */
  ruleOf: (id: string) => ScheduleRow | null
  /** Turns it off. */
  pause: (rule: ScheduleRow, why: Sentence) => void
}

/** Such steps would undo each other's work. */
const ALONE: ReadonlySet<string> = new Set(['power', 'update-extensions', 'backup', 'try-backup'])

/** Runs rules: each once at a time, and those that would disturb each other in a line per server. */
export class Runner {
  readonly #ports: RunnerPorts
  readonly #active = new Map<string, ActiveRun>()
  readonly #line = new RunLine()

  constructor(ports: RunnerPorts) {
    this.#ports = ports
  }

  isActive(ruleId: string): boolean {
    return this.#active.has(ruleId)
  }

  /** Null if it ran for that time already. */
  begin(rule: ScheduleRow, cause: Pick<RunRow, 'due' | 'cause' | 'account' | 'missed'>): RunRow | null {
    const run = this.note(rule, { ...cause, result: 'waiting', error: null })
    if (!run) return null
    const active: ActiveRun = { run, abort: new AbortController(), ended: Promise.resolve() }
    this.#active.set(rule.id, active)
    const work = () => this.#run(rule.id, active)
    const isAlone = rule.steps.some(({ kind }) => ALONE.has(kind))
    active.ended = (isAlone ? this.#line.take(rule.serverId, work) : Promise.resolve().then(work)).finally(
      () => this.#active.delete(rule.id),
    )
    return run
  }

  note(
    { id, serverId }: Pick<ScheduleRow, 'id' | 'serverId'>,
    what: Pick<RunRow, 'due' | 'cause' | 'account' | 'missed' | 'result' | 'error'>,
  ): RunRow | null {
    const { store, clock, told } = this.#ports
    const at = clock.now()
    const endedAt = what.result === 'waiting' ? null : at
    const run = store.schedules.addRun({
      ...{ scheduleId: id, at, endedAt, seen: clock.seen(), steps: [] },
      ...what,
    })
    if (run) told.changed(serverId)
    return run
  }

  /** Resolves when it has ended. */
  async end(ruleId: string): Promise<void> {
    const active = this.#active.get(ruleId)
    active?.abort.abort(new Error('The run was ended'))
    await active?.ended
  }

  async close(): Promise<void> {
    await Promise.all([...this.#active.keys()].map((id) => this.end(id)))
  }

  /** Never rejects. */
  async #run(ruleId: string, { run, abort }: ActiveRun): Promise<void> {
    const { log, told } = this.#ports
    let rule = this.#ports.ruleOf(ruleId)
    try {
      const why = rule && this.#whyNot(rule, run.cause)
      if (!rule || why) return this.#ended(rule, run, 'skipped', why)
      run.result = 'running'
      this.#save(rule, run)
      const isFailed = await this.#steps(rule, run, abort.signal)
      rule = this.#ports.ruleOf(ruleId)
      this.#ended(rule, run, isFailed ? 'failed' : 'done')
      if (rule) told.ended(rule, run)
    } catch (error) {
      // The next start of the service tells of it.
      if (this.#ports.isStopping()) return
      if (!abort.signal.aborted) log.error({ err: error, ruleId }, 'a schedule was interrupted')
      this.#ended(rule, run, 'interrupted')
    }
  }

  #whyNot(rule: ScheduleRow, cause: RunCause): Sentence | null {
    const { runtime, clock } = this.#ports
    this.#requireRunning()
    // Whoever runs it by hand wants it now.
    if (cause === 'person') return null
    if (!rule.enabled) return refusalText('schedules.off')
    return unmet(rule.only, runtime.status(rule.serverId), clock.now())
  }

  /** Returns whether one failed. */
  async #steps(rule: ScheduleRow, run: RunRow, signal: AbortSignal): Promise<boolean> {
    const { told } = this.#ports
    const state: RunState = { updated: false }
    let isFailed = false
    let isOver = false
    for (const [at, step] of rule.steps.entries()) {
      this.#requireRunning()
      signal.throwIfAborted()
      const lost = isOver ? null : this.#lost(rule)
      if (lost) {
        run.error = lost
        this.#ports.pause(rule, lost)
        isFailed = isOver = true
      }
      const outcome: StepOutcome = isOver
        ? { kind: step.kind, result: 'not-run' }
        : await performStep(this.#ports, rule, step, state, signal)
      // What fails while the service stops fails because of that.
      if (outcome.result === 'failed') this.#requireRunning()
      run.steps.push(outcome)
      this.#save(rule, run)
      if (outcome.result !== 'not-run') told.did(rule, at, outcome)
      if (outcome.result !== 'failed') continue
      isFailed = true
      isOver = step.onFailure === 'stop'
    }
    return isFailed
  }

  /** Why its author may no longer do it; null if they may. */
  #lost({ author, serverId, steps }: ScheduleRow): Sentence | null {
    const { store, access } = this.#ports
    const server = store.servers.byId(serverId)
    const held: GrantedScopes = server && access.held(author, server)
    const lack = lackFor(held, steps)
    if (lack === null) return null
    const name = store.accounts.byId(author)?.name ?? '?'
    return lack === 'owner'
      ? refusalText('schedules.paused.gone', { author: name })
      : refusalText('schedules.paused', { author: name, scopes: lack.join(', ') })
  }

  #requireRunning(): void {
    if (this.#ports.isStopping()) throw new Error('The service is stopping')
  }

  #ended(rule: ScheduleRow | null, run: RunRow, result: RunRow['result'], error = run.error): void {
    const why = error && { sentence: error.sentence, values: error.values }
    Object.assign(run, { result, error: why, endedAt: this.#ports.clock.now() })
    if (rule) this.#save(rule, run)
  }

  /** On a full disk the run goes on. */
  #save({ serverId }: Pick<ScheduleRow, 'serverId'>, run: RunRow): void {
    const { store, log, told } = this.#ports
    try {
      store.schedules.changeRun(run)
    } catch (error) {
      log.warn({ err: error, serverId }, 'what a schedule did could not be saved')
    }
    told.changed(serverId)
  }
}

/** The first condition that is not met; null if all are. */
function unmet(only: RuleText['only'], status: RuntimeStatusInput | null, now: number): RefusalText | null {
  if (!only) return null
  const on = status?.players?.online ?? 0
  if (only.online && status?.status !== 'online') return refusalText('schedules.unmet.online')
  if (only.players === 'none' && on > 0) return refusalText('schedules.unmet.none')
  if (only.players === 'some' && on === 0) return refusalText('schedules.unmet.some')
  if (!only.between || isQuiet(only.between, now)) return null
  const { begins, ends } = only.between
  return refusalText('schedules.unmet.between', { begins, ends })
}

/** Work of a server that would disturb each other, one after the other. */
class RunLine {
  readonly #last = new Map<string, Promise<void>>()

  /** `work` never rejects. */
  take(serverId: string, work: () => Promise<void>): Promise<void> {
    const mine = (this.#last.get(serverId) ?? Promise.resolve()).then(work)
    this.#last.set(serverId, mine)
    return mine.finally(() => {
      if (this.#last.get(serverId) === mine) this.#last.delete(serverId)
    })
  }
}
