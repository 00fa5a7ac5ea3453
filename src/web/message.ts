import type { Outcome } from '../contract/bridge/problem.ts'

/** What crosses the socket: calls with their answers, and events. */
export interface CallMessage {
  id: number
  name: string
  input?: unknown
}
export type AnswerMessage = { id: number; outcome: Outcome<unknown> }
export type EventMessage = { event: string; value: unknown }
