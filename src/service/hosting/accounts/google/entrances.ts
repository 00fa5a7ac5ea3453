import { AccountName, Email } from '../../../../contract/areas/account.ts'
import type { MailLanguage } from '../../../../contract/areas/my-account.ts'
import { asOneLine } from '../../../../contract/messages/one-line.ts'
import { GOOGLE_PASSWORD_ASKED } from '../../../../contract/rules/sign-in.ts'
import { refusal } from '../../../../host/refusal.ts'
import type { AccountRow } from '../../../store/accounts.ts'
import type { AccountParts } from '../accounts.ts'
import { clientOf, type ClientIdentity } from '../sign-in/client-identity.ts'
import { passwordChanged } from '../sign-in/prove-password.ts'
import { passwordTries } from '../sign-in/sign-in.ts'
import type { Identity } from './provider.ts'

export interface Exchange {
  code: string
  codeVerifier: string
  password?: string | undefined
  secondFactor?: string | undefined
}

export interface ExchangeTerms {
  address: string
  allowRegistration: boolean
  language: MailLanguage | null
}

/** Identity verified; signed in once the second factor is. */
export interface SignInCandidate {
  who: ClientIdentity
  /** Creates or finds the account within the sign-in step. Throws if it changed since it was checked. */
  account: () => AccountRow
  isLinking?: true
}

/**
 * Accounts are matched by issuer and subject, never by email alone. The email must be verified; if it has an account,
 * its password proves that both are one person.
 */
export function entrances(parts: AccountParts) {
  const { store, clock } = parts
  const { accounts, identities } = store
  const tryPassword = passwordTries(parts)

  const linked = ({ issuer, subject, email }: Identity, account: AccountRow): AccountRow => {
    identities.link({ issuer, subject, email, linkedAt: clock.now() }, account.id)
    return account
  }

  const again = (identity: Identity, account: AccountRow, { address }: ExchangeTerms): SignInCandidate => ({
    who: clientOf(store, account.email ?? '', address),
    account() {
      const now = accounts.byId(account.id)
      if (!now || identities.accountOf(identity.issuer, identity.subject) !== now.id) throw begunAnew()
      return now
    },
  })

  async function owner(
    identity: Identity,
    email: string,
    password: string | undefined,
    { address }: ExchangeTerms,
  ): Promise<SignInCandidate> {
    if (password === undefined) throw passwordAsked()
    const { who, account: checked } = await tryPassword(email, password, address)
    return {
      who,
      isLinking: true,
      account() {
        const now = accounts.byId(checked.id)
        if (now?.passwordHash !== checked.passwordHash || now.confirmedAt === null) throw passwordChanged()
        return linked(identity, now)
      },
    }
  }

  /** A new person. The provider has verified the address, like a code by mail would. */
  function newcomer(identity: Identity, email: string, terms: ExchangeTerms): SignInCandidate {
    if (!terms.allowRegistration) throw registrationOff()
    const who = clientOf(store, email, terms.address)
    const name = nameOf(identity, email)
    return {
      who,
      isLinking: true,
      account() {
        const now = clock.now()
        const created: AccountRow = {
          ...{ id: who.accountId, email, name, passwordHash: null, confirmedAt: now, createdAt: now },
          language: terms.language,
        }
        if (accounts.insert(created)) return linked(identity, created)
        // Registered but never confirmed: nothing the registrant chose is kept.
        const there = accounts.byId(who.accountId)
        if (!there || there.confirmedAt !== null) throw begunAnew()
        accounts.setPassword(there.id, null)
        accounts.update(there.id, name, terms.language ?? undefined)
        accounts.confirm(there.id, now)
        return linked(identity, accounts.byId(there.id) ?? created)
      },
    }
  }

  return async (identity: Identity, given: Exchange, terms: ExchangeTerms): Promise<SignInCandidate> => {
    const accountId = identities.accountOf(identity.issuer, identity.subject)
    const known = accountId === null ? null : accounts.byId(accountId)
    if (known) return again(identity, known, terms)
    const email = Email.safeParse(identity.email ?? '')
    if (!email.success) throw noEmail()
    if (!identity.emailVerified) throw unverified(email.data)
    const registered = accounts.byEmail(email.data)
    return registered && registered.confirmedAt !== null
      ? owner(identity, email.data, given.password, terms)
      : newcomer(identity, email.data, terms)
  }
}

/** The provider's name if valid, else the email's local part. */
function nameOf({ name }: Identity, email: string): string {
  const told = AccountName.safeParse(asOneLine(name ?? '').slice(0, 80))
  return told.success ? told.data : (email.split('@')[0] ?? email).slice(0, 80)
}

export const codeOver = () => refusal(422, 'account.google-code').at('code')
const begunAnew = () => refusal(409, 'account.google-changed')
const passwordAsked = () => refusal(409, GOOGLE_PASSWORD_ASKED)
const noEmail = () => refusal(403, 'account.google-no-email')
const unverified = (email: string) => refusal(403, 'account.google-unverified', { email })
const registrationOff = () => refusal(403, 'account.registration-off.identity')
