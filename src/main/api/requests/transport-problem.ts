import errors from 'undici/lib/core/errors.js'
import type { Problem } from '../../../contract/bridge/problem.ts'
import { proxyFaultOf } from '../../../host/network/proxy-fault.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { type PanelProblem, problem } from '../../base/problem.ts'

/** OpenSSL's certificate error codes. */
const certificate = {
  CERT_HAS_EXPIRED: 'trust.expired',
  CERT_NOT_YET_VALID: 'trust.too-early',
  CERT_REVOKED: 'trust.revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'trust.self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'trust.unknown-root',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'trust.no-chain',
  UNABLE_TO_GET_ISSUER_CERT: 'trust.unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'trust.unknown-issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'trust.other-name',
  HOSTNAME_MISMATCH: 'trust.other-name',
  CERT_SIGNATURE_FAILURE: 'trust.bad-signature',
  CERT_UNTRUSTED: 'trust.untrusted',
  CERT_REJECTED: 'trust.rejected',
  CERT_CHAIN_TOO_LONG: 'trust.long-chain',
  INVALID_CA: 'trust.bad-authority',
  INVALID_PURPOSE: 'trust.other-purpose',
} as const

const unreachable = {
  ECONNREFUSED: 'reach.refused',
  ENOTFOUND: 'reach.no-host',
  EAI_AGAIN: 'reach.no-lookup',
  ECONNRESET: 'reach.closed',
  EPIPE: 'reach.closed',
  UND_ERR_SOCKET: 'reach.closed',
  EHOSTUNREACH: 'reach.no-way',
  ENETUNREACH: 'reach.no-network',
  ENETDOWN: 'reach.network-down',
  EADDRNOTAVAIL: 'reach.no-network',
  ETIMEDOUT: 'reach.no-answer',
  UND_ERR_CONNECT_TIMEOUT: 'reach.no-answer',
  UND_ERR_HEADERS_TIMEOUT: 'reach.no-answer',
  UND_ERR_BODY_TIMEOUT: 'reach.silent',
  UND_ERR_PRX_CONN: 'reach.proxy',
  UND_ERR_PRX_TLS: 'reach.proxy',
  PROXY_NAME: 'reach.proxy-name',
  PROXY_REFUSED: 'reach.proxy-refused',
  PROXY_KIND: 'reach.proxy-kind',
  TOOK_TOO_LONG: 'reach.too-long',
} as const

const has = <T extends object>(table: T, code: string): code is keyof T & string => Object.hasOwn(table, code)

/** The first code in the chain of causes; parallel IPv4/IPv6 attempts give an AggregateError. */
function codeOf(fault: unknown): string {
  let at: unknown = fault
  for (let depth = 0; depth < 6 && at instanceof Error; depth++) {
    if (at instanceof errors.HTTPParserError) return 'HPE'
    const code = proxyFaultOf(at) ?? (at as NodeJS.ErrnoException).code
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at.cause
    // undici wraps socket errors; the inner code has the reason.
    if (typeof code === 'string' && !(code === 'UND_ERR_SOCKET' && inner instanceof Error)) return code
    at = inner
  }
  return ''
}

/** The connection was never established, so the service can't have seen the request. */
const before: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'PROXY_NAME',
  'PROXY_REFUSED',
  'PROXY_KIND',
])

export const neverSent = ({ code, detail }: Problem): boolean =>
  code === 'untrusted' || before.has(detail ?? '')

export function transportProblem(fault: unknown, host: string): PanelProblem {
  const code = codeOf(fault)
  const detail = code === '' ? {} : { detail: code }
  if (has(certificate, code)) return problem('untrusted', localized(certificate[code], { host }), detail)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return problem('untrusted', localized('reach.no-https', { host }), detail)
  }
  if (code.startsWith('HPE')) return problem('incompatible', localized('reach.no-http', { host }), detail)
  return problem(
    'offline',
    localized(has(unreachable, code) ? unreachable[code] : 'reach.failed', { host }),
    detail,
  )
}
