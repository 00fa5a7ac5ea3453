import type { SignInMethods } from '../../../../contract/areas/google.ts'
import { isoTime } from '../../../base/clock.ts'
import { refusal } from '../../../base/refusal.ts'
import { signedOut, type Caller } from '../../../http/serve.ts'
import { identityIdOf } from '../../../store/identities.ts'
import type { AccountParts } from '../accounts.ts'
import { identityMail } from '../sign-in/mails.ts'
import { provePassword } from '../sign-in/prove-password.ts'

/** By what an account is signed in to, and how an identity ceases to be one of it. */
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
     * Unlinks an identity by the password, so that never the only way in goes. All other sign-ins end, as with a new
     * password: who takes a way in away wants nobody to stay who came by it, and a token does not say how it was begun.
     * Refuses with 403, 404, 409, 422 and 429. `code`: of the second factor.
     */
    async unlinkIdentity(caller: Caller, id: string, password: string, code?: string): Promise<void> {
      const unlinked = await secondFactors.during(caller, code, async (useCode) => {
        const { account, stillHolds } = await provePassword(parts, caller, password)
        return store.inOneStep(() => {
          stillHolds()
          const identity = store.identities.of(account.id).find((row) => identityIdOf(row) === id)
          useCode()
          // With the step the code is taken back too.
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
