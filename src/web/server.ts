import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { bind } from '../computer/bind.ts'
import { pageFiles } from '../main/page/files.ts'
import { contentSecurityPolicy } from '../main/page/policy.ts'
import type { Panel } from '../main/panel.ts'
import { Gate } from './gate.ts'
import { serveSocket } from './socket.ts'
import { answerUpload, isUpload } from './uploads.ts'

/**
 * Bytes one message from the page may have: the longest text of the editor, each of whose signs JSON may write in six.
 * Files that are uploaded never come this way.
 */
const MESSAGE_LIMIT = 32 * 1024 * 1024

export interface WebServer {
  /** The address with its one-time code. */
  address: string
  close(): Promise<void>
}

/** Serves the panel to a browser on loopback. Throws StartProblem where the port cannot be had. */
export async function serveWeb(panel: Panel, pageFolder: string, port: number): Promise<WebServer> {
  const files = pageFiles(pageFolder)
  const server = createServer({
    keepAliveTimeout: 60_000,
    // A large file of the page takes as long as it moves.
    requestTimeout: 0,
  })
  await bind(server, '127.0.0.1', port)
  const gate = new Gate((server.address() as AddressInfo).port)
  const policy = contentSecurityPolicy([gate.origin.replace('http', 'ws')])

  const headers = {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  const answer = (
    response: ServerResponse,
    status: number,
    extra: Record<string, string>,
    body?: Buffer | string,
  ) => response.writeHead(status, { ...headers, ...extra }).end(body)

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const admission = gate.admit(request)
    if (typeof admission === 'object')
      return answer(response, 403, { 'Content-Type': 'text/plain; charset=utf-8' }, `${admission.refused}\n`)
    if (admission === 'exchange') return answer(response, 303, { 'Set-Cookie': gate.cookie, Location: '/' })
    const { pathname } = new URL(request.url ?? '/', gate.origin)
    if (isUpload(pathname)) return void answerUpload(panel, request, response, headers)
    const file = files.get(pathname === '/' ? '/browser.html' : pathname)
    if (!file)
      return answer(
        response,
        404,
        { 'Content-Type': 'text/plain; charset=utf-8' },
        'There is no such file.\n',
      )
    // Built names carry a hash of their content; the page itself is asked for each time.
    const caching = pathname.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store'
    file.read().then(
      (body) => answer(response, 200, { 'Content-Type': file.type, 'Cache-Control': caching }, body),
      () => answer(response, 500, {}, 'This file cannot be read. Build the panel again.\n'),
    )
  })

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    if (!gate.admitSocket(request)) return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const page = new URL(request.url ?? '/', gate.origin).searchParams.get('page')
      serveSocket(panel, opened, page?.slice(0, 100) ?? null)
    })
  })

  return {
    address: gate.address,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}
