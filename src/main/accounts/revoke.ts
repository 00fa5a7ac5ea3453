import { account } from '../../contract/areas/account.ts'
import { PanelProblem } from '../base/problem.ts'
import type { LiveConnection } from './live-connection.ts'

const SIGN_OUT_MS = 5000

/** Revokes a token. True if the service confirmed it; never rejects. */
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
