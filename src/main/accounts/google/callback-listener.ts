import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { callbackPage, type PageKind } from './callback-page.ts'

export type Callback =
  { kind: 'code'; code: string } | { kind: 'error'; error: string } | { kind: 'late' } | { kind: 'canceled' }

/** How long to wait for the browser, and how long a late one still gets a page that says so. In ms. */
export const WAIT_MS = 5 * 60 * 1000
const OVER_MS = 60 * 1000
/** Beyond this the oldest is dropped: another local program cannot block the browser by holding connections open. */
const CONNECTIONS_MOST = 8
const HEAD_MS = 5000
const CHECKED_MS = 1000
const PATH = '/callback'
const CODE_MOST = 500

export interface CallbackListener {
  redirectUri: string
  arrived: Promise<Callback>
  cancel(): void
  close(): void
}

/** Listens on loopback for one browser with the right `state`; ignores all other requests. Ends on its own. */
export async function listenForCallback(state: string, waitMs = WAIT_MS): Promise<CallbackListener> {
  const arrived = Promise.withResolvers<Callback>()
  let isOver = false
  const server = createServer({
    ...{ headersTimeout: HEAD_MS, requestTimeout: HEAD_MS, maxHeaderSize: 16 * 1024 },
    connectionsCheckingInterval: CHECKED_MS,
  })
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [oldest] = open
    if (open.size > CONNECTIONS_MOST) oldest?.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve)
  })
  // From here on errors only concern single connections.
  server.removeAllListeners('error').on('error', () => undefined)
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const close = () => {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
  }
  const end = (callback: Callback) => {
    if (isOver) return
    isOver = true
    arrived.resolve(callback)
    clearTimeout(timer)
    timer = setTimeout(close, OVER_MS).unref()
  }
  let timer = setTimeout(() => end({ kind: 'late' }), waitMs).unref()

  server.on('request', (request, response) => {
    const callback = read(request, host, state)
    const kind: PageKind = !callback ? 'other' : isOver ? 'over' : 'done'
    // Send the page before closing.
    answer(request, response, kind)
    if (callback) end(callback)
  })
  return {
    redirectUri: `http://${host}${PATH}`,
    arrived: arrived.promise,
    cancel: () => end({ kind: 'canceled' }),
    close() {
      end({ kind: 'canceled' })
      close()
    },
  }
}

function read({ method, url = '', headers }: IncomingMessage, host: string, state: string): Callback | null {
  // Prevents DNS rebinding: another host name may resolve to this address.
  if (method !== 'GET' || headers.host !== host || !url.startsWith(`${PATH}?`)) return null
  const query = new URLSearchParams(url.slice(PATH.length))
  if (!isSame(query.get('state') ?? '', state)) return null
  const code = query.get('code')
  if (code !== null && code !== '' && code.length <= CODE_MOST) return { kind: 'code', code }
  return { kind: 'error', error: query.get('error') ?? '' }
}

/** Constant-time comparison. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

function answer(request: IncomingMessage, response: ServerResponse, kind: PageKind): void {
  const page = callbackPage(kind, request.headers['accept-language'])
  response.writeHead(kind === 'done' ? 200 : 400, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Cache-Control': 'no-store',
    // The URL contains the one-time code.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  })
  response.end(page)
}
