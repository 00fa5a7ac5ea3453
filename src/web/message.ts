import type { Outcome } from '../contract/bridge/problem.ts'

/** Subprotocol of the socket; the page's key follows in the same header. */
export type SocketProtocol = 'wheelhouse'

/** `<meta>` names: the page's key, only in the document that answers the code, and the run. */
export type PageMeta = 'page-key' | 'panel-run'

export interface CallMessage {
  id: number
  name: string
  input?: unknown
}
export type AnswerMessage = { id: number; outcome: Outcome<unknown> }
export type EventMessage = { event: string; value: unknown }
