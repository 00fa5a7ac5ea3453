import type { Connection, PowerAction, Server, ServerRef } from '../../../../contract/bridge/values.ts'
import { applyPower } from '../../../core/servers/power-requests.ts'
import type { PowerChoice } from '../../../core/servers/power-question.svelte.ts'
import { asProblem, type ProblemData } from '../../../core/bridge.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { powerReason } from '../../../core/servers/power.ts'
import { inWords } from '../../../core/problems.ts'
import { statusKind, type StatusKind } from '../../../core/servers/status.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'

/** Plain data: stored across reloads and put into words later. */
export type Reason =
  | { is: 'gone' | 'not-accepted' | 'canceled' | 'reloaded' }
  | { is: 'power'; status: StatusKind; role: Server['role']; reach: Connection['state']['kind'] }
  | { is: 'problem'; problem: ProblemData }

export type Result =
  | { kind: 'waiting' }
  | { kind: 'sending' }
  | { kind: 'accepted' }
  /** Its players are being warned. */
  | { kind: 'warned' }
  /** Skipped because of its status, missing permission, or by the user. */
  | { kind: 'left-out'; why: Reason }
  /** Certainly not sent. */
  | { kind: 'not-sent'; why: Reason }
  | { kind: 'failed'; why: Reason }
  /** Sent, or possibly sent (`sent` is false), with unknown outcome. */
  | { kind: 'unsure'; sent: boolean; why: Reason }

export interface RunItem extends ServerRef {
  /** The name at the start; the server may be gone since. */
  name: string
  result: Result
}

/** Plain data, stored across reloads. */
export interface RunRecord {
  action: PowerAction
  choice: PowerChoice
  items: readonly RunItem[]
}

const AT_ONCE = 4

export class PowerRun {
  readonly action: PowerAction
  readonly #choice: PowerChoice
  #items = $state.raw<readonly RunItem[]>([])
  #going = $state(0)
  readonly #ended: () => void
  readonly #changed: () => void

  /** `ended` is called once no request is pending. */
  constructor(
    action: PowerAction,
    choice: PowerChoice,
    servers: readonly ServerRef[],
    ended: () => void,
    changed: () => void = () => {},
  ) {
    this.action = action
    this.#choice = choice
    this.#ended = ended
    this.#changed = changed
    this.#items = servers.map(({ connectionId, serverId }) => {
      const name = panel.server(connectionId, serverId)?.name ?? serverId
      return { connectionId, serverId, name, result: { kind: 'waiting' } }
    })
  }

  /** A run cut off by a reload; what was not sent by then never was. */
  static left(
    { action, choice, items }: RunRecord,
    ended: () => void,
    changed: () => void = () => {},
  ): PowerRun {
    const run = new PowerRun(action, choice, items, ended, changed)
    const why: Reason = { is: 'reloaded' }
    const resultOf = (result: Result): Result => {
      if (result.kind === 'waiting') return { kind: 'not-sent', why }
      return result.kind === 'sending' ? { kind: 'unsure', sent: true, why } : result
    }
    run.#items = items.map((item) => ({ ...item, result: resultOf(item.result) }))
    return run
  }

  get record(): RunRecord {
    return { action: this.action, choice: this.#choice, items: this.#items }
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

  /** Excludes those with unknown outcome, which may have been done. */
  get retryable(): number {
    return this.count('failed', 'not-sent')
  }

  /** Never throws. */
  begin(): void {
    const free = Math.min(AT_ONCE, this.count('waiting')) - this.#going
    for (let at = 0; at < free; at++) void this.#work()
  }

  /** Retries only what was certainly not done. */
  retry(): void {
    this.#items = this.#items.map((item) =>
      item.result.kind === 'failed' || item.result.kind === 'not-sent'
        ? { ...item, result: { kind: 'waiting' } }
        : item,
    )
    this.#changed()
    this.begin()
  }

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
      // Check again: the state may have changed since the start.
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

  async #send(server: ServerRef): Promise<Result> {
    try {
      const outcome = await applyPower(server, this.action, this.#choice)
      return outcome === 'refused' ? { kind: 'failed', why: { is: 'not-accepted' } } : { kind: outcome }
    } catch (thrown) {
      return resultOf(asProblem(thrown))
    }
  }

  #put(at: number, result: Result): void {
    this.#items = this.#items.map((item, index) => (index === at ? { ...item, result } : item))
    this.#changed()
  }
}

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

export function whyInWords(action: PowerAction, why: Reason): string {
  if (why.is === 'power') return powerReason(action, why.status, why.role, why.reach) ?? ''
  if (why.is !== 'problem') return t(`several.${why.is}`)
  const words = inWords(why.problem)
  return [words.what, words.why].filter(Boolean).join(' · ')
}

function resultOf(thrown: ProblemData): Result {
  // An error's `message` is not enumerable.
  const problem: ProblemData = { ...thrown, message: thrown.message }
  const why: Reason = { is: 'problem', problem }
  if (problem.unsure || problem.code === 'unconfirmed') return { kind: 'unsure', sent: true, why }
  if (mayBeSent(problem)) return { kind: 'unsure', sent: false, why }
  const isUnsent = problem.code === 'offline' || problem.code === 'untrusted'
  return { kind: isUnsent ? 'not-sent' : 'failed', why }
}

/** The panel's own process was lost, so the request may have been sent. */
const mayBeSent = ({ code, text }: ProblemData): boolean =>
  code === 'internal' || text?.key === 'panel.silent'
