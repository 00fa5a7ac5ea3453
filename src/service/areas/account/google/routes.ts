import { getCookie, setCookie } from 'hono/cookie'
import type { GOOGLE_ERRORS } from '../../../../contract/areas/google.ts'
import { GoogleBegin, googleSignIn } from '../../../../contract/areas/google.ts'
import { BASE_PATH } from '../../../../contract/areas/index.ts'
import { addressGroup } from '../../../base/client-address.ts'
import type { Clock } from '../../../base/clock.ts'
import { parse } from '../../../http/parse-input.ts'
import { refusal } from '../../../base/refusal.ts'
import { serve, type RequestContext, type ServiceApp } from '../../../http/serve.ts'
import type { Accounts } from '../accounts.ts'
import { mailLanguageOf } from '../../../mail/mail-words.ts'
import type { SessionBegun } from '../session-begun.ts'
import { lostPage } from './page.ts'
import { newSecret, PENDING_MS, SignInsUnderWay } from './pending.ts'
import { ConsentRefused, IdentityProvider, ProviderDown } from './provider.ts'
import type { GoogleSettings } from './settings.ts'

export interface GoogleRoutes {
  accounts: Accounts
  clock: Clock
  allowRegistration: boolean
  /** Null: nobody signs in this way. */
  google: GoogleSettings | null
  /** Scheme, host and port the service listens on. */
  origin: () => string
  begun: SessionBegun
}

/** By this cookie the browser that comes back is the one that began. */
const COOKIE = 'wheelhouse-google'
const PATH = BASE_PATH + googleSignIn.begin.path

/** Mounts signing in through an identity provider: the browser's way there and back, and the exchange at its end. */
export function mountGoogle(app: ServiceApp, routes: GoogleRoutes): void {
  const { google } = routes
  if (google) return mountProvider(app, routes, google)
  const off = () => {
    throw refusal(501, 'auth.google-off')
  }
  for (const op of [googleSignIn.begin, googleSignIn.callback]) serve(app, op, off)
  serve(app, googleSignIn.exchange, off)
}

function mountProvider(
  app: ServiceApp,
  { accounts, clock, allowRegistration, origin, begun }: GoogleRoutes,
  google: GoogleSettings,
): void {
  const provider = new IdentityProvider(google, clock)
  const underWay = new SignInsUnderWay(clock)
  const ownOrigin = () => google.publicOrigin ?? origin()
  // Of our own address, never of the one that was asked: that is whatever a request says.
  const callback = () => `${ownOrigin()}${BASE_PATH}${googleSignIn.callback.path}`

  serve(app, googleSignIn.begin, async ({ query, address, c }) => {
    const asked = parse(GoogleBegin, query)
    await accounts.takeGoogle(addressGroup(address))
    const browser = newSecret()
    const wish = { redirectUri: asked.redirect_uri, state: asked.state, codeChallenge: asked.code_challenge }
    const { checks } = underWay.begin(wish, browser)
    try {
      const there = await provider.authorization(callback(), checks)
      setCookie(c, COOKIE, browser, {
        path: PATH,
        httpOnly: true,
        sameSite: 'Lax',
        secure: ownOrigin().startsWith('https:'),
        maxAge: PENDING_MS / 1000,
      })
      return onTo(c, there)
    } catch (error) {
      underWay.back(checks.state, browser)
      return failed(c, error, wish)
    }
  })

  serve(app, googleSignIn.callback, async ({ query, c }) => {
    const pending = underWay.back(query.state ?? '', getCookie(c, COOKIE) ?? '')
    if (!pending) return lostPage(mailLanguageOf(c.req.header('accept-language')) ?? 'en')
    const answer = new URL(callback())
    answer.search = new URL(c.req.url).search
    try {
      const identity = await provider.identity(answer, pending.checks)
      return back(c, pending, { code: underWay.arrived(identity, pending.codeChallenge) })
    } catch (error) {
      return failed(c, error, pending)
    }
  })

  serve(app, googleSignIn.exchange, async ({ body, address, c }) => {
    const language = mailLanguageOf(c.req.header('accept-language')) ?? null
    const session = await accounts.exchangeGoogle(underWay, body, { address, allowRegistration, language })
    return begun(session, address, c)
  })
}

/** Where a program waits for the browser. */
interface Waiting {
  redirectUri: string
  state: string
}

function failed(c: RequestContext, error: unknown, to: Waiting): Response {
  let code: (typeof GOOGLE_ERRORS)[number] = 'server_error'
  if (error instanceof ConsentRefused) code = 'access_denied'
  else if (error instanceof ProviderDown) code = 'temporarily_unavailable'
  if (code !== 'access_denied') c.get('log').warn({ err: error }, 'a sign-in at the identity provider failed')
  return back(c, to, { error: code })
}

/** Sends the browser to the program that began. */
function back(c: RequestContext, { redirectUri, state }: Waiting, values: Record<string, string>): Response {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...values, state })) url.searchParams.set(name, value)
  return onTo(c, url)
}

/** The address it leads to may hold a code, and the one it comes from does. */
function onTo(c: RequestContext, url: URL): Response {
  c.header('Referrer-Policy', 'no-referrer')
  return c.redirect(url.href, 302)
}
