import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { googleSignIn } from '../../../contract/areas/google.ts'
import type { GoogleSignInStart, GoogleOutcome } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { GOOGLE_PASSWORD_ASKED, SECOND_FACTOR_ASKED } from '../../../contract/rules/sign-in.ts'
import { baseAddress } from '../../base/address.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { wireOf } from '../../api/profile/profile.ts'
import { addressOf } from '../../api/requests/request.ts'
import type { bareClients } from '../bare-clients.ts'
import type { ServiceProfiles } from '../service-profiles.ts'
import type { SignIn } from '../sign-in.ts'
import { type CallbackListener, listenForCallback } from './callback-listener.ts'

export interface GooglePorts {
  clientAt: ReturnType<typeof bareClients>
  profiles: Pick<ServiceProfiles, 'of'>
  entry: Pick<SignIn, 'exchangeGoogle'>
  openExternal: (url: string) => Promise<void>
  /** How long to wait for the browser, in ms; five minutes by default. */
  waitMs?: number
}

/** The verifier is sent to the service only. */
interface Attempt {
  id: string
  baseUrl: string
  url: string
  codeVerifier: string
  listener: CallbackListener
}

export interface GoogleAnswers {
  id: string
  password?: string | undefined
  code?: string | undefined
  language?: string | undefined
}

type EndedOutcome = Extract<GoogleOutcome, { kind: 'ended' }>

/** Statuses of a service that starts a sign-in, or only lacks parameters. */
const BEGINS = [301, 302, 303, 307, 308, 400, 422]

/** Sign-in through the system browser (RFC 8252), one at a time. */
export class GoogleSignIn {
  readonly #ports: GooglePorts
  #attempt: Attempt | null = null
  #closed = false

  constructor(ports: GooglePorts) {
    this.#ports = ports
  }

  /** Sends no request: a sign-in starts with its parameters. */
  async offered(typed: string): Promise<boolean> {
    const client = this.#ports.clientAt(baseAddress(typed))
    try {
      const { status } = await client.raw(googleSignIn.begin, { accept: BEGINS, remember: false })
      return BEGINS.includes(status)
    } catch (fault) {
      if (fault instanceof PanelProblem) return false
      throw fault
    } finally {
      client.close()
    }
  }

  /** Listens, then opens the browser. Throws `bad-address`, or `unavailable` if the profile turned it off. */
  async begin(typed: string): Promise<GoogleSignInStart> {
    const baseUrl = baseAddress(typed)
    const wire = wireOf(googleSignIn.begin, this.#ports.profiles.of(baseUrl))
    if (wire.kind === 'off')
      throw problem('unavailable', localized('answer.unavailable'), { detail: googleSignIn.begin.id })
    const [state, codeVerifier] = [newSecret(), newSecret()]
    const listener = await listenForCallback(state, this.#ports.waitMs)
    this.#attempt?.listener.cancel()
    const query = {
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    const url = addressOf(baseUrl, wire, { query }).href
    const attempt: Attempt = { id: randomUUID(), baseUrl, url, codeVerifier, listener }
    this.#attempt = attempt
    if (this.#closed) this.close()
    return { id: attempt.id, url, opened: await this.#open(url) }
  }

  async reopen(id: string): Promise<boolean> {
    const attempt = this.#find(id)
    return attempt !== null && this.#open(attempt.url)
  }

  /** Waits for the browser, then the service. Throws its refusals; requests for more input are returned. */
  async finish({ id, password, code: secondFactor, language }: GoogleAnswers): Promise<GoogleOutcome> {
    const attempt = this.#find(id)
    if (!attempt) return { kind: 'ended', why: 'canceled' }
    const callback = await attempt.listener.arrived
    if (callback.kind === 'canceled') return { kind: 'ended', why: 'canceled' }
    if (callback.kind === 'late') return this.#over(attempt, 'late')
    if (callback.kind === 'error') return this.#over(attempt, whyOf(callback.error))
    const { baseUrl, codeVerifier } = attempt
    try {
      const connection = await this.#ports.entry.exchangeGoogle({
        ...{ baseUrl, code: callback.code, codeVerifier, language, claim: () => this.#claim(attempt) },
        ...(password !== undefined && { password }),
        ...(secondFactor !== undefined && { secondFactor }),
      })
      return connection ? { kind: 'signed-in', connection } : { kind: 'ended', why: 'canceled' }
    } catch (fault) {
      const asked = fault instanceof PanelProblem ? fault.problem.serviceCode : undefined
      if (asked === GOOGLE_PASSWORD_ASKED) return { kind: 'asked', for: 'password' }
      if (asked === SECOND_FACTOR_ASKED) return { kind: 'asked', for: 'second-factor' }
      throw fault
    }
  }

  cancel(id: string): void {
    const attempt = this.#find(id)
    if (!attempt) return
    attempt.listener.cancel()
    this.#forget(attempt)
  }

  close(): void {
    this.#closed = true
    this.#attempt?.listener.close()
    this.#attempt = null
  }

  #find(id: string): Attempt | null {
    return this.#attempt?.id === id ? this.#attempt : null
  }

  #claim(attempt: Attempt): boolean {
    if (this.#attempt !== attempt) return false
    this.#attempt = null
    return true
  }

  #forget(attempt: Attempt): void {
    if (this.#attempt === attempt) this.#attempt = null
  }

  #over(attempt: Attempt, why: EndedOutcome['why']): GoogleOutcome {
    this.#forget(attempt)
    return { kind: 'ended', why }
  }

  /** If no browser opens, the person can use the address by hand. */
  #open(url: string): Promise<boolean> {
    return this.#ports.openExternal(url).then(
      () => true,
      () => false,
    )
  }
}

function whyOf(error: string): EndedOutcome['why'] {
  if (error === 'access_denied') return 'refused'
  return error === 'temporarily_unavailable' ? 'provider-down' : 'failed'
}

const newSecret = (): string => randomBytes(32).toString('base64url')
