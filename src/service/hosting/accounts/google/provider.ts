import type { Configuration } from 'openid-client'
import type { Clock } from '../../../base/clock.ts'
import type { GoogleSettings } from './settings.ts'

export interface Identity {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

export interface Checks {
  state: string
  nonce: string
  codeVerifier: string
}

const KNOWN_MS = 60 * 60 * 1000
const PATIENCE_S = 10

export class ProviderOutage extends Error {
  override name = 'ProviderOutage'
}

export class ConsentRefusal extends Error {
  override name = 'ConsentRefusal'
}

/** The OpenID provider. The library is loaded and the provider contacted only when someone signs in. */
export class IdentityProvider {
  readonly #settings: GoogleSettings
  readonly #clock: Clock
  #known: { configuration: Promise<Configuration>; at: number } | null = null

  constructor(settings: GoogleSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  async authorization(redirectUri: string, { state, nonce, codeVerifier }: Checks): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
    const configuration = await this.#configuration()
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // Another program may have begun this (RFC 8252 §8.6), so always ask the person.
      prompt: promptOf(configuration),
    })
  }

  /**
   * Verifies code, `iss`, state, nonce, signature and audience. Throws ConsentRefusal, ProviderOutage, and library
   * errors for invalid answers.
   * @param answer the callback URL with its query
   */
  async identity(answer: URL, { state, nonce, codeVerifier }: Checks): Promise<Identity> {
    const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } =
      await import('openid-client')
    const configuration = await this.#configuration()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
    const tokens = await authorizationCodeGrant(configuration, answer, checks).catch((error: unknown) => {
      if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
        throw new ConsentRefusal('the person said no', { cause: error })
      throw asDown(error)
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the provider gave no ID token')
    const { sub: subject, iss: issuer } = claims
    // Some providers give the email only from the userinfo endpoint.
    const told =
      'email' in claims
        ? claims
        : await fetchUserInfo(configuration, tokens.access_token, subject).catch((error: unknown) => {
            throw asDown(error)
          })
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
    return {
      issuer,
      subject,
      email: text(told['email']),
      emailVerified: told['email_verified'] === true,
      name: text(told['name']),
    }
  }

  #configuration(): Promise<Configuration> {
    const now = this.#clock.elapsed()
    if (this.#known && now - this.#known.at < KNOWN_MS) return this.#known.configuration
    const known = { configuration: this.#discovered(), at: now }
    this.#known = known
    known.configuration.catch(() => {
      if (this.#known === known) this.#known = null
    })
    return known.configuration
  }

  async #discovered(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#settings
    try {
      return await discovery(issuer, clientId, clientSecret, undefined, {
        timeout: PATIENCE_S,
        execute: [
          // By default the library skips signature checks for tokens received over TLS.
          enableNonRepudiationChecks,
          // The settings allow http only for this computer.
          ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      })
    } catch (error) {
      throw new ProviderOutage('the identity provider cannot be asked', { cause: error })
    }
  }
}

/** Lets people choose an account; providers without that page require a new sign-in. */
function promptOf(configuration: Configuration): string {
  const offered: unknown = configuration.serverMetadata()['prompt_values_supported']
  return Array.isArray(offered) && !offered.includes('select_account') ? 'login' : 'select_account'
}

/** Timeouts, network errors and 5xx mean ProviderOutage; other errors pass through. */
function asDown(error: unknown): unknown {
  const { cause, status } = error as { cause?: unknown; status?: unknown }
  const answered = typeof status === 'number' ? status : cause instanceof Response ? cause.status : null
  const isDown = answered === null ? isOfNetwork(error) : answered >= 500
  return isDown ? new ProviderOutage('the identity provider does not work', { cause: error }) : error
}

const isOfNetwork = (error: unknown): boolean => {
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  return (
    code === 'OAUTH_TIMEOUT' ||
    name === 'TimeoutError' ||
    (name === 'TypeError' && message === 'fetch failed')
  )
}
