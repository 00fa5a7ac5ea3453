import type { Connection, PowerAction, Server, ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, type ProblemData, send } from '../../../core/bridge.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { powerReason } from '../../../core/servers/power.ts'
import { inWords } from '../../../core/problems.ts'
import { statusKind, type StatusKind } from '../../../core/servers/status.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'

/** Why, as plain data: it is kept for a window that is loaded anew, and put into words in the language of then. */
export type Reason =
  | { is: 'gone' | 'not-accepted' | 'canceled' | 'reloaded' }
  /** What it did, what the account may do, and whether its service was reached, when it was its turn. */
  | { is: 'power'; status: StatusKind; role: Server['role']; reach: Connection['state']['kind'] }
  | { is: 'problem'; problem: ProblemData }

/** What became of one server of several. */
export type Result =
  | { kind: 'waiting' }
  | { kind: 'sending' }
  /** Its service has taken it. */
  | { kind: 'accepted' }
  /** What it is doing now, what the account may not do, or the person left it out: nothing was sent. */
  | { kind: 'left-out'; why: Reason }
  /** It is known that nothing was sent. */
  | { kind: 'not-sent'; why: Reason }
  /** Its service refused it, or failed. */
  | { kind: 'failed'; why: Reason }
  /** It was sent, or (where `sent` is false) may have been, and nobody knows what came of it. */
  | { kind: 'unsure'; sent: boolean; why: Reason }

/** A server of a run. */
export interface RunItem extends ServerRef {
  /** As it was called when the run began: it may be gone since. */
  name: string
  result: Result
}

/** A run as it is kept for a window that is loaded anew: plain data. */
export interface RunRecord {
  action: PowerAction
  items: readonly RunItem[]
}

/** Requests that are under way at the same time. */
const AT_ONCE = 4

/** A power action for several servers, a few at a time. */
export class PowerRun {
  readonly action: PowerAction
  #items = $state.raw<readonly RunItem[]>([])
  #going = $state(0)
  readonly #ended: () => void
  readonly #changed: () => void

  /**
   * @param ended called whenever nothing is under way any more
   * @param changed called whenever something became of a server
   */
  constructor(
    action: PowerAction,
    servers: readonly ServerRef[],
    ended: () => void,
    changed: () => void = () => {},
  ) {
    this.action = action
    this.#ended = ended
    this.#changed = changed
    this.#items = servers.map(({ connectionId, serverId }) => {
      const name = panel.server(connectionId, serverId)?.name ?? serverId
      return { connectionId, serverId, name, result: { kind: 'waiting' } }
    })
  }

  /** A run that a window left behind when it was loaded anew: what was not sent then was never sent. */
  static left({ action, items }: RunRecord, ended: () => void, changed: () => void = () => {}): PowerRun {
    const run = new PowerRun(action, items, ended, changed)
    const why: Reason = { is: 'reloaded' }
    const resultOf = (result: Result): Result => {
      if (result.kind === 'waiting') return { kind: 'not-sent', why }
      return result.kind === 'sending' ? { kind: 'unsure', sent: true, why } : result
    }
    run.#items = items.map((item) => ({ ...item, result: resultOf(item.result) }))
    return run
  }

  get record(): RunRecord {
    return { action: this.action, items: this.#items }
  }

  get items(): readonly RunItem[] {
    return this.#items
  }

  get isGoing(): boolean {
    return this.#going > 0
  }

  count(...kinds: Result['kind'][]): number {
    return this.#items.filter(({ result }) => kinds.includes(result.kind)).length
  }

  /** How many can be tried again. Of what may have been done nobody knows whether it should be. */
  get retryable(): number {
    return this.count('failed', 'not-sent')
  }

  /** Sends what waits. Never throws. */
  begin(): void {
    // Each takes the next one as soon as it is free.
    const free = Math.min(AT_ONCE, this.count('waiting')) - this.#going
    for (let at = 0; at < free; at++) void this.#work()
  }

  /** Tries again what is known not to have been done, and only that. */
  retry(): void {
    this.#items = this.#items.map((item) =>
      item.result.kind === 'failed' || item.result.kind === 'not-sent'
        ? { ...item, result: { kind: 'waiting' } }
        : item,
    )
    this.#changed()
    this.begin()
  }

  /** Leaves out what has not been sent yet. */
  cancelRest(): void {
    this.#items = this.#items.map((item) =>
      item.result.kind === 'waiting'
        ? { ...item, result: { kind: 'left-out', why: { is: 'canceled' } } }
        : item,
    )
    this.#changed()
  }

  async #work(): Promise<void> {
    this.#going += 1
    for (;;) {
      const at = this.#items.findIndex(({ result }) => result.kind === 'waiting')
      const item = this.#items[at]
      if (!item) break
      // What it was when the run began no longer counts.
      const why = against(this.action, item)
      if (why) this.#put(at, { kind: 'left-out', why })
      else {
        this.#put(at, { kind: 'sending' })
        this.#put(at, await this.#send(item))
      }
    }
    this.#going -= 1
    if (this.#going === 0) this.#ended()
  }

  async #send({ connectionId, serverId }: ServerRef): Promise<Result> {
    try {
      const body = { action: this.action }
      const answer = await send('servers.power', { connectionId, params: { serverId }, body })
      return answer?.accepted === false
        ? { kind: 'failed', why: { is: 'not-accepted' } }
        : { kind: 'accepted' }
    } catch (thrown) {
      return resultOf(asProblem(thrown))
    }
  }

  #put(at: number, result: Result): void {
    this.#items = this.#items.map((item, index) => (index === at ? { ...item, result } : item))
    this.#changed()
  }
}

/** Why an action is not sent to a server now; null where it can be. */
export function reasonAgainst(action: PowerAction, server: ServerRef): Words | null {
  const why = against(action, server)
  return why && (() => whyInWords(action, why))
}

function against(action: PowerAction, { connectionId, serverId }: ServerRef): Reason | null {
  const server = panel.server(connectionId, serverId)
  if (!server) return { is: 'gone' }
  const [status, reach] = [statusKind(server.status), panel.reach(connectionId)]
  if (powerReason(action, status, server.role, reach) === null) return null
  return { is: 'power', status, role: server.role, reach }
}

/** A reason as people read it. */
export function whyInWords(action: PowerAction, why: Reason): string {
  if (why.is === 'power') return powerReason(action, why.status, why.role, why.reach) ?? ''
  if (why.is !== 'problem') return t(`several.${why.is}`)
  const words = inWords(why.problem)
  return [words.what, words.why].filter(Boolean).join(' · ')
}

function resultOf(thrown: ProblemData): Result {
  // The message of an error is none of the properties that are copied, or kept.
  const problem: ProblemData = { ...thrown, message: thrown.message }
  const why: Reason = { is: 'problem', problem }
  if (problem.unsure || problem.code === 'unconfirmed') return { kind: 'unsure', sent: true, why }
  if (mayBeSent(problem)) return { kind: 'unsure', sent: false, why }
  const isUnsent = problem.code === 'offline' || problem.code === 'untrusted'
  return { kind: isUnsent ? 'not-sent' : 'failed', why }
}

/** Whether the panel itself was lost on the way, and with it whether it was sent. */
const mayBeSent = ({ code, text }: ProblemData): boolean =>
  code === 'internal' || text?.key === 'panel.silent'
