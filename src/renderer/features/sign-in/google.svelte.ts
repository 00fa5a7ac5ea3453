import type { GoogleSignInStart, GoogleOutcome } from '../../../contract/bridge/values.ts'
import { asProblem, call, type Problem } from '../../core/bridge.ts'
import type { Connection } from '../../../contract/bridge/values.ts'
import { currentLanguage, t } from '../../messages/t.svelte.ts'

export class GoogleOffer {
  #seen = $state.raw<{ baseUrl: string; offered: boolean } | null>(null)

  isOffered(baseUrl: string): boolean {
    return this.#seen?.offered === true && this.#seen.baseUrl === baseUrl.trim()
  }

  look(typed: string): void {
    const baseUrl = typed.trim()
    if (baseUrl === '' || this.#seen?.baseUrl === baseUrl) return
    const seen = { baseUrl, offered: false }
    this.#seen = seen
    call('account.google-offered', { baseUrl }).then(
      (offered) => {
        if (this.#seen === seen && offered) this.#seen = { baseUrl, offered }
      },
      // An invalid address is reported on submit.
      () => undefined,
    )
  }
}

export type GoogleStage =
  | { kind: 'beginning' }
  | { kind: 'waiting'; begun: GoogleSignInStart }
  | { kind: 'asked'; for: 'password' | 'second-factor' }
  | { kind: 'ended'; why: Extract<GoogleOutcome, { kind: 'ended' }>['why'] }
  | { kind: 'failed'; problem: Problem }

export class GoogleSignIn {
  #stage = $state.raw<GoogleStage>({ kind: 'beginning' })
  #id: string | null = null
  /** Attempt counter, so the end of an abandoned one is ignored. */
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

  /** Throws a `Problem` if refused; it may be called again then. */
  async give(given: { password?: string; code?: string }): Promise<void> {
    this.#password = given.password ?? this.#password
    await this.#finish(this.#tries, given.code)
  }

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

/** Undefined for unknown codes. */
export function refusalOf({ serviceCode = '' }: Problem): string | undefined {
  return Object.hasOwn(REFUSALS, serviceCode) ? t(REFUSALS[serviceCode as keyof typeof REFUSALS]) : undefined
}
