import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outcome } from '../contract/bridge/problem.ts'
import type { Panel } from '../main/panel.ts'

/** Bytes an announcement may have: a tree of some 200,000 files. */
const ANNOUNCEMENT_MOST = 64 * 1024 * 1024

/** Where the page hands files over: `POST /uploads` announces, `PUT /uploads/<transfer>/<item>,<item>` brings bytes. */
export const isUpload = (pathname: string): boolean =>
  pathname === '/uploads' || pathname.startsWith('/uploads/')

/** Answers a request of the page's, which the gate has let in, with an outcome as JSON. */
export async function answerUpload(
  panel: Panel,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  const outcome = await outcomeOf(panel, request)
  if (response.destroyed) return
  // Bytes nobody wants any more are read past, so that the browser sees the answer.
  request.resume()
  response
    .writeHead(200, { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(outcome))
}

async function outcomeOf(panel: Panel, request: IncomingMessage): Promise<Outcome<unknown>> {
  const { pathname } = new URL(request.url ?? '/', 'http://panel')
  const uploads = panel.pageUploads
  if (pathname === '/uploads' && request.method === 'POST') {
    const input = await readJson(request)
    return input === undefined ? refused('This is no announcement of files.') : uploads.announce(input)
  }
  const found = /^\/uploads\/([\w-]{1,60})\/(\d+(?:,\d+){0,999})$/.exec(pathname)
  if (!found) return refused('There is no such upload.')
  const [, transferId = '', list = ''] = found
  const itemIds = list.split(',').map(Number)
  switch (request.method) {
    case 'PUT':
      return uploads.receive(transferId, itemIds, request)
    case 'DELETE':
      return uploads.unreadable(transferId, itemIds)
    default:
      return refused('There is no such upload.')
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > ANNOUNCEMENT_MOST) return undefined
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

const refused = (message: string): Outcome<never> => ({
  ok: false,
  problem: { code: 'refused', message, retryable: false },
})
