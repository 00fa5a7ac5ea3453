import { createHash, randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type Person, startIdentityProvider } from '../../../../../tests/fixtures/identity-provider.ts'
import type { ServiceOptions } from '../../../service.ts'
import { startTestService } from '../../../service.fixture.ts'

/** What a program that begins keeps. */
export interface AuthorizationStart {
  codeVerifier: string
  query: URLSearchParams
}

export const REDIRECT = 'http://127.0.0.1:4321/callback'

/** What a program sends that begins a sign-in. */
export function begun(more: Record<string, string> = {}): AuthorizationStart {
  const codeVerifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    redirect_uri: REDIRECT,
    state: 'a state that nobody guesses'.replaceAll(' ', '-'),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return { codeVerifier, query }
}

/** A browser, as far as cookies go. */
export class Browser {
  readonly cookies = new Map<string, string>()

  /** Asks for one address and follows nothing. */
  async visit(address: string): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie, 'accept-language': 'de' },
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Follows where it is led, as far as the first page, or the first address of `until`. */
  async follow(address: string, until: (url: string) => boolean): Promise<string> {
    for (let steps = 0; steps < 12; steps++) {
      if (until(address)) return address
      const response = await this.visit(address)
      const next = response.headers.get('location')
      if (next === null)
        throw new Error(`${address} leads nowhere: ${response.status} ${await response.text()}`)
      address = new URL(next, address).href
    }
    throw new Error('It leads in a circle')
  }
}

/** The real service beside a real OpenID provider. */
export async function startWithProvider(
  people: Record<string, Person>,
  options: Partial<ServiceOptions> = {},
) {
  const provider = await startIdentityProvider(people)
  let isUp = true
  const stop = async () => {
    if (isUp) await provider.stop()
    isUp = false
  }
  onTestFinished(stop)
  const google = {
    issuer: new URL(provider.issuer),
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    publicOrigin: null,
  }
  const test = await startTestService({ google, ...options })
  const start = ({ query }: AuthorizationStart) => `${test.baseUrl}/auth/google?${query.toString()}`

  /** As far as the address of the service that the provider sends the browser back to. */
  async function toCallback(browser: Browser, from: AuthorizationStart, as: string | null): Promise<string> {
    const page = await browser.follow(start(from), (url) => url.includes('/choice/'))
    const choice = as === null ? `${page}/no` : `${page}/as?as=${as}`
    return browser.follow(choice, (url) => url.includes('/auth/google/callback'))
  }
  /** All the way, as somebody or refusing; answers what the program is told. */
  async function through(
    browser: Browser,
    from: AuthorizationStart,
    as: string | null,
  ): Promise<URLSearchParams> {
    const back = await browser.follow(await toCallback(browser, from, as), (url) => url.startsWith(REDIRECT))
    return new URL(back).searchParams
  }
  const exchange = (from: AuthorizationStart, code: string | null, more: object = {}) =>
    test.call('POST /auth/google/exchange', {
      body: { code, codeVerifier: from.codeVerifier, ...more },
    })
  /** Signs in from the beginning to the end. */
  async function signIn(as: string, more: object = {}) {
    const from = begun()
    const told = await through(new Browser(), from, as)
    return exchange(from, told.get('code'), more)
  }
  return { ...test, provider: { ...provider, stop }, start, toCallback, through, exchange, signIn }
}
