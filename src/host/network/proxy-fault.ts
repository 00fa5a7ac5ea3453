import errors from 'undici/lib/core/errors.js'

/** Requires credentials, refuses, or is of an unsupported kind. Nothing of the request was sent through it. */
export type ProxyFaultCode = 'PROXY_NAME' | 'PROXY_REFUSED' | 'PROXY_KIND'

export class ProxyFault extends Error {
  readonly code: ProxyFaultCode
  constructor(code: ProxyFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** undici's messages for proxy answers, with and without a tunnel; it has no codes for them. */
const TUNNEL = /^Proxy response \((\d{3})\)/
const PLAIN = /^Proxy Authentication Required/

export function proxyFaultOf(error: unknown): ProxyFaultCode | null {
  if (error instanceof ProxyFault) return error.code
  if (error instanceof errors.InvalidArgumentError && PLAIN.test(error.message)) return 'PROXY_NAME'
  if (!(error instanceof errors.RequestAbortedError)) return null
  const [, status] = TUNNEL.exec(error.message) ?? []
  if (status === undefined) return null
  return status === '407' ? 'PROXY_NAME' : 'PROXY_REFUSED'
}
