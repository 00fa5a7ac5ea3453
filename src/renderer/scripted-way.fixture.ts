import type { CallInput, CallName, CallOutput, EventName, Events, Stop, Upload, Way } from './bridge.ts'
import type { Outcome } from '../contract/bridge/problem.ts'

type Answers = {
  [N in CallName]?: (input: CallInput<N>) => Outcome<CallOutput<N>> | Promise<Outcome<CallOutput<N>>>
}

/** A way into main whose answers a test writes, and whose events a test sends. */
export class ScriptedWay implements Way {
  readonly called: { name: CallName; input: unknown }[] = []
  readonly uploaded: Upload[] = []
  #answers: Answers
  #listeners = new Map<string, Set<(value: never) => void>>()
  #reach = new Set<(reached: boolean) => void>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Outcome<CallOutput<N>>> {
    this.called.push({ name, input })
    const answer = this.#answers[name]
    if (!answer) throw new Error(`The test has no answer for ${name}.`)
    return answer(input)
  }

  /** Gives a call an answer, or another one than before. */
  answer<N extends CallName>(name: N, answer: NonNullable<Answers[N]>): void {
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
