import type { CallName, CallAnswer, ParsedCallInput } from '../../contract/bridge/calls.ts'
import type { WindowLink } from '../base/windows.ts'

export type Handler<N extends CallName> = (
  input: ParsedCallInput<N>,
  window: WindowLink,
) => Promise<CallAnswer<N>> | CallAnswer<N>

/** A missing or extra handler does not compile. */
export type Handlers = { [N in CallName]: Handler<N> }

export type AreaHandlers<Prefix extends string> = {
  [N in Extract<CallName, `${Prefix}.${string}`>]: Handler<N>
}
