import { GOOGLE_ISSUER } from '../../../../contract/rules/sign-in.ts'
import { StartProblem } from '../../../../host/start-problem.ts'
import { isLoopback } from '../../../base/host.ts'

export interface GoogleFlags {
  clientId: string | undefined
  clientSecret: string | undefined
  issuer: string
  publicUrl: string | undefined
}

export interface GoogleSettings {
  issuer: URL
  clientId: string
  clientSecret: string
  /** Origin under which browsers reach the service; null: where it listens. */
  publicOrigin: string | null
}

/** Null without a client id. Throws StartProblem. */
export function googleSettings({
  clientId,
  clientSecret,
  issuer,
  publicUrl,
}: GoogleFlags): GoogleSettings | null {
  if (clientId === undefined) {
    if (clientSecret === undefined && publicUrl === undefined && issuer === GOOGLE_ISSUER) return null
    throw new StartProblem(
      'arguments',
      'There are settings for signing in with Google, but no client. Give its ID with --google-client-id, or leave out ' +
        '--google-issuer, --public-url and WHEELHOUSE_GOOGLE_CLIENT_SECRET.',
    )
  }
  if (!clientId || !clientSecret) {
    throw new StartProblem(
      'arguments',
      'Signing in with Google needs the ID of a client (--google-client-id) and its secret, in ' +
        'WHEELHOUSE_GOOGLE_CLIENT_SECRET: every user of this computer could read it in the command line.',
    )
  }
  return {
    issuer: addressOf(issuer, '--google-issuer'),
    clientId,
    clientSecret,
    publicOrigin: publicUrl === undefined ? null : originOf(publicUrl),
  }
}

function addressOf(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1')))
  if (url && isSafe && !url.username && !url.password && !url.search && !url.hash) return url
  throw new StartProblem(
    'arguments',
    `${flag} must be an address that begins with https:// (http:// is for this computer only), without a name, a password or anything after “?” or “#”.`,
  )
}

function originOf(text: string): string {
  const url = addressOf(text, '--public-url')
  if (url.pathname === '/') return url.origin
  throw new StartProblem(
    'arguments',
    `--public-url must be a scheme, a host and perhaps a port, such as ${url.origin}.`,
  )
}
