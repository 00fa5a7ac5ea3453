import type { Connection } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { beforeSignIn, go, stillHere } from '../../core/routes/router.svelte.ts'
import { t, type Words } from '../../messages/t.svelte.ts'
import { notify } from '../../ui/feedback/notices.svelte.ts'

export type Step =
  'password' | 'google' | 'second-factor' | 'token' | 'register' | 'confirm' | 'forgot' | 'reset'

/** Shared by all steps, so nothing has to be typed twice. */
export class SignInDraft {
  step = $state<Step>('password')
  baseUrl = $state('')
  email = $state('')
  name = $state('')
  password = $state('')
  newPassword = $state('')
  token = $state('')
  code = $state('')
  codeSent = $state(false)
  said = $state.raw<Words | null>(null)

  readonly #again: Connection | null
  readonly #isHere = stillHere()

  constructor(again: Connection | null) {
    this.#again = again
    if (!again) return
    this.baseUrl = again.baseUrl
    this.email = again.user?.email ?? ''
  }

  /** As sent. */
  get address(): { baseUrl: string; email: string } {
    return { baseUrl: this.baseUrl.trim(), email: this.email.trim() }
  }

  to(step: Step, said: Words | null = null): void {
    this.token = ''
    this.code = ''
    this.newPassword = ''
    this.step = step
    this.said = said
  }

  done(connection: Connection): void {
    this.password = ''
    this.token = ''
    panel.take(connection)
    if (connection.tokenKept === 'memory')
      notify({ tone: 'warning', brief: true, text: () => t('sign-in.no-keychain') })
    if (!this.#isHere()) return
    const before = connection.id === this.#again?.id ? beforeSignIn() : null
    go(before ?? { view: 'connection', connectionId: connection.id }, { replace: true })
  }
}
