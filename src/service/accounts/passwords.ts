import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { Refusal } from '../refusal.ts'

/** Cost of a new hash: N = 2^log2N; memory is 128·N·r bytes. Older hashes keep the cost they were made with. */
export interface PasswordCost {
  log2N: number
  r: number
  p: number
}

/** 32 MiB and a fifth of a second of one core; what OWASP gives as equal to N=2^17, p=1, in a quarter of the memory. */
export const PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }

/** Hashes worked on at once, and how many may wait. More would starve the files and names of libuv's four threads. */
const AT_ONCE = 2
const WAITING_MAX = 100

export interface Passwords {
  /** `scrypt$log2N$r$p$salt$hash`, salt and hash in base64url. */
  hash(password: string): Promise<string>
  /** Whether the password fits. Takes the same time where there is no hash, and then is false. */
  verify(password: string, hash: string | null): Promise<boolean>
}

export function createPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const inTurn = gate()
  const hash = async (password: string) => {
    const salt = randomBytes(16)
    const key = await inTurn(() => derive(password, salt, cost, 32))
    return ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(
      '$',
    )
  }
  // Nobody's password: what an account that does not exist, or has no password, is compared with.
  const nobody = hash(randomBytes(32).toString('base64url'))
  // Whoever verifies hears of a failure; here it would only be an unhandled rejection.
  nobody.catch(() => {})
  return {
    hash,
    async verify(password, stored) {
      const [, log2N, r, p, salt = '', wanted = ''] = (stored ?? (await nobody)).split('$')
      const key = Buffer.from(wanted, 'base64url')
      const storedCost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
      const found = await inTurn(() =>
        derive(password, Buffer.from(salt, 'base64url'), storedCost, key.length),
      )
      return timingSafeEqual(found, key) && stored !== null
    },
  }
}

function derive(password: string, salt: Buffer, cost: PasswordCost, length: number): Promise<Buffer> {
  const N = 2 ** cost.log2N
  const options: ScryptOptions = { N, r: cost.r, p: cost.p, maxmem: 256 * N * cost.r }
  // One password, one form: the same letters typed on two keyboards can differ in bytes.
  const typed = password.normalize('NFKC')
  return new Promise((resolve, reject) =>
    scrypt(typed, salt, length, options, (error, key) => (error ? reject(error) : resolve(key))),
  )
}

function gate() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX) {
        const headers = { 'Retry-After': '5' }
        throw new Refusal(
          429,
          'service.busy',
          'Too many people sign in at this moment. Try again in a few seconds.',
          {
            headers,
          },
        )
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      // The place is handed on, not given back, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
