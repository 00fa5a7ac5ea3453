import type { Socket } from 'node:net'

/** A line is a small message; a longer one is none of ours. Characters. */
const MOST_LINE = 256 * 1024

/** Messages in JSON, one per line, over a connection. Whoever sends something else is hung up on. */
export class LineChannel {
  readonly #socket: Socket
  #rest = ''
  #take: ((message: unknown) => void) | null = null
  readonly #waiting: unknown[] = []

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('utf8').setNoDelay(true)
    // Its end is what counts, and is told too.
    socket.on('error', () => undefined)
    socket.on('data', (text: string) => this.#read(text))
  }

  /** Hands every message on; those that came before too. */
  onMessage(take: (message: unknown) => void): void {
    this.#take = take
    for (const message of this.#waiting.splice(0)) take(message)
  }

  /** Calls once when the other side is gone, or was hung up on. */
  onEnd(ended: () => void): void {
    if (this.#socket.closed) ended()
    else this.#socket.once('close', ended)
  }

  send(message: unknown): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  /** Ends the connection once what was sent is on its way. */
  end(): void {
    this.#socket.end(() => this.#socket.destroy())
  }

  hangUp(): void {
    this.#socket.destroy()
  }

  #read(text: string): void {
    this.#rest += text
    // Most of a long line comes without its end, and is not looked at again for each piece.
    const lines = text.includes('\n') ? this.#rest.split('\n') : [this.#rest]
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > MOST_LINE) return this.hangUp()
    for (const line of lines) {
      if (this.#socket.destroyed) return
      let message: unknown
      try {
        message = JSON.parse(line)
      } catch {
        return this.hangUp()
      }
      if (this.#take) this.#take(message)
      else if (this.#waiting.push(message) > 16) return this.hangUp()
    }
  }
}
