import type { Clock } from '../../../base/clock.ts'
import { hashSecret, newSecret, sameSecret } from '../../secrets.ts'
import type { Checks, Identity } from './provider.ts'

/** Time for the person in the browser, then for the panel with the code, in milliseconds. */
export const PENDING_MS = 10 * 60 * 1000
export const CODE_MS = 5 * 60 * 1000
/** Passwords and second factors tried per code. */
const TRIES = 5
/** Of each kind; beyond that, the oldest go. */
const MOST = 10_000

export interface AuthorizationRequest {
  redirectUri: string
  state: string
  codeChallenge: string
}

export interface PendingSignIn extends AuthorizationRequest {
  checks: Checks
}

export interface VerifiedSignIn {
  identity: Identity
  codeChallenge: string
  triesLeft: number
}

/** Sign-ins under way, in memory only. Keyed by the hash of their secret, so that lookups leak no timing. */
export class SignInRegistry {
  readonly #pending: ExpiringMap<PendingSignIn & { browserHash: string }>
  readonly #arrived: ExpiringMap<VerifiedSignIn>

  constructor(clock: Clock) {
    this.#pending = new ExpiringMap(clock, PENDING_MS)
    this.#arrived = new ExpiringMap(clock, CODE_MS)
  }

  begin(asked: AuthorizationRequest, browser: string): PendingSignIn {
    const pending = {
      ...asked,
      checks: { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() },
    }
    this.#pending.add(pending.checks.state, { ...pending, browserHash: hashSecret(browser) })
    return pending
  }

  /** A state works once, and only in the browser that began it; else null. */
  back(state: string, browser: string): PendingSignIn | null {
    const pending = this.#pending.get(state)
    // Kept, so that other browsers cannot end it.
    if (!pending || !sameSecret(pending.browserHash, hashSecret(browser))) return null
    this.#pending.remove(state)
    return pending
  }

  arrived(identity: Identity, codeChallenge: string): string {
    const code = newSecret()
    this.#arrived.add(code, { identity, codeChallenge, triesLeft: TRIES })
    return code
  }

  /** A wrong verifier voids the code. */
  find(code: string, codeVerifier: string): VerifiedSignIn | null {
    const arrived = this.#arrived.get(code)
    if (!arrived) return null
    const challenge = hashSecret(codeVerifier)
    if (sameSecret(challenge, arrived.codeChallenge) && arrived.triesLeft > 0) return arrived
    this.#arrived.remove(code)
    return null
  }

  use(code: string): boolean {
    return this.#arrived.remove(code)
  }
}

class ExpiringMap<T> {
  readonly #clock: Clock
  readonly #goodForMs: number
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
    this.#values.set(hashSecret(secret), { value, at: now })
  }

  get(secret: string): T | null {
    const kept = this.#values.get(hashSecret(secret))
    return kept && this.#clock.elapsed() - kept.at < this.#goodForMs ? kept.value : null
  }

  remove(secret: string): boolean {
    return this.#values.delete(hashSecret(secret))
  }
}
