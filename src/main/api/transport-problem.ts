import { errors } from 'undici'
import { type PanelProblem, problem } from './problem.ts'

/** Certificates: OpenSSL's names for what is wrong → what a person can do about it. */
const certificate: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired. Its owner must renew it',
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Check this computer's clock",
  CERT_REVOKED: 'its certificate was revoked. Do not sign in; ask its owner',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed. If it is yours, add the certificate to the ones this computer trusts',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate comes from an authority this computer does not know. If it is yours, add it to the ones this computer trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes without the chain that vouches for it. Its owner must install the full chain',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority behind its certificate is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority behind its certificate is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was made for another host name. Check the address',
  HOSTNAME_MISMATCH: 'its certificate was made for another host name. Check the address',
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  CERT_UNTRUSTED: 'its certificate is marked as not trusted on this computer',
  CERT_REJECTED: 'its certificate is marked as rejected on this computer',
  CERT_CHAIN_TOO_LONG: 'the chain of its certificate is too long',
  INVALID_CA: 'an authority in the chain of its certificate is not valid',
  INVALID_PURPOSE: 'its certificate was made for another purpose',
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at this address: the service is not running, or the port is another',
  ENOTFOUND: 'There is no such host. Check the address and the internet connection',
  EAI_AGAIN: 'The host name cannot be looked up now. Check the internet connection',
  ECONNRESET: 'The service closed the connection',
  EPIPE: 'The service closed the connection',
  UND_ERR_SOCKET: 'The service closed the connection',
  EHOSTUNREACH: 'The host cannot be reached from this network',
  ENETUNREACH: 'There is no network connection to the host',
  ENETDOWN: 'The network is down',
  EADDRNOTAVAIL: 'There is no network connection to the host',
  ETIMEDOUT: 'The service did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'The service did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'The service did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'The service fell silent in the middle of its answer',
  UND_ERR_PRX_CONN: "This network's proxy cannot be used",
  UND_ERR_PRX_TLS: "This network's proxy cannot be used",
  TOOK_TOO_LONG: 'The service took too long to answer',
}

/** The first code along the chain of causes; several attempts (IPv4, IPv6) come as an AggregateError. */
function codeOf(fault: unknown): string {
  let at: unknown = fault
  for (let depth = 0; depth < 6 && at instanceof Error; depth++) {
    if (at instanceof errors.HTTPParserError) return 'HPE'
    const code = (at as NodeJS.ErrnoException).code
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at.cause
    // undici wraps what the socket said; the inner code is the one that says why.
    if (typeof code === 'string' && !(code === 'UND_ERR_SOCKET' && inner instanceof Error)) return code
    at = inner
  }
  return ''
}

/** Turns a failed exchange into a problem: `untrusted` for what is wrong with TLS, else `offline`, each with its cause. */
export function transportProblem(fault: unknown, host: string): PanelProblem {
  const code = codeOf(fault)
  const detail = code === '' ? {} : { detail: code }
  const why = certificate[code]
  if (why) return problem('untrusted', `${host} cannot be trusted: ${why}.`, detail)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return problem(
      'untrusted',
      `${host} does not speak HTTPS as it should, so no secure connection can be made. Check the address and port.`,
      detail,
    )
  }
  if (code.startsWith('HPE')) {
    return problem('incompatible', `${host} answers, but not with HTTP. Check the address and port.`, detail)
  }
  const sentence = unreachable[code] ?? 'The service cannot be reached'
  return problem('offline', `${sentence} (${host}).`, detail)
}
