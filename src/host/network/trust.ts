import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/**
 * Whom connections trust: those whom Node and this computer trust, or those given, PEM. Made once and late: reading 150
 * certificates takes a tenth of a second on some systems.
 */
export function truster(ca?: string | string[]): () => SecureContext {
  let made: SecureContext | undefined
  return () =>
    (made ??= createSecureContext({
      ca: ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
    }))
}
