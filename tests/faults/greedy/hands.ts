import { Agent, request } from 'node:http'
import { type Socket, connect } from 'node:net'

/** What the service answered. */
export interface Reply {
  status: number
  body: string
}

/** How often each status came, in words. */
export const told = (counts: Map<number, number>): string =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status || 'broken'}`)
    .join(', ')

/** One account, or a stranger without one, that asks for more than its share. */
export class Hands {
  readonly port: number
  readonly token: string | null
  readonly serverId: string
  /** The server's folder on disk. */
  readonly folder: string
  readonly #agent = new Agent({ keepAlive: true })
  readonly #open = new Set<{ destroy(): unknown }>()

  constructor(port: number, token: string | null, serverId: string, folder: string) {
    this.port = port
    this.token = token
    this.serverId = serverId
    this.folder = folder
  }

  /** Asks; `:id` in the route is the server. A connection that breaks is status 0. */
  ask(method: string, route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return new Promise((resolve) => {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const asked = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.port,
          method,
          path: `/api/v1${route.replace(':id', this.serverId)}`,
          headers: {
            ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }),
            ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...headers,
          },
        },
        (answer) => {
          let read = ''
          answer
            .setEncoding('utf8')
            .on('data', (some: string) => (read.length < 4096 ? (read += some) : undefined))
            .on('end', () => done({ status: answer.statusCode ?? 0, body: read }))
            .on('error', () => done({ status: 0, body: read }))
        },
      )
      const done = (reply: Reply) => {
        this.#open.delete(asked)
        resolve(reply)
      }
      this.#open.add(asked)
      asked.on('error', () => done({ status: 0, body: '' })).on('close', () => done({ status: 0, body: '' }))
      asked.end(text)
    })
  }

  /** Sends a file into the folder of a server or import. */
  async upload(id: string, name: string, bytes: Buffer): Promise<void> {
    const form = new FormData()
    form.append('path', name)
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
    const url = `http://127.0.0.1:${this.port}/api/v1/servers/files/upload/${id}`
    const headers = { Authorization: `Bearer ${this.token ?? ''}` }
    const { ok, status } = await fetch(url, { method: 'POST', headers, body: form })
    if (!ok) throw new Error(`The upload of ${name} was refused: ${status}`)
  }

  /** Sends bytes over a connection of its own, which is left as it is. */
  raw(bytes: string): Socket {
    const socket = connect(this.port, '127.0.0.1')
    this.#open.add(socket)
    socket.on('error', () => undefined).on('close', () => this.#open.delete(socket))
    socket.resume().write(bytes)
    return socket
  }

  /** Does the same again and again, so many at a time, until the time is over. Answers how often each status came. */
  async again(atOnce: number, until: number, act: () => Promise<Reply>): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    const one = async () => {
      while (performance.now() < until) {
        const { status } = await act()
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
    }
    await Promise.race([
      Promise.all(Array.from({ length: atOnce }, one)),
      // What is still not answered then has had its time: letting go of it is a part of the attack.
      new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now()) + 500)),
    ])
    return counts
  }

  /** Lets go of everything at once. */
  letGo(): void {
    for (const one of this.#open) one.destroy()
    this.#agent.destroy()
  }
}
