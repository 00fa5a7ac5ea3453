import { getCookie, setCookie } from 'hono/cookie'
import type { GOOGLE_ERRORS } from '../../../../contract/areas/google.ts'
import { GoogleSignInRequest, googleSignIn } from '../../../../contract/areas/google.ts'
import { BASE_PATH } from '../../../../contract/areas/index.ts'
import { addressGroup } from '../../../base/client-address.ts'
import type { Clock } from '../../../base/clock.ts'
import { newSecret } from '../../secrets.ts'
import { parse } from '../../../http/parse-input.ts'
import { refusal } from '../../../../host/refusal.ts'
import { serve, type RequestContext, type ServiceApp } from '../../../http/serve.ts'
import type { Accounts } from '../accounts.ts'
import { mailLanguageOf } from '../../mail/mail-words.ts'
import type { SessionHook } from '../sessions.ts'
import { lostPage } from './page.ts'
import { PENDING_MS, SignInRegistry } from './pending.ts'
import { ConsentRefusal, IdentityProvider, ProviderOutage } from './provider.ts'
import type { GoogleSettings } from './settings.ts'

export interface GoogleRoutes {
  accounts: Accounts
  clock: Clock
  allowRegistration: boolean
  google: GoogleSettings | null
  origin: () => string
  begun: SessionHook
}

/** Identifies the browser that began the sign-in. */
const COOKIE = 'wheelhouse-google'
const PATH = BASE_PATH + googleSignIn.begin.path

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
  const underWay = new SignInRegistry(clock)
  const ownOrigin = () => google.publicOrigin ?? origin()
  // Always our own origin: the request's Host header is untrusted.
  const callback = () => `${ownOrigin()}${BASE_PATH}${googleSignIn.callback.path}`

  serve(app, googleSignIn.begin, async ({ query, address, c }) => {
    const asked = parse(GoogleSignInRequest, query)
    accounts.takeGoogle(addressGroup(address))
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

interface RedirectTarget {
  redirectUri: string
  state: string
}

function failed(c: RequestContext, error: unknown, to: RedirectTarget): Response {
  let code: (typeof GOOGLE_ERRORS)[number] = 'server_error'
  if (error instanceof ConsentRefusal) code = 'access_denied'
  else if (error instanceof ProviderOutage) code = 'temporarily_unavailable'
  if (code !== 'access_denied') c.get('log').warn({ err: error }, 'a sign-in at the identity provider failed')
  return back(c, to, { error: code })
}

function back(
  c: RequestContext,
  { redirectUri, state }: RedirectTarget,
  values: Record<string, string>,
): Response {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...values, state })) url.searchParams.set(name, value)
  return onTo(c, url)
}

/** Both the target and the current URL may contain a code. */
function onTo(c: RequestContext, url: URL): Response {
  c.header('Referrer-Policy', 'no-referrer')
  return c.redirect(url.href, 302)
}
