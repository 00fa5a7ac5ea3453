import type { Session } from '../../../contract/areas/account.ts'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import type { RequestContext } from '../../http/serve.ts'
import type { Accounts } from './accounts.ts'
import { DEVICE_MAX } from './sessions.ts'

export type SessionHook = (session: Session, address: string, c: RequestContext) => Session

/** `anew` is called for sign-ins from addresses new to the account. */
export const beginsSessions =
  (
    accounts: Accounts,
    anew: (accountId: string, from: { device: string; address: string }) => void,
  ): SessionHook =>
  (session, address, c) => {
    const device = c.req.header('user-agent') ?? ''
    const caller = accounts.authenticate(session.token, { device, address })
    if (caller && accounts.sessions.isAnew(session))
      anew(caller.accountId, { device: asOneLine(device.slice(0, DEVICE_MAX)), address })
    return session
  }
