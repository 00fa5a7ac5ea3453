import type { GoogleBegun, GoogleOutcome } from '../../../contract/bridge/values.ts'
import { asProblem, call, type Problem } from '../../core/bridge.ts'
import type { Connection } from '../../../contract/bridge/values.ts'
import { currentLanguage, t } from '../../messages/t.svelte.ts'

/** Whether the service at an address has signing in with Google: asked once an address was entered. */
export class GoogleOffer {
  /** The address that was looked at last, and what it was found to be. */
  #seen = $state.raw<{ baseUrl: string; offered: boolean } | null>(null)

  isOffered(baseUrl: string): boolean {
    return this.#seen?.offered === true && this.#seen.baseUrl === baseUrl.trim()
  }

  /** Asks the service, unless that was done for this address. */
  look(typed: string): void {
    const baseUrl = typed.trim()
    if (baseUrl === '' || this.#seen?.baseUrl === baseUrl) return
    const seen = { baseUrl, offered: false }
    this.#seen = seen
    call('account.google-offered', { baseUrl }).then(
      (offered) => {
        if (this.#seen === seen && offered) this.#seen = { baseUrl, offered }
      },
      // An address that is none says so when it is sent.
      () => undefined,
    )
  }
}

export type GoogleStage =
  | { kind: 'beginning' }
  | { kind: 'waiting'; begun: GoogleBegun }
  | { kind: 'asked'; for: 'password' | 'second-factor' }
  | { kind: 'ended'; why: Extract<GoogleOutcome, { kind: 'ended' }>['why'] }
  | { kind: 'failed'; problem: Problem }

/** One sign-in through the browser, as its view shows it. */
export class GoogleSignIn {
  #stage = $state.raw<GoogleStage>({ kind: 'beginning' })
  #id: string | null = null
  /** Counts the tries, so that the end of one that was given up is nothing to the next. */
  #tries = 0
  #password: string | undefined
  readonly #done: (connection: Connection) => void

  constructor(done: (connection: Connection) => void) {
    this.#done = done
  }

  get stage(): GoogleStage {
    return this.#stage
  }

  async begin(baseUrl: string): Promise<void> {
    this.leave()
    const own = this.#tries
    this.#stage = { kind: 'beginning' }
    try {
      const begun = await call('account.begin-google', { baseUrl: baseUrl.trim() })
      if (own !== this.#tries)
        return void call('account.cancel-google', { id: begun.id }).catch(() => undefined)
      this.#id = begun.id
      this.#stage = { kind: 'waiting', begun }
      await this.#finish(own)
    } catch (thrown) {
      if (own === this.#tries) this.#stage = { kind: 'failed', problem: asProblem(thrown) }
    }
  }

  async reopen(): Promise<void> {
    const stage = this.#stage
    if (stage.kind !== 'waiting') return
    const opened = await call('account.reopen-google', { id: stage.begun.id })
    if (this.#stage === stage) this.#stage = { kind: 'waiting', begun: { ...stage.begun, opened } }
  }

  /** Gives what the service has asked for. Throws a `Problem` where it refuses that; then it can be given again. */
  async give(given: { password?: string; code?: string }): Promise<void> {
    this.#password = given.password ?? this.#password
    await this.#finish(this.#tries, given.code)
  }

  /** Nobody waits for it any more. */
  leave(): void {
    this.#tries += 1
    this.#password = undefined
    const id = this.#id
    this.#id = null
    if (id !== null) call('account.cancel-google', { id }).catch(() => undefined)
  }

  async #finish(own: number, code?: string): Promise<void> {
    if (this.#id === null) return
    const outcome = await call('account.finish-google', {
      id: this.#id,
      language: currentLanguage(),
      ...(this.#password !== undefined && { password: this.#password }),
      ...(code !== undefined && { code }),
    })
    if (own !== this.#tries) return
    if (outcome.kind !== 'signed-in') {
      this.#stage = outcome
      return
    }
    this.#id = null
    this.#password = undefined
    this.#done(outcome.connection)
  }
}

const REFUSALS = {
  'account.google-unverified': 'google.unverified',
  'account.google-no-email': 'google.no-email',
  'account.google-code': 'google.code',
  'account.registration-off': 'google.registration-off',
  'account.wrong-credentials': 'sign-in.wrong',
} as const

/** Why the service has refused, in the person's language; undefined where it says something else. */
export function refusalOf({ serviceCode = '' }: Problem): string | undefined {
  return Object.hasOwn(REFUSALS, serviceCode) ? t(REFUSALS[serviceCode as keyof typeof REFUSALS]) : undefined
}
