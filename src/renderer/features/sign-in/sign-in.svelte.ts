import type { Connection } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { beforeSignIn, go } from '../../core/routes/router.svelte.ts'
import type { Words } from '../../messages/t.svelte.ts'

/** The steps of signing in. */
export type Step =
  'password' | 'google' | 'second-factor' | 'token' | 'register' | 'confirm' | 'forgot' | 'reset'

/** What the steps share, so that nothing has to be typed twice. */
export class SignInDraft {
  step = $state<Step>('password')
  baseUrl = $state('')
  email = $state('')
  name = $state('')
  password = $state('')
  /** A code is known to have been sent. */
  codeSent = $state(false)
  /** Something good to say at the top of the next step. */
  said = $state.raw<Words | null>(null)

  readonly #again: Connection | null

  constructor(again: Connection | null) {
    this.#again = again
    if (!again) return
    this.baseUrl = again.baseUrl
    this.email = again.user?.email ?? ''
  }

  to(step: Step, said: Words | null = null): void {
    this.step = step
    this.said = said
  }

  /** Signed in: the secrets are forgotten, and what was shown before is shown again, or else the new connection. */
  done(connection: Connection): void {
    this.password = ''
    panel.take(connection)
    const before = connection.id === this.#again?.id ? beforeSignIn() : null
    go(before ?? { view: 'connection', connectionId: connection.id }, { replace: true })
  }
}
