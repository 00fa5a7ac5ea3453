import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/** Created once and lazily: reading 150 certificates takes a tenth of a second on some systems. */
export function truster(ca?: string | string[]): () => SecureContext {
  let made: SecureContext | undefined
  return () =>
    (made ??= createSecureContext({
      ca: ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
    }))
}
