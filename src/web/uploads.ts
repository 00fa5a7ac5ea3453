import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outcome } from '../contract/bridge/problem.ts'
import { localized } from '../contract/messages/localized-text.ts'
import { problemOf } from '../main/base/problem.ts'
import type { Panel } from '../main/panel/panel.ts'

/** Maximum announcement size in bytes: some 200,000 files. */
const ANNOUNCEMENT_MOST = 64 * 1024 * 1024
/** Concurrent announcements, each buffered whole. */
const ANNOUNCEMENTS_AT_ONCE = 4
const BRINGING_AT_ONCE = 32

/** `POST /uploads` announces, `PUT /uploads/<transfer>/<item>,<item>` sends bytes, `DELETE`: unreadable files. */
export class Uploads {
  readonly #panel: Panel
  readonly #headers: Record<string, string>
  #announcing = 0
  #bringing = 0

  constructor(panel: Panel, headers: Record<string, string>) {
    this.#panel = panel
    this.#headers = headers
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#outcomeOf(request).then(
      (outcome) => {
        if (response.destroyed) return
        // Drain unwanted bytes so that the browser gets the answer.
        request.resume()
        response
          .writeHead(200, {
            ...this.#headers,
            'Content-Type': 'application/json',
            'Cache-Control': 'no-store',
          })
          .end(JSON.stringify(outcome))
      },
      // The page treats this as a panel that doesn't answer.
      () => response.destroy(),
    )
  }

  async #outcomeOf(request: IncomingMessage): Promise<Outcome<unknown>> {
    const pathname = URL.parse(request.url ?? '/', 'http://panel')?.pathname ?? ''
    const uploads = this.#panel.pageUploads
    if (pathname === '/uploads' && request.method === 'POST') {
      if (this.#announcing >= ANNOUNCEMENTS_AT_ONCE) return tooMany()
      this.#announcing++
      try {
        const input = await readJson(request)
        return input === undefined
          ? refused('This is not an announcement of files.')
          : uploads.announce(input)
      } finally {
        this.#announcing--
      }
    }
    const found = /^\/uploads\/([\w-]{1,60})\/(\d+(?:,\d+){0,999})$/.exec(pathname)
    if (!found) return refused('This upload does not exist.')
    const [, transferId = '', list = ''] = found
    const itemIds = list.split(',').map(Number)
    switch (request.method) {
      case 'PUT':
        if (this.#bringing >= BRINGING_AT_ONCE) return tooMany()
        this.#bringing++
        try {
          return await uploads.receive(transferId, itemIds, request)
        } finally {
          this.#bringing--
        }
      case 'DELETE':
        return uploads.unreadable(transferId, itemIds)
      default:
        return refused('This upload does not exist.')
    }
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
const tooMany = (): Outcome<never> => ({
  ok: false,
  problem: problemOf('refused', localized('page.too-many'), { retryable: true }),
})
