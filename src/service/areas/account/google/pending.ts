import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../base/clock.ts'
import { hashToken, sameSecret } from '../sign-in/secrets.ts'
import type { Checks, Identity } from './provider.ts'

/** How long the person may take in the browser, and the panel with the code afterwards, in milliseconds. */
export const PENDING_MS = 10 * 60 * 1000
export const CODE_MS = 5 * 60 * 1000
/** So many passwords and second factors are tried with one code. */
const TRIES = 5
/** Of each kind; the oldest goes where there are more. An address can begin few in that time. */
const MOST = 10_000

/** What a program has asked for when it began. */
export interface Asked {
  redirectUri: string
  state: string
  codeChallenge: string
}

/** A sign-in that is at the provider. */
export interface Pending extends Asked {
  checks: Checks
}

/** Somebody who was at the provider, whom a code stands for. */
export interface Arrived {
  identity: Identity
  codeChallenge: string
  triesLeft: number
}

/** New 256 random bits, as a state, a nonce, a verifier or a code. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Sign-ins that are under way, in memory: a restart forgets them, and people begin again. They are kept by the hash of
 * their secret, so that looking one up tells nothing by time.
 */
export class SignInsUnderWay {
  readonly #pending: Kept<Pending & { browserHash: string }>
  readonly #arrived: Kept<Arrived>

  constructor(clock: Clock) {
    this.#pending = new Kept(clock, PENDING_MS)
    this.#arrived = new Kept(clock, CODE_MS)
  }

  /** @param browser what the browser that began is known by */
  begin(asked: Asked, browser: string): Pending {
    const pending = {
      ...asked,
      checks: { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() },
    }
    this.#pending.add(pending.checks.state, { ...pending, browserHash: hashToken(browser) })
    return pending
  }

  /** The sign-in of a state, which is good once, and in the browser that began it alone; null where there is none. */
  back(state: string, browser: string): Pending | null {
    const pending = this.#pending.get(state)
    // Of another browser it stays: nobody can end it for who has begun.
    if (!pending || !sameSecret(pending.browserHash, hashToken(browser))) return null
    this.#pending.remove(state)
    return pending
  }

  /** A code for whom the provider has told of. */
  arrived(identity: Identity, codeChallenge: string): string {
    const code = newSecret()
    this.#arrived.add(code, { identity, codeChallenge, triesLeft: TRIES })
    return code
  }

  /** Whom a code stands for; one that is tried with a wrong verifier is good for nothing any more. */
  find(code: string, codeVerifier: string): Arrived | null {
    const arrived = this.#arrived.get(code)
    if (!arrived) return null
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
    if (sameSecret(challenge, arrived.codeChallenge) && arrived.triesLeft > 0) return arrived
    this.#arrived.remove(code)
    return null
  }

  /** Uses a code up; false where that was done meanwhile. */
  use(code: string): boolean {
    return this.#arrived.remove(code)
  }
}

/** Values by the hash of a secret, each for so long. */
class Kept<T> {
  readonly #clock: Clock
  readonly #goodForMs: number
  /** The oldest is the first. */
  readonly #values = new Map<string, { value: T; at: number }>()

  constructor(clock: Clock, goodForMs: number) {
    this.#clock = clock
    this.#goodForMs = goodForMs
  }

  add(secret: string, value: T): void {
    const now = this.#clock.elapsed()
    for (const [key, { at }] of this.#values) {
      if (this.#values.size < MOST && now - at < this.#goodForMs) break
      this.#values.delete(key)
    }
    this.#values.set(hashToken(secret), { value, at: now })
  }

  get(secret: string): T | null {
    const kept = this.#values.get(hashToken(secret))
    return kept && this.#clock.elapsed() - kept.at < this.#goodForMs ? kept.value : null
  }

  remove(secret: string): boolean {
    return this.#values.delete(hashToken(secret))
  }
}
