import type { Outcome } from '../contract/bridge/problem.ts'

/** The protocol a page asks for when it opens the socket; the page's key follows it in the same header. */
export type SocketProtocol = 'wheelhouse'

/** Where the document that answers the code has the page's key, and every one the run it belongs to: names of `<meta>`. */
export type PageMeta = 'page-key' | 'panel-run'

/** What crosses the socket: calls with their answers, and events. */
export interface CallMessage {
  id: number
  name: string
  input?: unknown
}
export type AnswerMessage = { id: number; outcome: Outcome<unknown> }
export type EventMessage = { event: string; value: unknown }
