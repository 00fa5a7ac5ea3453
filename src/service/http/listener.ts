import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions as HttpsOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Lanes } from '../../contract/rules/lanes.ts'
import { BOUNDS, type Bounds } from './limits/bounds.ts'
import { askerOf, Connections } from './limits/connections.ts'
import { inUrl, isLoopback } from '../base/host.ts'
import { bind } from '../../host/bind.ts'
import { StartProblem } from '../../host/start-problem.ts'

export interface Tls {
  certFile: string
  keyFile: string
}

interface Listener {
  /** Scheme, host and port. */
  origin: string
  port: number
  /** Stops accepting, waits at most `graceMs` for answers under way, then closes everything. */
  close(graceMs: number): Promise<void>
}

/** Interval of checking for late headers, in ms. */
const CHECKED_MS = 2000
/** Requests begun per round of the event loop; beginning one takes a third of a millisecond. */
const BEGUN_PER_ROUND = 8

type FetchHandler = Parameters<typeof getRequestListener>[0]

/** Throws StartProblem if TLS files are missing or unreadable, or the address is not available. */
export async function listen(
  host: string,
  port: number,
  tls: Tls | null,
  fetch: FetchHandler,
  bounds: Bounds = BOUNDS,
): Promise<Listener> {
  if (!tls && !isLoopback(host)) {
    throw new StartProblem(
      'tls-needed',
      `Listening on ${host} would send passwords and tokens over the network unencrypted. ` +
        'Provide a certificate with --tls-cert and --tls-key, or listen on 127.0.0.1.',
    )
  }
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const connections = new Connections(bounds)
  // Sending hundreds at the same time delays only the sender.
  const begun = new Lanes({ atOnce: BEGUN_PER_ROUND })
  const answer: RequestListener = (request, response) => {
    if (!connections.takes(request, response)) return
    void begun.run(askerOf(request), () => {
      if (!request.socket.destroyed) void listener(request, response)
      return setImmediate()
    })
  }
  // No request timeout: large files take long, and whoever reads a body gives up if it stalls.
  const checking = { connectionsCheckingInterval: CHECKED_MS }
  const server = tls
    ? createTlsServer(tls, answer, { ...checking, handshakeTimeout: bounds.headersMs })
    : createHttpServer(checking, answer)
  server.requestTimeout = 0
  server.headersTimeout = bounds.headersMs
  connections.of(server, tls !== null)
  // Longer than Node's five seconds: a request sent while the connection closes gets no answer.
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

function createTlsServer(tls: Tls, answer: RequestListener, more: HttpsOptions): Server {
  try {
    const options = { ...more, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }
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
