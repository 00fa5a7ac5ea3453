import type { Connection } from '../../../contract/bridge/values.ts'
import { hostKindOf, type HostKind } from '../../../contract/rules/hosts.ts'
import { splitUser } from '../../../contract/rules/sftp.ts'
import { asProblem, call, type ProblemData } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import { beforeSignIn, go, stillHere } from '../../core/routes/router.svelte.ts'
import { t, type Words } from '../../messages/t.svelte.ts'
import { notify } from '../../ui/feedback/notices.svelte.ts'

export type Step =
  | 'password'
  | 'key'
  | 'sftp'
  | 'passphrase'
  | 'google'
  | 'second-factor'
  | 'token'
  | 'register'
  | 'confirm'
  | 'forgot'
  | 'reset'

/** Shared by all steps, so nothing has to be typed twice. */
export class SignInDraft {
  step = $state<Step>('password')
  baseUrl = $state('')
  email = $state('')
  name = $state('')
  /** At a host of SFTP. */
  user = $state('')
  /** The key that this host shows; null until it was asked for. */
  hostKey = $state.raw<string | null>(null)
  password = $state('')
  newPassword = $state('')
  token = $state('')
  /** Of a private key. */
  passphrase = $state('')
  code = $state('')
  codeSent = $state(false)
  said = $state.raw<Words | null>(null)

  /** Why this address can't be used at all. */
  refusal = $state.raw<ProblemData | null>(null)
  #looked = ''
  #looking: Promise<void> = Promise.resolve()

  readonly #again: Connection | null
  readonly #isHere = stillHere()

  constructor(again: Connection | null) {
    this.#again = again
    if (!again) return
    this.baseUrl = again.baseUrl
    const host = hostKindOf(again.baseUrl)
    if (host === 'sftp') {
      this.#takeSftp(again.baseUrl)
      // Its key is still to be asked for.
      this.#looked = ''
    } else if (host) this.step = 'key'
    this.email = again.user?.email ?? ''
  }

  /** As sent. */
  get address(): { baseUrl: string; email: string } {
    return { baseUrl: this.baseUrl.trim(), email: this.email.trim() }
  }

  /** The kind of host that the address is of; null for a service. */
  get host(): HostKind | null {
    return hostKindOf(this.baseUrl.trim())
  }

  /** A host with an API of its own wants a key in place of a password; one of SFTP a user, too. */
  recognize(): Promise<void> {
    const typed = this.baseUrl
    const asks = ['password', 'token', 'key', 'sftp'].includes(this.step)
    if (asks && typed.trim() !== '' && this.#looked !== typed) {
      this.#looked = typed
      this.#looking = this.#lookAt(typed)
    }
    return this.#looking
  }

  async #lookAt(typed: string): Promise<void> {
    this.refusal = null
    this.hostKey = null
    try {
      const isKnown = this.host !== null && this.host !== 'sftp'
      const baseUrl = isKnown ? typed : await call('connections.recognize', { baseUrl: typed })
      if (this.baseUrl !== typed) return
      // A step begins empty, but not for whoever typed on meanwhile.
      const { token } = this
      if (baseUrl === null) {
        if (this.step === 'key' || this.step === 'sftp') this.to('password')
      } else if (hostKindOf(baseUrl) === 'sftp') this.#takeSftp(baseUrl)
      else {
        this.baseUrl = this.#looked = baseUrl
        this.to('key')
      }
      this.token = token
      if (baseUrl !== null && hostKindOf(baseUrl) === 'sftp') await this.#askHostKey()
    } catch (error) {
      // Without an answer it may be a service: what it says itself tells.
      const problem = asProblem(error)
      if (this.baseUrl === typed && problem.code === 'bad-address') this.refusal = problem
    }
  }

  #takeSftp(baseUrl: string): void {
    const { address, user } = splitUser(baseUrl)
    if (user !== '') this.user = user
    this.baseUrl = this.#looked = address
    if (this.step !== 'sftp') this.to('sftp')
  }

  async #askHostKey(): Promise<void> {
    const { baseUrl } = this
    try {
      const hostKey = await call('connections.host-key', { baseUrl })
      if (this.baseUrl === baseUrl) this.hostKey = hostKey
    } catch (error) {
      if (this.baseUrl !== baseUrl) return
      this.refusal = asProblem(error)
      this.#looked = ''
    }
  }

  to(step: Step, said: Words | null = null): void {
    this.token = ''
    this.passphrase = ''
    this.code = ''
    this.newPassword = ''
    this.step = step
    this.said = said
  }

  done(connection: Connection): void {
    this.password = ''
    this.passphrase = ''
    this.token = ''
    panel.take(connection)
    if (connection.tokenKept === 'memory')
      notify({ tone: 'warning', brief: true, text: () => t('sign-in.no-keychain') })
    if (!this.#isHere()) return
    const before = connection.id === this.#again?.id ? beforeSignIn() : null
    go(before ?? { view: 'connection', connectionId: connection.id }, { replace: true })
  }
}
