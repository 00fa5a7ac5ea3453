import { refusal } from '../../../../host/refusal.ts'
import { signedOut, type Caller } from '../../../http/serve.ts'
import type { AccountRow } from '../../../store/accounts.ts'
import type { AccountsOptions } from '../accounts.ts'
import { ownerWaiter } from './client-identity.ts'
import type { Waiter } from './password-queue.ts'

export interface PasswordProof {
  account: AccountRow & { email: string }
  waiter: Waiter
  /** Call in the writing step: throws if the sign-in or the password has changed. */
  stillHolds: () => void
}

/** Asks for the password again, which a token thief does not know. Refuses with 409, 422 and 429. */
export async function provePassword(
  { store: { accounts }, clock, passwords, limiter }: AccountsOptions,
  { accountId, tokenHash }: Caller,
  password: string,
): Promise<PasswordProof> {
  const checked = accounts.byId(accountId)
  if (!checked?.email) throw refusal(409, 'account.no-password')
  if (checked.passwordHash === null) throw refusal(409, 'account.no-password.yet')
  const requireToken = () => {
    if (accounts.tokenOwner(tokenHash, clock.now()) !== checked.id) throw signedOut()
  }
  limiter.take(['passwordPerToken', tokenHash])
  const waiter = ownerWaiter(checked.id)
  if (!(await passwords.verify(password, checked.passwordHash, waiter))) {
    requireToken()
    throw refusal(422, 'account.wrong-password').at('currentPassword')
  }
  limiter.forget('passwordPerToken', tokenHash)
  return {
    account: { ...checked, email: checked.email },
    waiter,
    stillHolds() {
      requireToken()
      if (accounts.byId(checked.id)?.passwordHash !== checked.passwordHash) throw passwordChanged()
    },
  }
}

export const passwordChanged = () => refusal(409, 'account.password-changed')
