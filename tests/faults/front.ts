import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Host } from './host.ts'

/** How a front answers what it was sent. */
export type Misanswer = (response: ServerResponse) => void

/** One wrong answer: instead of asking the service, or instead of what the service answered. */
export interface Mischief {
  answer: Misanswer
  when: 'before' | 'after'
}

/** Requests that carry files; everything else always goes through. */
const FILES = /^\/api\/v1\/servers\/files\/(upload|batch)\//

/** What stands in front of a service at a host: it passes everything on, until it is told to answer by itself. */
export class Front {
  port = 0
  /** Wrong answers that are still to be given, one for each request that carries files. */
  readonly waiting: Mischief[] = []
  /** Wrong answers that were given. */
  given = 0
  readonly #host: Host
  readonly #server = createServer((request, response) => this.#take(request, response))
  #told: () => void = () => undefined

  private constructor(host: Host) {
    this.#host = host
  }

  static async open(host: Host): Promise<Front> {
    const front = new Front(host)
    const server = front.#server
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(0, host.host, () => resolve()),
    )
    front.port = (server.address() as AddressInfo).port
    return front
  }

  /** Resolves when all wrong answers are given. */
  async allGiven(): Promise<void> {
    while (this.waiting.length > 0) await new Promise<void>((resolve) => (this.#told = resolve))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const mischief = FILES.test(request.url ?? '') ? this.waiting.shift() : undefined
    const misanswer = () => {
      mischief?.answer(response)
      this.given += 1
      this.#told()
    }
    if (mischief?.when === 'before') {
      // A front that refuses does not wait for all that is sent, as nginx does not.
      request.on('error', () => undefined).resume()
      return misanswer()
    }
    const onward = ask(
      {
        host: this.#host.host,
        port: this.#host.port,
        method: request.method,
        path: request.url,
        headers: request.headers,
      },
      (answer) => {
        if (mischief) {
          answer.resume().on('end', misanswer)
          return
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      },
    )
    onward.on('error', () => response.destroy())
    request.on('error', () => onward.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }
}

const page = (status: number, title: string, headers: Record<string, string> = {}): Misanswer => {
  const body = `<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1><hr>front/1.0</body></html>`
  return (response) => void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(body)
}

/** Every way to answer wrongly, by name. */
export const misanswers = {
  '413': page(413, 'Request Entity Too Large'),
  '429': page(429, 'Too Many Requests', { 'Retry-After': '1' }),
  '500': page(500, 'Internal Server Error'),
  /** A fine status, and a page of somebody else's. */
  'garbage in the body': page(200, 'Welcome to this Wi-Fi'),
  /** Not even HTTP. */
  'garbage on the line': (response) =>
    void response.socket?.end(Buffer.from([0, 255, 13, 10, 1, 2, 3, 72, 84, 84, 80])),
  /** The connection closes without a byte. */
  'nothing, and the end': (response) => void response.socket?.destroy(),
  /** Nothing, ever; whoever asked has to give up. */
  'nothing, and silence': () => undefined,
} satisfies Record<string, Misanswer>
