import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../refusal.ts'

/** So many times in so many seconds. */
export interface Limit {
  points: number
  seconds: number
}

/** How often things may be tried. They are counted in memory: a restart forgives, and nobody outside can cause one. */
export interface AccountLimits {
  /** Wrong passwords for one account from one address. */
  signInPerPair: Limit
  /** Wrong passwords for one account from anywhere, so that many addresses together guess no faster. */
  signInPerAccount: Limit
  /** Wrong passwords from one address, for whatever accounts. */
  signInPerAddress: Limit
  /** Mails with a code to one address, so that resending is no way to fill a mailbox … */
  mailPerEmail: Limit
  /** … and that five tries per code stay few tries per day. */
  mailPerEmailDaily: Limit
  mailPerAddress: Limit
  /** Tries of codes for one email; a new code starts them afresh. */
  codePerEmail: Limit
  codePerAddress: Limit
  /** Secrets of the parent process tried from one address. */
  localPerAddress: Limit
}

export const ACCOUNT_LIMITS: AccountLimits = {
  signInPerPair: { points: 10, seconds: 15 * 60 },
  signInPerAccount: { points: 100, seconds: 60 * 60 },
  signInPerAddress: { points: 50, seconds: 15 * 60 },
  mailPerEmail: { points: 3, seconds: 10 * 60 },
  mailPerEmailDaily: { points: 10, seconds: 24 * 60 * 60 },
  mailPerAddress: { points: 30, seconds: 60 * 60 },
  codePerEmail: { points: 5, seconds: 15 * 60 },
  codePerAddress: { points: 50, seconds: 15 * 60 },
  localPerAddress: { points: 20, seconds: 60 },
}

export type LimitName = keyof AccountLimits

/** Counts tries. Everything is counted before it is tried, so that many at once cannot slip through. */
export interface Limiter {
  /** Counts one try for each pair of limit and key. Refuses with 429 and `Retry-After` where one is used up. */
  take(code: string, what: string, ...counts: [LimitName, string][]): Promise<void>
  /** Takes one try back: it was a good one. */
  giveBack(name: LimitName, key: string): Promise<void>
  /** Forgets all tries of a key. */
  forget(name: LimitName, key: string): Promise<void>
  /** Counts one try; false where they are used up. */
  tryOne(name: LimitName, key: string): Promise<boolean>
}

export function createLimiter(limits: AccountLimits = ACCOUNT_LIMITS): Limiter {
  const names = Object.keys(limits) as LimitName[]
  const limiters = new Map(
    names.map((name) => {
      const { points, seconds: duration } = limits[name]
      return [name, new RateLimiterMemory({ keyPrefix: name, points, duration })]
    }),
  )
  const of = (name: LimitName) => limiters.get(name)!

  return {
    async take(code, what, ...counts) {
      for (const [name, key] of counts) {
        const result = await consume(of(name), key)
        if (result.ok) continue
        const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
        const message = `${what} Try again in ${inWords(seconds)}.`
        throw new Refusal(429, code, message, { headers: { 'Retry-After': String(seconds) } })
      }
    },
    giveBack: async (name, key) => void (await of(name).reward(key)),
    forget: async (name, key) => void (await of(name).delete(key)),
    tryOne: async (name, key) => (await consume(of(name), key)).ok,
  }
}

type Consumed = { ok: true } | { ok: false; msBeforeNext: number }

async function consume(limiter: RateLimiterMemory, key: string): Promise<Consumed> {
  try {
    await limiter.consume(key)
    return { ok: true }
  } catch (error) {
    if (error instanceof RateLimiterRes) return { ok: false, msBeforeNext: error.msBeforeNext }
    throw error
  }
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
