import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { inUrl, isLoopback } from './host.ts'
import { bind } from '../computer/bind.ts'
import { StartProblem } from '../computer/start-problem.ts'

export interface Tls {
  certFile: string
  keyFile: string
}

export interface Listener {
  /** The address with its scheme and port, without a path. */
  origin: string
  port: number
  /** Takes no more connections, waits for answers under way, at most `graceMs`, and closes what is left. */
  close(graceMs: number): Promise<void>
}

/** A request's headers have to be here after so long, ms. Node looks every `LOOK_EVERY` ms. */
const HEADERS_LIMIT = 10_000
const LOOK_EVERY = 2000

type Fetch = Parameters<typeof getRequestListener>[0]

/** Listens for requests. Throws StartProblem where TLS is missing or unreadable, or the address cannot be had. */
export async function listen(host: string, port: number, tls: Tls | null, fetch: Fetch): Promise<Listener> {
  if (!tls && !isLoopback(host)) {
    throw new StartProblem(
      'tls-needed',
      `Listening on ${host} would send passwords and tokens over the network unprotected. ` +
        'Give a certificate with --tls-cert and --tls-key, or listen on 127.0.0.1.',
    )
  }
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  // It answers failures by itself, so the promise says nothing more.
  const answer: RequestListener = (request, response) => void listener(request, response)
  // A large file takes as long as it takes; a body that stands still is given up by who reads it.
  const server = tls
    ? createTlsServer(tls, answer)
    : createHttpServer({ connectionsCheckingInterval: LOOK_EVERY }, answer)
  server.requestTimeout = 0
  // Headers do not: whoever reaches the port could hold a connection by them.
  server.headersTimeout = HEADERS_LIMIT
  // People pause for longer than Node's own five seconds. Who asks in the moment a connection is closed is not answered.
  server.keepAliveTimeout = 60_000
  await bind(server, host, port)
  const bound = server.address() as AddressInfo
  return {
    origin: `${tls ? 'https' : 'http'}://${inUrl(bound.address)}:${bound.port}`,
    port: bound.port,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const rest = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(rest)
    },
  }
}

function createTlsServer(tls: Tls, answer: RequestListener): Server {
  try {
    const options = {
      cert: readFileSync(tls.certFile),
      key: readFileSync(tls.keyFile),
      connectionsCheckingInterval: LOOK_EVERY,
    }
    return createHttpsServer(options, answer)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartProblem(
      'tls-not-readable',
      `The certificate ${tls.certFile} or its key ${tls.keyFile} cannot be used: ${why}.`,
      { cause: error },
    )
  }
}
