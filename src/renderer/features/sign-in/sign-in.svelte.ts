import type { Connection } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { go } from '../../core/router.svelte.ts'
import type { Words } from '../../messages/t.svelte.ts'

/** The steps of signing in. */
export type Step = 'password' | 'second-factor' | 'token' | 'register' | 'confirm' | 'forgot' | 'reset'

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

  constructor(again: Connection | null) {
    if (!again) return
    this.baseUrl = again.baseUrl
    this.email = again.user?.email ?? ''
  }

  to(step: Step, said: Words | null = null): void {
    this.step = step
    this.said = said
  }

  /** Signed in: the secrets are forgotten and the new connection is shown. */
  done(connection: Connection): void {
    this.password = ''
    panel.take(connection)
    go({ view: 'connection', connectionId: connection.id }, { replace: true })
  }
}
