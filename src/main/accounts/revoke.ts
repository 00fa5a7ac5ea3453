import { account } from '../../contract/areas/account.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import { PanelProblem } from '../base/problem.ts'
import type { LiveConnection } from './live-connection.ts'

const SIGN_OUT_MS = 5000

/** Revokes a token. True if it no longer works; never rejects. `everywhere`: at a host, its key is gone by now. */
export async function revoke(live: LiveConnection, everywhere: boolean): Promise<boolean> {
  if (live.rejected || (everywhere && hostKindOf(live.identity.baseUrl) !== null)) return true
  try {
    if ((await live.token()) === null) return false
    await live.client.send(account.signOut, {}, { signal: AbortSignal.timeout(SIGN_OUT_MS) })
    return true
  } catch (fault) {
    return fault instanceof PanelProblem && fault.problem.code === 'signed-out'
  }
}
