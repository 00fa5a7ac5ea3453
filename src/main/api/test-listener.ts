import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface RecordedRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Listener extends AsyncDisposable {
  port: number
  /** Ends in /api/v1. */
  baseUrl: string
  seen: RecordedRequest[]
  stop(): Promise<void>
}

/** `path` is relative to /api/v1, or whole if outside. */
export type TestResponder = (
  request: RecordedRequest & { path: string },
  response: ServerResponse,
  raw: IncomingMessage,
) => void | Promise<void>

/** Tests only: a real HTTP(S) listener on this computer. */
export async function listen(
  answering: TestResponder,
  options: { host?: string; port?: number; name?: string; tls?: { key: string; cert: string } } = {},
): Promise<Listener> {
  const seen: RecordedRequest[] = []
  const take: RequestListener = (raw, response) => {
    const chunks: Buffer[] = []
    raw.on('data', (chunk: Buffer) => chunks.push(chunk))
    raw.on('end', () => {
      const url = raw.url ?? ''
      const request = {
        method: raw.method ?? '',
        url,
        headers: raw.headers,
        body: Buffer.concat(chunks).toString(),
      }
      seen.push(request)
      void answering({ ...request, path: url.replace(/^\/api\/v1/, '') }, response, raw)
    })
  }
  const server = options.tls ? createTlsServer(options.tls, take) : createServer(take)
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
  return {
    port,
    baseUrl: `${options.tls ? 'https' : 'http'}://${options.name ?? host}:${port}/api/v1`,
    seen,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function reply(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(
    status,
    body === undefined ? headers : { 'content-type': 'application/json', ...headers },
  )
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

/** An error body as contract.md assumes it. */
export const refusal = (code: string, message = 'No.', fields?: Record<string, string[]>) => ({
  error: { code, message, ...(fields ? { fields } : {}) },
})
