import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type AnyOperation, operations } from '../contract/areas/index.ts'
import { outgoingNetwork } from '../host/network/outgoing.ts'
import { collect } from './base/body.ts'
import { hostRequester } from './hosts.ts'

export type HttpKind = 'pterodactyl' | 'exaroton'
export const HTTP_KINDS: readonly HttpKind[] = ['pterodactyl', 'exaroton']
const PATHS: Record<HttpKind, string> = { pterodactyl: '/api/client', exaroton: '/exaroton/v1' }

type Answer = (response: ServerResponse, request: IncomingMessage) => void

export const KEY = 'a-key-that-is-secret'

export interface HostReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  value: unknown
  /** The sentence of a refusal. */
  sentence: string | null
  message: string
}

/** A host that answers each request as the test says, and the adapter of its kind. */
export async function hostileHost(kind: HttpKind, first: Answer) {
  let answer = first
  const asked: { path: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    request.resume()
    response.on('error', () => undefined)
    answer(response, request)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const baseUrl = address + PATHS[kind]
  const { dispatcher: own, dial } = outgoingNetwork({ timeout: 5000, envProxy: false })
  const dispatcher = Object.assign(own, { dial })
  const requester = hostRequester(baseUrl, {
    dispatcher,
    memory: { newest: () => Promise.resolve(null) },
    secrets: null,
    choices: () => ({}),
    powerLines: () => Promise.resolve(null),
    extensions: null,
  })!
  onTestFinished(async () => {
    requester.close()
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
    await dispatcher.destroy()
  })
  const open = (
    id: AnyOperation['id'],
    at: Partial<Record<'query' | 'body', string>> = {},
    signal?: AbortSignal,
  ) => {
    const op = operations.find((one) => one.id === id)!
    return requester.request({
      origin: address,
      path: PATHS[kind] + op.path.replace(':serverId', SERVER_ID) + (at.query ?? ''),
      method: op.method,
      headers: { authorization: `Bearer ${KEY}` },
      ...(at.body !== undefined && { body: at.body }),
      ...(signal && { signal }),
    })
  }
  return {
    ...{ address, baseUrl, asked, open, sockets },
    answers: (next: Answer) => void (answer = next),
    onSocket: (take: (socket: WebSocket) => void) =>
      void sockets.on('connection', (socket) => {
        socket.on('error', () => undefined)
        take(socket)
      }),
    async ask(id: AnyOperation['id'], at?: Parameters<typeof open>[1]): Promise<HostReply> {
      const { statusCode: status, headers, body } = await open(id, at)
      const text = (await collect(body)).toString()
      const value = (text === '' ? null : JSON.parse(text)) as { error?: Record<string, unknown> } | null
      const { sentence = null, message = '' } = value?.error ?? {}
      return { status, headers, value, sentence: sentence as string | null, message: String(message) }
    },
  }
}

export const SERVER_ID = 'a0000000-0000-4000-8000-000000000001'

export const json = (response: ServerResponse, text: string, status = 200, headers = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)

/** An answer without end: `begin`, then `piece` for ever, as fast as it is taken. */
export function endless(response: ServerResponse, type: string, begin: string, piece: string): void {
  response.writeHead(200, { 'content-type': type })
  response.write(begin)
  const more = () => {
    while (!response.destroyed && response.write(piece));
    response.once('drain', more)
  }
  more()
}

/** Runs `work`, and answers how much more memory there was meanwhile, MB. */
export async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const held = () => process.memoryUsage().rss
  const before = held()
  let most = before
  const look = setInterval(() => (most = Math.max(most, held())), 10)
  try {
    await work()
  } finally {
    clearInterval(look)
  }
  return (Math.max(most, held()) - before) / 1e6
}
