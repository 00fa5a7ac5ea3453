import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What happens to a request on its way: it passes, its answer is lost, or it is answered by somebody else. */
export type Fate = 'pass' | 'lose-answer' | { status: number; headers?: Record<string, string>; body: string }

/** For tests: stands between panel and service, hands everything on, and lets go wrong what a test says. */
export async function hindered(
  baseUrl: string,
  fate: (method: string, path: string, request: IncomingMessage) => Fate,
): Promise<{ baseUrl: string }> {
  const to = new URL(baseUrl)
  const pass = (incoming: IncomingMessage, response: ServerResponse, lost: boolean) => {
    const onwards = request(
      {
        host: to.hostname,
        port: to.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        if (lost) {
          answer.resume()
          answer.once('end', () => incoming.socket.destroy())
          return
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    onwards.once('error', () => incoming.socket.destroy())
    incoming.pipe(onwards)
  }
  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? '').slice(to.pathname.length)
    const what = fate(incoming.method ?? '', path, incoming)
    if (typeof what === 'string') return pass(incoming, response, what === 'lose-answer')
    incoming.resume()
    incoming.once('end', () => {
      response.writeHead(what.status, { 'content-type': 'application/json', ...what.headers }).end(what.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${to.pathname}` }
}
