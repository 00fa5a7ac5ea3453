import { type PartId, tell, type RefusalText } from '../../../../contract/messages/refusals/index.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../../../base/refusal.ts'

export interface Limit {
  points: number
  seconds: number
}

/**
 * In-memory limits; a restart resets them, and outsiders cannot cause one.
 * "Address" means `addressGroup`. Strangers share counters where attacks would add up: an account's wrong passwords,
 * mails and code guesses. Known addresses have their own counters, because strangers can exhaust the shared ones.
 * Each new address has its own allowance: three passwords a day (30 per network), and a mail from a reserve refilled
 * every two hours. So the owner gets in from a new address even under attack.
 * Worst case per day: 2,400 passwords of an account, plus 3 per address and 30 per network; 22 mails (10 + 12 of the
 * reserve). A mailed code is hit with 1 in 4,000: 22 mails × 5 tries × two codes (own and newest), plus 20 tries by
 * others. Someone with the password hits the second factor with 1 in 11,000: 30 tries, three valid codes. Its owner
 * still gets in from a known address or with a recovery code.
 */
export interface AccountLimits {
  /** Wrong passwords per account, from one known address. */
  signInKnown: Limit
  /** The same from one unknown address. */
  signInPerPair: Limit
  /** The first of those, not counted with the account's, so others cannot exhaust them. */
  signInFirst: Limit
  /** All first ones of an account from one network, which may have very many addresses. */
  signInFirstPerNetwork: Limit
  /** Further wrong passwords per account, all unknown addresses together. */
  signInPerAccount: Limit
  /** Wrong passwords per address, for accounts that do not know it. */
  signInPerAddress: Limit
  /** Wrong second-factor codes at sign-in, per account and address. */
  secondFactorPerPair: Limit
  secondFactorKnownDaily: Limit
  /** All unknown addresses together: six digits, three valid codes. */
  secondFactorPerAccount: Limit
  secondFactorPerToken: Limit
  secondFactorMails: Limit
  identityMails: Limit
  /** Limits guessing with a stolen token. */
  passwordPerToken: Limit
  /** Code mails to one email, requested from one known address. */
  mailKnown: Limit
  mailKnownDaily: Limit
  /** The same from one unknown address. */
  mailPerPair: Limit
  mailPerPairDaily: Limit
  /** All unknown addresses together: bounds the code tries per day. */
  mailPerEmailDaily: Limit
  /** Whether an unknown address has requested a mail to this email today. */
  mailFirst: Limit
  /** For those that have not, once strangers have used up the day's mails. */
  mailReserve: Limit
  mailPerAddress: Limit
  /** Code tries from the requesting address; a new code resets them. */
  codePerAsker: Limit
  /** Code tries from elsewhere: a code may be requested on a phone and entered on a computer. */
  codePerEmail: Limit
  codePerAddress: Limit
  /** Wrong parent secrets; right ones are never refused. */
  localPerAddress: Limit
  /** Begun provider sign-ins: each takes memory and the provider's time. */
  googlePerAddress: Limit
  /** Unknown promocodes; an account's first of a day do not count against its address. */
  promoPerAccount: Limit
  promoFirst: Limit
  promoPerAddress: Limit
  invitesPerAccount: Limit
  invitesPerPair: Limit
  /** An account's first to an email that day, which others can exhaust only in great numbers. */
  inviteFirst: Limit
  invitesFirstPerEmail: Limit
  /** Further ones to an email, all accounts together. */
  invitesPerEmail: Limit
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

export const ACCOUNT_LIMITS: AccountLimits = {
  signInKnown: { points: 10, seconds: 15 * MINUTE },
  signInPerPair: { points: 10, seconds: 15 * MINUTE },
  signInFirst: { points: 3, seconds: DAY },
  signInFirstPerNetwork: { points: 30, seconds: DAY },
  signInPerAccount: { points: 100, seconds: 60 * MINUTE },
  signInPerAddress: { points: 50, seconds: 15 * MINUTE },
  secondFactorPerPair: { points: 5, seconds: 15 * MINUTE },
  secondFactorKnownDaily: { points: 30, seconds: DAY },
  secondFactorPerAccount: { points: 30, seconds: DAY },
  secondFactorPerToken: { points: 20, seconds: DAY },
  secondFactorMails: { points: 10, seconds: DAY },
  identityMails: { points: 10, seconds: DAY },
  passwordPerToken: { points: 10, seconds: 15 * MINUTE },
  mailKnown: { points: 3, seconds: 10 * MINUTE },
  mailKnownDaily: { points: 10, seconds: DAY },
  mailPerPair: { points: 3, seconds: 10 * MINUTE },
  mailPerPairDaily: { points: 5, seconds: DAY },
  mailPerEmailDaily: { points: 10, seconds: DAY },
  mailFirst: { points: 1, seconds: DAY },
  mailReserve: { points: 1, seconds: 120 * MINUTE },
  mailPerAddress: { points: 30, seconds: 60 * MINUTE },
  codePerAsker: { points: 5, seconds: 15 * MINUTE },
  codePerEmail: { points: 20, seconds: DAY },
  codePerAddress: { points: 50, seconds: 15 * MINUTE },
  localPerAddress: { points: 20, seconds: MINUTE },
  googlePerAddress: { points: 30, seconds: 10 * MINUTE },
  promoPerAccount: { points: 10, seconds: 60 * MINUTE },
  promoFirst: { points: 3, seconds: DAY },
  promoPerAddress: { points: 30, seconds: 60 * MINUTE },
  invitesPerAccount: { points: 30, seconds: 60 * MINUTE },
  invitesPerPair: { points: 3, seconds: DAY },
  inviteFirst: { points: 1, seconds: DAY },
  invitesFirstPerEmail: { points: 30, seconds: DAY },
  invitesPerEmail: { points: 5, seconds: DAY },
}

export type LimitName = keyof AccountLimits

/**
 * Counters that must not be evicted, or filling the memory would bypass them. Their keys are folded into a fixed
 * number with a secret key.
 */
const FOLDED: ReadonlySet<LimitName> = new Set([
  'signInPerAccount',
  'secondFactorPerAccount',
  'mailPerEmailDaily',
  'mailReserve',
  'codePerEmail',
  'invitesFirstPerEmail',
  'invitesPerEmail',
])
const FOLDS = 2 ** 14
/** Keys of every other counter; the least recently used is evicted. */
const KEYS_MAX = 20_000

/** Count before trying, so that parallel requests cannot slip through. */
export interface Limiter {
  /** Counts one try per pair. Refuses with 429 and `Retry-After` if one is exhausted. */
  take(code: string, what: PartId, ...counts: [LimitName, string][]): Promise<void>
  giveBack(name: LimitName, key: string): Promise<void>
  forget(name: LimitName, key: string): Promise<void>
  begin(name: LimitName, key: string): Promise<void>
  has(name: LimitName, key: string): Promise<boolean>
  tryOne(name: LimitName, key: string): Promise<boolean>
}

export function createLimiter(limits: AccountLimits = ACCOUNT_LIMITS): Limiter {
  const names = Object.keys(limits) as LimitName[]
  const counters = new Map(names.map((name) => [name, new Counter(name, limits[name])]))
  const of = (name: LimitName) => counters.get(name)!

  return {
    async take(code, what, ...counts) {
      for (const [name, key] of counts) {
        const result = await of(name).consume(key)
        if (result.ok) continue
        const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
        throw new Refusal(429, code, tooMany(what, seconds)).with({ 'Retry-After': String(seconds) })
      }
    },
    giveBack: (name, key) => of(name).giveBack(key),
    forget: (name, key) => of(name).forget(key),
    begin: (name, key) => of(name).begin(key),
    has: (name, key) => of(name).has(key),
    tryOne: async (name, key) => (await of(name).consume(key)).ok,
  }
}

type LimiterResult = { ok: true } | { ok: false; msBeforeNext: number }

class Counter {
  readonly #limiter: RateLimiterMemory
  readonly #seconds: number
  readonly #folding: Buffer | null
  readonly #keys = new Set<string>()

