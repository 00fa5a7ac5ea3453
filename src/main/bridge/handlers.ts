import type { CallName, CallAnswer, CallParsed } from '../../contract/bridge/calls.ts'
import type { WindowLink } from '../base/window-link.ts'

/** Answers a call of the bridge. */
export type Handler<N extends CallName> = (
  input: CallParsed<N>,
  window: WindowLink,
) => Promise<CallAnswer<N>> | CallAnswer<N>

/** One handler for every call of the bridge: a missing or an extra one does not compile. */
export type Handlers = { [N in CallName]: Handler<N> }

/** The handlers of one area. */
export type AreaHandlers<Prefix extends string> = {
  [N in Extract<CallName, `${Prefix}.${string}`>]: Handler<N>
}
