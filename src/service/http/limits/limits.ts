import type { PartId } from '../../../contract/messages/refusals/index.ts'
import type { Quota } from '../../../host/counter.ts'

/** What is said once it is used up; nothing where another limit or answer follows. */
interface Sentence {
  code?: string
  what?: PartId
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const tries = (what: PartId) => ({ code: 'account.too-many-tries', what })
const passwords = tries('wrong-passwords')
const codes = tries('wrong-codes')
const mails = { code: 'account.too-many-codes', what: 'codes-requested' } as const
const promos = { code: 'promocode.too-many-tries', what: 'codes-that-do-not-exist' } as const
const invites = { code: 'access.too-many-invitations', what: 'invitations-sent' } as const
const folded = true

/**
 * Counted in memory; a restart resets them, and outsiders cannot cause one. Names end in what is counted by; a pair is
 * an account (or its email) and an address. "Address" means `addressGroup`.
 * Strangers share counters where attacks would add up: an account's wrong passwords, mails and code guesses. Known
 * addresses have their own counters, because strangers can exhaust the shared ones. Each new address has its own
 * allowance: three passwords a day (30 per network), and a mail from a reserve refilled every two hours. So the owner
 * gets in from a new address even under attack.
 * Worst case per day: 2,400 passwords of an account, plus 3 per address and 30 per network; 22 mails (10 + 12 of the
 * reserve). A mailed code is hit with 1 in 4,000: 22 mails × 5 tries × two codes (own and newest), plus 20 tries by
 * others. Someone with the password hits the second factor with 1 in 11,000: 30 tries, three valid codes. Its owner
 * still gets in from a known address or with a recovery code.
 */
const table = {
  signInKnown: { points: 10, seconds: 15 * MINUTE, ...passwords },
  signInPerPair: { points: 10, seconds: 15 * MINUTE, ...passwords },
  /** The first of those, not counted with the account's, so others cannot exhaust them. */
  signInFirst: { points: 3, seconds: DAY },
  /** All first ones of an account from one network, which may have very many addresses. */
  signInFirstPerNetwork: { points: 30, seconds: DAY },
  /** Further wrong passwords, all unknown addresses together. */
  signInPerAccount: { points: 100, seconds: HOUR, folded, ...tries('wrong-passwords-by-all') },
  /** For accounts that do not know the address. */
  signInPerAddress: { points: 50, seconds: 15 * MINUTE, ...passwords },
  secondFactorPerPair: { points: 5, seconds: 15 * MINUTE, ...codes },
  secondFactorKnownDaily: { points: 30, seconds: DAY, ...codes },
  /** All unknown addresses together: six digits, three valid codes. */
  secondFactorPerAccount: { points: 30, seconds: DAY, folded, ...codes },
  secondFactorPerToken: { points: 20, seconds: DAY, ...codes },
  secondFactorMails: { points: 10, seconds: DAY },
  identityMails: { points: 10, seconds: DAY },
  /** Limits guessing with a stolen token. */
  passwordPerToken: { points: 10, seconds: 15 * MINUTE, ...passwords },
  mailKnown: { points: 3, seconds: 10 * MINUTE, ...mails },
  mailKnownDaily: { points: 10, seconds: DAY, ...mails },
  mailPerPair: { points: 3, seconds: 10 * MINUTE, ...mails },
  mailPerPairDaily: { points: 5, seconds: DAY, ...mails },
  /** All unknown addresses together: bounds the code tries per day. */
  mailPerEmailDaily: { points: 10, seconds: DAY, folded, ...mails },
  /** Whether an unknown address has requested a mail to this email today. */
  mailFirst: { points: 1, seconds: DAY },
  /** For those that have not, once strangers have used up the day's mails. */
  mailReserve: { points: 1, seconds: 2 * HOUR, folded, ...mails },
  mailPerAddress: { points: 30, seconds: HOUR, ...mails },
  /** From the requesting address; a new code resets them. */
  codePerAsker: { points: 5, seconds: 15 * MINUTE },
  /** From elsewhere: a code may be requested on a phone and entered on a computer. */
  codePerEmail: { points: 20, seconds: DAY, folded },
  codePerAddress: { points: 50, seconds: 15 * MINUTE, ...tries('codes-tried') },
  /** Wrong parent secrets; right ones are never refused. */
  localPerAddress: { points: 20, seconds: MINUTE, ...tries('attempts') },
  /** Each begun provider sign-in takes memory and the provider's time. */
  googlePerAddress: { points: 30, seconds: 10 * MINUTE, ...tries('sign-ins-begun') },
  promoPerAccount: { points: 10, seconds: HOUR, ...promos },
  /** These do not count against the address. */
  promoFirst: { points: 3, seconds: DAY },
  promoPerAddress: { points: 30, seconds: HOUR, ...promos },
  invitesPerAccount: { points: 30, seconds: HOUR, ...invites },
  invitesPerPair: { points: 3, seconds: DAY, ...invites },
  /** An account's first to an email that day, which others can exhaust only in great numbers. */
  inviteFirst: { points: 1, seconds: DAY },
  invitesFirstPerEmail: { points: 30, seconds: DAY, folded, ...invites },
  /** Further ones to an email, all accounts together. */
  invitesPerEmail: { points: 5, seconds: DAY, folded, ...invites },
} as const satisfies Record<string, Quota & Sentence>

export type LimitName = keyof typeof table
export const LIMITS: Readonly<Record<LimitName, Quota & Sentence>> = table
