import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * What happens to a request on its way: it passes, its answer is lost or cut in its body, nobody ever answers it, or
 * somebody else does.
 */
export type RequestFault =
  | 'pass'
  | 'lose-answer'
  | 'cut-answer'
  | 'cut-request'
  | 'no-answer'
  | { status: number; headers?: Record<string, string>; body: string }

/** For tests: stands between panel and service, hands everything on, and lets go wrong what a test says. */
export async function hindered(
  baseUrl: string,
  fate: (method: string, path: string, request: IncomingMessage) => RequestFault | Promise<RequestFault>,
): Promise<{ baseUrl: string }> {
  const to = new URL(baseUrl)
  const pass = (
    incoming: IncomingMessage,
    response: ServerResponse,
    what: 'pass' | 'lose-answer' | 'cut-answer' | 'cut-request',
  ) => {
    const onwards = request(
      {
        host: to.hostname,
        port: to.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        if (what === 'lose-answer') {
          answer.resume()
          answer.once('end', () => incoming.socket.destroy())
          return
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        if (what === 'cut-answer') {
          answer.once('data', (piece: Buffer) =>
            response.write(piece.subarray(0, piece.length / 2), () => incoming.socket.destroy()),
          )
          return
        }
        answer.pipe(response)
      },
    )
    const { socket } = incoming
    onwards.once('error', () => socket.destroy())
    // Who breaks off is heard of behind the line too: a pipe would leave the other end waiting for the rest.
    incoming.once('close', () => {
      if (!incoming.complete) onwards.destroy()
    })
    if (what === 'cut-request') return void half(incoming, onwards)
    incoming.pipe(onwards)
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = (incoming.url ?? '').slice(to.pathname.length)
    const what = await fate(incoming.method ?? '', path, incoming)
    if (what === 'no-answer') return void incoming.resume()
    if (typeof what === 'string') return pass(incoming, response, what)
    incoming.resume()
    incoming.once('end', () => {
      response.writeHead(what.status, { 'content-type': 'application/json', ...what.headers }).end(what.body)
    })
  }
  const server = createServer((incoming, response) => void answer(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${to.pathname}` }
}

/** Hands the first half of a request's body on, and breaks it off when that has left. */
async function half(incoming: IncomingMessage, onwards: ClientRequest): Promise<void> {
  const { socket } = incoming
  let left = Number(incoming.headers['content-length']) / 2
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    const some = piece.subarray(0, left)
    left -= some.length
    await new Promise<void>((resolve) => onwards.write(some, () => resolve()))
    if (left <= 0) break
  }
  onwards.destroy()
  socket.destroy()
}
