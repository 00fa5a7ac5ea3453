import errors from 'undici/lib/core/errors.js'

/**
 * Why a proxy led nowhere, as the code of an error: it wants a name and a password, it refuses, or it is of a kind that cannot be
 * used here. Nothing of a request has gone through it.
 */
export type ProxyFaultCode = 'PROXY_NAME' | 'PROXY_REFUSED' | 'PROXY_KIND'

/** A proxy that leads nowhere. */
export class ProxyFault extends Error {
  readonly code: ProxyFaultCode
  constructor(code: ProxyFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What undici says of a proxy's answer, which it has no code for: with a tunnel, and without one. */
const TUNNEL = /^Proxy response \((\d{3})\)/
const PLAIN = /^Proxy Authentication Required/

/** What an error says of the proxy that was met; null where it says nothing of one. */
export function proxyFaultOf(error: unknown): ProxyFaultCode | null {
  if (error instanceof ProxyFault) return error.code
  if (error instanceof errors.InvalidArgumentError && PLAIN.test(error.message)) return 'PROXY_NAME'
  if (!(error instanceof errors.RequestAbortedError)) return null
  const [, status] = TUNNEL.exec(error.message) ?? []
  if (status === undefined) return null
  return status === '407' ? 'PROXY_NAME' : 'PROXY_REFUSED'
}
