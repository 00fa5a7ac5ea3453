import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { bind } from '../host/bind.ts'
import { type PageFile, pageFiles, contentSecurityPolicy } from '../main/page/files.ts'
import type { Panel } from '../main/panel/panel.ts'
import { Gate } from './gate.ts'
import { serveSocket } from './socket.ts'
import { UnauthenticatedSockets } from '../host/strangers.ts'
import { Uploads } from './uploads.ts'
import type { PageMeta } from './message.ts'

/** Bytes: the editor's longest text, JSON-escaped up to sixfold. Uploads don't use the socket. */
const MESSAGE_LIMIT = 32 * 1024 * 1024
/** Concurrent connections without the page's key. A browser opens six. */
const STRANGERS_MOST = 256
const SOCKETS_MOST = 100
/** Time limit for a request's headers, ms, checked every `LOOK_EVERY` ms. */
const HEADERS_LIMIT = 10_000
const LOOK_EVERY = 2000
const KEEP_ALIVE = 60_000

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

export interface WebServer {
  address: string
  opened: Promise<void>
  close(): Promise<void>
}

/** Serves the panel on loopback. Throws StartProblem if the port is unavailable. */
export async function serveWeb(panel: Panel, pageFolder: string, port: number): Promise<WebServer> {
  const files = pageFiles(pageFolder)
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    // Uploads may take any time. Node would apply this limit to headers too.
    requestTimeout: 0,
    headersTimeout: HEADERS_LIMIT,
    connectionsCheckingInterval: LOOK_EVERY,
  })
  const strangers = new UnauthenticatedSockets(STRANGERS_MOST)
  server.on('connection', (socket: Socket) => strangers.came(socket))
  await bind(server, '127.0.0.1', port)
  const gate = new Gate((server.address() as AddressInfo).port)
  answerRequests(server, { panel, gate, files, strangers })
  const sockets = takeSockets(server, { panel, gate, strangers })
  return {
    address: gate.address,
    opened: gate.used,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

interface Parts {
  panel: Panel
  gate: Gate
  files: ReadonlyMap<string, PageFile>
  strangers: UnauthenticatedSockets
}

function answerRequests(server: Server, { panel, gate, files, strangers }: Parts): void {
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy([gate.origin.replace('http', 'ws')]),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  const uploads = new Uploads(panel, headers)
  const answer = (
    response: ServerResponse,
    status: number,
    extra: Record<string, string>,
    body?: Buffer | string,
  ) => response.writeHead(status, { ...headers, ...extra }).end(body)

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const admission = gate.admit(request)
    // Don't wait for the rest of a refused request.
    if (typeof admission === 'object')
      return answer(response, 403, { ...TEXT, Connection: 'close' }, `${admission.refused}\n`)
    if (admission === 'again') return answer(response, 303, { Location: '/' })
    const { pathname } = new URL(request.url ?? '/', gate.origin)
    // The gate admits writing requests only with the page's key, and only to uploads.
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      strangers.isKnown(request.socket)
      return uploads.answer(request, response)
    }
    const isPage = pathname === '/'
    const file = files.get(isPage ? '/browser.html' : pathname)
    if (!file) return answer(response, 404, TEXT, 'This file does not exist.\n')
    const meta = { 'panel-run': gate.run, ...(admission === 'exchange' && { 'page-key': gate.key }) }
    // Built names contain a content hash; the page itself must not be cached.
    const caching = pathname.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store'
    file.read().then(
      (body) =>
        answer(
          response,
          200,
          {
            'Content-Type': file.type,
            'Cache-Control': caching,
            ...(admission === 'exchange' && { 'Set-Cookie': gate.cookie }),
          },
          isPage ? withMeta(body.toString(), meta) : body,
        ),
      () => answer(response, 500, TEXT, 'This file cannot be read. Build the panel again.\n'),
    )
  })
}

function takeSockets(server: Server, { panel, gate, strangers }: Omit<Parts, 'files'>): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT, perMessageDeflate: false })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!gate.admitSocket(request)) return refuseUpgrade(socket, '403 Forbidden')
    if (sockets.clients.size >= SOCKETS_MOST) return refuseUpgrade(socket, '503 Service Unavailable')
    strangers.isKnown(socket)
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const page = URL.parse(request.url ?? '/', gate.origin)?.searchParams.get('page')
      serveSocket(panel, opened, page?.slice(0, 100) ?? null)
    })
  })
  return sockets
}

/** Refuses and closes. After an upgrade Node neither closes the socket nor handles its errors. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}

function withMeta(page: string, meta: Partial<Record<PageMeta, string>>): string {
  const written = Object.entries(meta).map(
    ([name, content]) => `<meta name="${name}" content="${content}" />`,
  )
  const head = page.indexOf('<head>') + '<head>'.length
  if (head < '<head>'.length) throw new Error('The page has no head.')
  return page.slice(0, head) + written.join('') + page.slice(head)
}

export function metaOf(page: string, name: PageMeta): string | null {
  return new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(page)?.[1] ?? null
}
