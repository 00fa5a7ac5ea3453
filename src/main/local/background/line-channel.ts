import type { Socket } from 'node:net'

const MOST_LINE = 256 * 1024

/** JSON messages, one per line. Hangs up on anything else. */
export class LineChannel {
  readonly #socket: Socket
  #rest = ''
  #take: ((message: unknown) => void) | null = null
  readonly #waiting: unknown[] = []

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('utf8').setNoDelay(true)
    // The close event follows.
    socket.on('error', () => undefined)
    socket.on('data', (text: string) => this.#read(text))
  }

  /** Includes messages received earlier. */
  onMessage(take: (message: unknown) => void): void {
    this.#take = take
    for (const message of this.#waiting.splice(0)) take(message)
  }

  onEnd(ended: () => void): void {
    if (this.#socket.closed) ended()
    else this.#socket.once('close', ended)
  }

  send(message: unknown): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  end(): void {
    this.#socket.end(() => this.#socket.destroy())
  }

  hangUp(): void {
    this.#socket.destroy()
  }

  #read(text: string): void {
    this.#rest += text
    // Chunks of a long line without a line break are not rescanned.
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
