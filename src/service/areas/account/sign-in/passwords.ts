import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { FairQueue, type QueueBounds, type Waiter } from './fair-queue.ts'

/** Cost of a new hash: N = 2^log2N; memory is 128·N·r bytes. Older hashes keep the cost they were made with. */
export interface PasswordCost {
  log2N: number
  r: number
  p: number
}

/** 32 MiB and a fifth of a second of one core; what OWASP gives as equal to N=2^17, p=1, in a quarter of the memory. */
export const PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }

/** More at once would starve the files and names of libuv's four threads. */
const BOUNDS: QueueBounds = { atOnce: 2, waiting: 100, waitingPerGroup: 16 }

export interface Passwords {
  /** `scrypt$log2N$r$p$salt$hash`, salt and hash in base64url. */
  hash(password: string, who: Waiter): Promise<string>
  /** Whether the password fits. Takes the same time where there is no hash, and then is false. */
  verify(password: string, hash: string | null, who: Waiter): Promise<boolean>
}

export function createPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const queue = new FairQueue(BOUNDS)
  const written = (salt: Buffer, key: Buffer) =>
    ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
  // What an account that does not exist, or has no password, is compared with: the hash of no password that anybody knows.
  // Any bytes are that, so nothing has to be derived for it when a service starts.
  const nobody = written(randomBytes(16), randomBytes(32))
  return {
    async hash(password, who) {
      const salt = randomBytes(16)
      return written(salt, await queue.run(who, () => derive(password, salt, cost, 32)))
    },
    async verify(password, stored, who) {
      const [, log2N, r, p, salt = '', wanted = ''] = (stored ?? nobody).split('$')
      const key = Buffer.from(wanted, 'base64url')
      const storedCost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
      const found = await queue.run(who, () =>
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
