import { account } from '../../contract/areas/account.ts'
import { PanelProblem } from '../base/problem.ts'
import type { LiveConnection } from './live-connection.ts'

/** Signing out waits so long for the service: it works without it. */
const SIGN_OUT_MS = 5000

/** Ends a token at its service. Answers whether it is dead now, as far as the service said so; never rejects. */
export async function revoke(live: LiveConnection): Promise<boolean> {
  if (live.rejected) return true
  try {
    if ((await live.token()) === null) return false
    await live.client.send(account.signOut, {}, { signal: AbortSignal.timeout(SIGN_OUT_MS) })
    return true
  } catch (fault) {
    return fault instanceof PanelProblem && fault.problem.code === 'signed-out'
  }
}
