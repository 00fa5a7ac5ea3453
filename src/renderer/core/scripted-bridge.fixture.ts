import type { OperationOf, PassedId, ViewId } from '../../contract/areas/index.ts'
import type { OutputOf } from '../../contract/declarations/operation.ts'
import type { CallAnswer } from '../../contract/bridge/calls.ts'
import type { SendInput, ViewInput, ViewValue } from '../../contract/bridge/passed.ts'
import type { Outcome } from '../../contract/bridge/problem.ts'
import type { View } from '../../contract/bridge/values.ts'
import type { CallInput, CallName, CallOutput, EventName, Events, Stop, Upload, Bridge } from './bridge.ts'

type Answer<In, Out> = (input: In) => Outcome<Out> | Promise<Outcome<Out>>
type OwnCall = Exclude<CallName, 'view.read' | 'view.leave' | 'operation.send'>

/** By the names of calls; views and writes that are passed on go by theirs: `view servers.list`, `send servers.power`. */
type Answers = { [N in OwnCall]?: Answer<CallInput<N>, CallAnswer<N>> } & {
  [V in ViewId as `view ${V}`]?: Answer<ViewInput<V>, View<ViewValue<V>>>
} & {
  [W in PassedId as `send ${W}`]?: Answer<SendInput<W>, OutputOf<OperationOf<W>>>
}
export type AnswerName = keyof Answers

/** The name by which a call is answered and written down, and its input without that name. */
export function asked(name: CallName, input: unknown): { name: string; input: unknown } {
  if (name !== 'view.read' && name !== 'view.leave' && name !== 'operation.send') return { name, input }
  const { view, operation, ...rest } = input as { view?: string; operation?: string }
  const kind = { 'view.read': 'view', 'view.leave': 'leave', 'operation.send': 'send' }[name]
  return { name: `${kind} ${view ?? operation}`, input: rest }
}

/** A way into main whose answers a test writes, and whose events a test sends. */
export class ScriptedBridge implements Bridge {
  readonly called: { name: string; input: unknown }[] = []
  readonly uploaded: Upload[] = []
  #answers: Answers
  #listeners = new Map<string, Set<(value: never) => void>>()
  #reach = new Set<(reached: boolean) => void>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>> {
    const question = asked(name, input)
    this.called.push(question)
    if (name === 'view.leave') return { ok: true, value: undefined as CallOutput<N> }
    const answer = this.#answers[question.name as AnswerName] as Answer<unknown, CallOutput<N>> | undefined
    if (!answer) throw new Error(`The test has no answer for ${question.name}.`)
    return answer(question.input)
  }

  /** Gives a call an answer, or another one than before. */
  answer<N extends AnswerName>(name: N, answer: NonNullable<Answers[N]>): void {
    this.#answers = { ...this.#answers, [name]: answer }
  }

  async upload(upload: Upload): Promise<Outcome<{ transferId: string }>> {
    this.uploaded.push(upload)
    return { ok: true, value: { transferId: `transfer-${this.uploaded.length}` } }
  }

  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): Stop {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set)
    set.add(listener)
    return () => void set.delete(listener)
  }

  onReach(listener: (reached: boolean) => void): Stop {
    this.#reach.add(listener)
    listener(true)
    return () => void this.#reach.delete(listener)
  }

  send<E extends EventName>(event: E, value: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value as never)
  }

  reach(reached: boolean): void {
    for (const listener of this.#reach) listener(reached)
  }

  /** How many listen to an event now. */
  listening(event: EventName): number {
    return this.#listeners.get(event)?.size ?? 0
  }
}
