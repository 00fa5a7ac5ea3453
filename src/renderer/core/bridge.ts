import type { CallInput, CallName, CallOutput } from '../../contract/bridge/calls.ts'
import type { EventName, Events } from '../../contract/bridge/events.ts'
import type { OperationOf, PassedId, ViewId } from '../../contract/areas/index.ts'
import type { OutputOf } from '../../contract/declarations/operation.ts'
import type {
  TypedSendRequest,
  SendInput,
  ViewInput,
  ViewRef,
  ViewValue,
} from '../../contract/bridge/passed.ts'
import type { View } from '../../contract/bridge/values.ts'
import type { ProblemCode, Problem as ProblemData } from '../../contract/bridge/problem.ts'
import type { PickedFile, Stop, Upload, Bridge } from '../../contract/bridge/bridge.ts'

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
  ViewId,
  ViewInput,
  ViewValue,
  Bridge,
}

/** A failed call. Only `call` turns bridge problems into exceptions. */
export class Problem extends Error implements ProblemData {
  readonly code: ProblemCode
  readonly text?: ProblemData['text']
  readonly retryable: boolean
  readonly fields?: Record<string, string[]>
  readonly fieldTexts?: ProblemData['fieldTexts']
  readonly serviceCode?: string
  readonly detail?: string
  readonly unsure?: true
  readonly wanted?: ProblemData['wanted']
  readonly retryAfter?: number
  readonly logId?: string
  readonly since?: string

  constructor(data: ProblemData) {
    super(data.message)
    this.name = 'Problem'
    this.code = data.code
    this.text = data.text
    this.retryable = data.retryable
    this.fields = data.fields
    this.fieldTexts = data.fieldTexts
    this.serviceCode = data.serviceCode
    this.detail = data.detail
    this.unsure = data.unsure
    this.wanted = data.wanted
    this.retryAfter = data.retryAfter
    this.logId = data.logId
    this.since = data.since
  }
}

export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Problem({ code: 'internal', message, retryable: true })
}

type Arguments<N extends CallName> = undefined extends CallInput<N> ? [] : [input: CallInput<N>]

/** Throws a `Problem`. Pass reactive input through `$state.snapshot`: proxies can't be cloned. */
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

/** From main's cache, unless never cached or `again`. Throws a `Problem`; a service's refusal is in the view. */
export async function readView<V extends ViewId>(
  view: V,
  input: ViewInput<V>,
  again = false,
): Promise<View<ViewValue<V>>> {
  // The compiler can't correlate the input with the view id.
  const asked = { view, ...input, ...(again && { again }) } as unknown as ViewRef
  return (await call('view.read', asked)) as View<ViewValue<V>>
}

/** Reads a view that is never cached. Throws a `Problem`. */
export async function readOnce<V extends ViewId>(
  view: V,
  input: ViewInput<V>,
  again = false,
): Promise<ViewValue<V>> {
  const { value, problem } = await readView(view, input, again)
  if (problem) throw new Problem(problem)
  return value as ViewValue<V>
}

/** Sends a write through main; affected views are read again. Throws a `Problem`. */
export async function send<W extends PassedId>(
  operation: W,
  input: SendInput<W>,
): Promise<OutputOf<OperationOf<W>>> {
  const sent = { operation, ...input } as unknown as TypedSendRequest
  return (await call('operation.send', sent)) as OutputOf<OperationOf<W>>
}

/** Throws a `Problem`. */
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

export function on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop {
  return window.panel.on(event, listener)
}

/** Reports whether main is reachable; in Electron it always is. */
export function onReach(listener: (reached: boolean) => void): Stop {
  return window.panel.onReach(listener)
}