  constructor(name: LimitName, { points, seconds }: Limit) {
    this.#limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
    this.#seconds = seconds
    this.#folding = FOLDED.has(name) ? randomBytes(32) : null
  }

  async consume(given: string): Promise<LimiterResult> {
    try {
      await this.#limiter.consume(this.#touch(given))
      return { ok: true }
    } catch (error) {
      if (error instanceof RateLimiterRes) return { ok: false, msBeforeNext: error.msBeforeNext }
      throw error
    }
  }

  async giveBack(given: string): Promise<void> {
    const key = this.#key(given)
    // Expired counts give no credit for the next window.
    if (((await this.#limiter.get(key))?.consumedPoints ?? 0) > 0) await this.#limiter.reward(key)
  }

  async forget(given: string): Promise<void> {
    const key = this.#key(given)
    this.#keys.delete(key)
    await this.#limiter.delete(key)
  }

  async begin(given: string): Promise<void> {
    await this.#limiter.set(this.#touch(given), 0, this.#seconds)
  }

  async has(given: string): Promise<boolean> {
    return (await this.#limiter.get(this.#key(given))) !== null
  }

  #key(given: string): string {
    if (!this.#folding) return given
    const hash = createHmac('sha256', this.#folding).update(given).digest()
    return String(hash.readUInt32LE() % FOLDS)
  }

  #touch(given: string): string {
    const key = this.#key(given)
    this.#keys.delete(key)
    this.#keys.add(key)
    const [oldest] = this.#keys
    if (this.#keys.size > KEYS_MAX && oldest !== undefined) {
      this.#keys.delete(oldest)
      void this.#limiter.delete(oldest)
    }
    return key
  }
}

function tooMany(what: PartId, seconds: number): RefusalText {
  if (seconds < 90) return tell('request.wait.seconds', { what, count: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90
    ? tell('request.wait.minutes', { what, count: minutes })
    : tell('request.wait.hours', { what, count: Math.ceil(minutes / 60) })
}
