import { randomUUID } from 'node:crypto'
import {
  type ManagementCalls,
  PENDING_MOST,
  refusedBy,
  type RpcOutcome,
} from '../../host/management/messages.ts'
import { soon } from '../console/ask-console.ts'
import { ManagementAnswer } from './answers.ts'

/** For the stream to begin, and for an answer, ms. */
const START_MS = 5000
const ANSWER_MS = 5000
/** It isn't asked for again so soon after it didn't begin, ms. */
const REFUSED_MS = 60_000

interface StreamPorts {
  want(): void
  leave(): void
  isRunning(): boolean
  send(request: { id: string; method: string; params: readonly unknown[] }): void
}

/** Calls of Minecraft's management protocol through the socket of a server. */
export class ManagementStream implements ManagementCalls {
  readonly #ports: StreamPorts
  readonly #pending = new Map<string, (outcome: RpcOutcome) => void>()
  #begun = Promise.withResolvers<true>()
  #refusedAt = -Infinity

  constructor(ports: StreamPorts) {
    this.#ports = ports
  }

  async call(method: string, params: readonly unknown[], ms = ANSWER_MS): Promise<RpcOutcome> {
    const isUsed = (await this.#begin()) && this.#pending.size < PENDING_MOST
    if (!isUsed) return { kind: 'unsent' }
    const id = randomUUID()
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#settle(id, { kind: 'lost' }), ms)
      this.#pending.set(id, (outcome) => {
        clearTimeout(late)
        resolve(outcome)
      })
      this.#ports.send({ id, method, params })
    })
  }

  started(): void {
    this.#begun.resolve(true)
    this.#begun = Promise.withResolvers()
  }

  /** After whatever may have ended it. */
  checkEnded(): void {
    if (this.#ports.isRunning()) return
    for (const id of [...this.#pending.keys()]) this.#settle(id, { kind: 'lost' })
  }

  take(data: unknown): void {
    const answer = ManagementAnswer.safeParse(data).data
    if (answer) this.#settle(answer.id, outcomeOf(answer.data))
  }

  async #begin(): Promise<boolean> {
    if (this.#ports.isRunning()) return true
    if (performance.now() - this.#refusedAt < REFUSED_MS) return false
    const begun = this.#begun.promise
    this.#ports.want()
    if (await soon(begun, START_MS)) return true
    this.#ports.leave()
    this.#refusedAt = performance.now()
    return false
  }

  #settle(id: string, outcome: RpcOutcome): void {
    const settle = this.#pending.get(id)
    this.#pending.delete(id)
    settle?.(outcome)
  }
}

/** What can't be read tells nothing of what became of a call. */
function outcomeOf({ success, data, error }: ManagementAnswer['data']): RpcOutcome {
  if (success === true) return { kind: 'answered', result: data }
  return error ? refusedBy(error) : { kind: 'lost' }
}
