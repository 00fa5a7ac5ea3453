import { type PartId, tell, type Told } from '../../../../contract/messages/refusals/index.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../../../base/refusal.ts'

/** So many times in so many seconds. */
export interface Limit {
  points: number
  seconds: number
}

/**
 * How often things may be tried. They are counted in memory: a restart forgives, and nobody outside can cause one.
 *
 * "Address" is an address group (`addressGroup`). What strangers do is counted together where it would otherwise add up:
 * wrong passwords of an account, mails to it, guesses at its codes. Such a count can be used up by whoever has addresses
 * enough, so an address that has signed in to the account before is never counted with strangers, but by itself.
 *
 * An owner at a new address looks like a stranger. So each new address has something that no other can use up: its first
 * three passwords a day (who knows the password gets in with the first), as long as its network has not tried 30. And when
 * strangers have used up the day's mails, an address that has not asked that day gets one of a reserve, which is filled
 * again every two hours: a shorter time would let strangers have more codes to guess at.
 *
 * What that opens: strangers guess 2,400 passwords of an account a day together, and 3 more for each address they have (30
 * for each network), as far as the queue of passwords takes them at all. A mailbox gets at most 22 mails a day by strangers
 * (10, and 12 of the reserve). Six digits stand 110 guesses a day of those who ask (22 mails, 5 tries, each held against two
 * codes: their own and the newest) and 20 of those who do not ask: 1 in 4,000 a day that strangers together hit a code.
 *
 * Who knows a password guesses 30 codes of its second factor a day, by all strange addresses together, and three codes are
 * good at a time: 1 in 11,000 a day. Its owner gets in all the same, from a known address or with a recovery code.
 */
export interface AccountLimits {
  /** Wrong passwords for one account from one address that is known to it … */
  signInKnown: Limit
  /** … and from one that is not. */
  signInPerPair: Limit
  /** The first of those, which strangers elsewhere cannot use up: they are not counted with the account's. */
  signInFirst: Limit
  /** All first ones for one account from one network, in which somebody may have very many addresses. */
  signInFirstPerNetwork: Limit
  /** Further wrong passwords for one account from all that are not known, so that many together guess no faster. */
  signInPerAccount: Limit
  /** Wrong passwords from one address for whatever accounts do not know it. */
  signInPerAddress: Limit
  /** Wrong codes of the second factor at sign-in, whose password was right: for one account from one address … */
  secondFactorPerPair: Limit
  /** … from one address that is known to it … */
  secondFactorKnownDaily: Limit
  /** … and from all that are not known together: six digits, of which three are good at a time. */
  secondFactorPerAccount: Limit
  /** Wrong codes with what asks for one, by the token that sends them. */
  secondFactorPerToken: Limit
  /** Mails that the second factor was turned on or off, to one account. */
  secondFactorMails: Limit
  /** Mails that an identity was linked or unlinked, to one account. */
  identityMails: Limit
  /** Wrong current passwords, by the token that asks for another one: who has stolen it does not guess for ever. */
  passwordPerToken: Limit
  /** Mails with a code to one email, asked for from one address that is known to it, so that a mailbox is not filled … */
  mailKnown: Limit
  mailKnownDaily: Limit
  /** … and from one that is not. */
  mailPerPair: Limit
  mailPerPairDaily: Limit
  /** Mails to one email from all that are not known: five tries per code stay few tries per day. */
  mailPerEmailDaily: Limit
  /** Whether an address that is not known has asked for a mail to one email on this day … */
  mailFirst: Limit
  /** … since those that have not get further mails when strangers have used up the day's. */
  mailReserve: Limit
  mailPerAddress: Limit
  /** Tries of codes for one email from an address that asked for one; a new code starts them afresh. */
  codePerAsker: Limit
  /** Tries of codes for one email from all that did not ask for one: the way from one's phone to one's computer. */
  codePerEmail: Limit
  codePerAddress: Limit
  /** Wrong secrets of the parent process from one address. A right one is never refused. */
  localPerAddress: Limit
  /** Sign-ins at an identity provider that one address begins: each is remembered, and takes the provider's time. */
  googlePerAddress: Limit
  /** Promocodes that do not exist: tries of one account, of which the first of a day are not counted with its address … */
  promoPerAccount: Limit
  promoFirst: Limit
  /** … and tries of all accounts at one address. */
  promoPerAddress: Limit
  /** Invitations by mail of one account, to whomever … */
  invitesPerAccount: Limit
  /** … and to one email. */
  invitesPerPair: Limit
  /** The first of an account to an email that day: others cannot use it up, only very many of them all of those together … */
  inviteFirst: Limit
  invitesFirstPerEmail: Limit
  /** … and the further ones to one email, of all accounts together, so that its mailbox is not filled. */
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
 * Counts that must not be forgotten to make room, or filling the memory would be a way around them. Their keys, which
 * anybody can invent, are folded into so many by a key nobody knows.
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
/** Keys of every other count; of more the one that was not used for longest is forgiven. */
const KEYS_MAX = 20_000

/** Counts tries. Everything is counted before it is tried, so that many at once cannot slip through. */
export interface Limiter {
  /** Counts one try for each pair of limit and key. Refuses with 429 and `Retry-After` where one is used up. */
  take(code: string, what: PartId, ...counts: [LimitName, string][]): Promise<void>
  /** Takes one try back: it was a good one. */
  giveBack(name: LimitName, key: string): Promise<void>
  /** Forgets all tries of a key. */
  forget(name: LimitName, key: string): Promise<void>
  /** Begins to count a key afresh, with none tried. */
  begin(name: LimitName, key: string): Promise<void>
  /** Whether this key is being counted. */
  has(name: LimitName, key: string): Promise<boolean>
  /** Counts one try; false where they are used up. */
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

type Consumed = { ok: true } | { ok: false; msBeforeNext: number }

/** One limit, with a bound on the memory that its keys take. */
class Counter {
  readonly #limiter: RateLimiterMemory
  readonly #seconds: number
  readonly #folding: Buffer | null
  /** The one that was not used for longest is the first. */
  readonly #keys = new Set<string>()

  constructor(name: LimitName, { points, seconds }: Limit) {
    this.#limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
    this.#seconds = seconds
    this.#folding = FOLDED.has(name) ? randomBytes(32) : null
  }

  async consume(given: string): Promise<Consumed> {
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
    // Where its time is over there is nothing to give back, and no credit to be had for the next.
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

  /** The key it is counted by. */
  #key(given: string): string {
    if (!this.#folding) return given
    const hash = createHmac('sha256', this.#folding).update(given).digest()
    return String(hash.readUInt32LE() % FOLDS)
  }

  /** The key it is counted by, for which there is room now. */
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

function tooMany(what: PartId, seconds: number): Told {
  if (seconds < 90) return tell('request.wait.seconds', { what, count: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90
    ? tell('request.wait.minutes', { what, count: minutes })
    : tell('request.wait.hours', { what, count: Math.ceil(minutes / 60) })
}
