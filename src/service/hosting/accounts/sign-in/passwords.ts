import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { PasswordQueue, type Waiter } from './password-queue.ts'

/** N = 2^log2N; memory is 128·N·r bytes. Older hashes keep their cost. */
export interface PasswordCost {
  log2N: number
  r: number
  p: number
}

/** 32 MiB, a fifth of a second on one core; OWASP's equivalent of N=2^17, p=1 with a quarter of the memory. */
export const PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }

export interface Passwords {
  /** `scrypt$log2N$r$p$salt$hash`, salt and hash in base64url. */
  hash(password: string, who: Waiter): Promise<string>
  /** Takes the same time without a hash, and is then false. */
  verify(password: string, hash: string | null, who: Waiter): Promise<boolean>
}

export function createPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const queue = new PasswordQueue()
  const written = (salt: Buffer, key: Buffer) =>
    ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
  // Compared for accounts without a password. Random bytes suffice: nobody knows a matching password.
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
  // The same letters typed on two keyboards can differ in bytes.
  const typed = password.normalize('NFKC')
  return new Promise((resolve, reject) =>
    scrypt(typed, salt, length, options, (error, key) => (error ? reject(error) : resolve(key))),
  )
}
