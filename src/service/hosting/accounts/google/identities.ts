import type { SignInMethods } from '../../../../contract/areas/google.ts'
import { isoTime } from '../../../base/clock.ts'
import { refusal } from '../../../../host/refusal.ts'
import { signedOut, type Caller } from '../../../http/serve.ts'
import { identityIdOf } from '../../../store/identities.ts'
import type { AccountParts } from '../accounts.ts'
import { identityMail } from '../sign-in/mails.ts'
import { provePassword } from '../sign-in/prove-password.ts'

export function createIdentities(parts: AccountParts) {
  const { store, secondFactors, signInsEnded, tellOwner } = parts

  return {
    signInMethods({ accountId }: Caller): SignInMethods {
      const account = store.accounts.byId(accountId)
      if (!account) throw signedOut()
      return {
        hasPassword: account.passwordHash !== null,
        identities: store.identities.of(accountId).map((row) => ({
          id: identityIdOf(row),
          issuer: row.issuer,
          ...(row.email !== null && { email: row.email }),
          since: isoTime(row.linkedAt),
        })),
      }
    },

    /**
     * Unlinks an identity by password, so the last way in never goes. Ends all other sign-ins, like a new password: a
     * token does not say how it was obtained. `code`: second factor. Refuses with 403, 404, 409, 422 and 429.
     */
    async unlinkIdentity(caller: Caller, id: string, password: string, code?: string): Promise<void> {
      const unlinked = await secondFactors.during(caller, code, async (useCode) => {
        const { account, stillHolds } = await provePassword(parts, caller, password)
        return store.inOneStep(() => {
          stillHolds()
          const identity = store.identities.of(account.id).find((row) => identityIdOf(row) === id)
          useCode()
          // Throwing also reverts the use of the code.
          if (!identity) throw notLinked()
          store.identities.unlink(account.id, identity)
          store.accounts.deleteTokens(account.id, caller.tokenHash)
          return identity
        })
      })
      signInsEnded(caller.accountId)
      tellOwner(caller.accountId, 'identityMails', (to, reader) => identityMail(to, reader, unlinked, false))
    },
  }
}

const notLinked = () => refusal(404, 'account.identity-not-found')
