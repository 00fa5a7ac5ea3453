import type { CallInput, CallName, CallOutput } from '../contract/bridge/calls.ts'
import type { EventName, Events } from '../contract/bridge/events.ts'
import type { ProblemCode, Problem as ProblemData } from '../contract/bridge/problem.ts'
import type { PickedFile, Stop, Upload, Way } from '../contract/bridge/way.ts'

export type {
  CallInput,
  CallName,
  CallOutput,
  EventName,
  Events,
  PickedFile,
  ProblemCode,
  ProblemData,
  Stop,
  Upload,
  Way,
}

/** A failed call, thrown. The only place where a problem of the bridge becomes an exception is `call`. */
export class Problem extends Error implements ProblemData {
  readonly code: ProblemCode
  readonly text?: ProblemData['text']
  readonly retryable: boolean
  readonly fields?: Record<string, string[]>
  readonly serviceCode?: string
  readonly detail?: string
  readonly unsure?: true
  readonly retryAfter?: number
  readonly logId?: string

  constructor(data: ProblemData) {
    super(data.message)
    this.name = 'Problem'
    this.code = data.code
    this.text = data.text
    this.retryable = data.retryable
    this.fields = data.fields
    this.serviceCode = data.serviceCode
    this.detail = data.detail
    this.unsure = data.unsure
    this.retryAfter = data.retryAfter
    this.logId = data.logId
  }
}

/** Makes a `Problem` of anything that was thrown; what is not one already is a fault of the panel. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Problem({ code: 'internal', message, retryable: true })
}

type Arguments<N extends CallName> = undefined extends CallInput<N> ? [] : [input: CallInput<N>]

/**
 * Calls main. Answers the value or throws a `Problem`. The input is plain data: a reactive value goes through
 * `$state.snapshot` first, because a proxy cannot cross to main.
 */
export async function call<N extends CallName>(name: N, ...[input]: Arguments<N>): Promise<CallOutput<N>> {
  let outcome
  try {
    outcome = await window.panel.call(name, input as CallInput<N>)
  } catch (thrown) {
    throw asProblem(thrown)
  }
  if (outcome.ok) return outcome.value
  throw new Problem(outcome.problem)
}

/** Hands picked or dropped files over to main, which queues them. Throws a `Problem`. */
export async function upload(picked: Upload): Promise<{ transferId: string }> {
  let outcome
  try {
    outcome = await window.panel.upload(picked)
  } catch (thrown) {
    throw asProblem(thrown)
  }
  if (outcome.ok) return outcome.value
  throw new Problem(outcome.problem)
}

/** Listens to an event of main until the answered function is called. */
export function on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop {
  return window.panel.on(event, listener)
}

/** Listens to whether main can be reached at all; it always can in Electron. */
export function onReach(listener: (reached: boolean) => void): Stop {
  return window.panel.onReach(listener)
}
