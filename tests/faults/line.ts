import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * When a fault strikes: in the middle of what goes up; when it has arrived and its answer is on the way back, which then
 * never comes; or in the middle of what comes down.
 */
export type Moment = 'up' | 'answer' | 'down'

interface Wire {
  near: Socket
  far: Socket
  /** Something went up since the last answer came down. */
  asked: boolean
}

interface Armed {
  /** Bytes that still go through. */
  left: number
  moment: Moment
  strike: () => void
}

/** A line between a panel and a service that counts bytes and breaks after as many of them as it is told. */
export class Line {
  port = 0
  /** Bytes that have gone up to the service. */
  up = 0
  readonly #host: string
  readonly #to: () => number
  readonly #wires = new Set<Wire>()
  #server: Server | null = null
  #armed: Armed | null = null
  #refusing = 0

  private constructor(host: string, to: () => number) {
    this.#host = host
    this.#to = to
  }

  /** @param to port of the service, asked at every connection */
  static async open(host: string, to: () => number): Promise<Line> {
    const line = new Line(host, to)
    const server = createServer((near) => line.#take(near))
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
    const address = server.address()
    line.port = typeof address === 'object' && address ? address.port : 0
    line.#server = server
    return line
  }

  /** Lets so many more bytes through (down with `down`, else up), then does `act` and answers. */
  after(bytes: number, moment: Moment, act: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#armed = {
        left: bytes,
        moment,
        strike: () => {
          this.#armed = null
          act()
          resolve()
        },
      }
    })
  }

  /** Nothing strikes any more. */
  disarm(): void {
    this.#armed = null
  }

  /** Breaks whatever is connected, and refuses so many connections after that. */
  cut(refusing = 0): void {
    this.#refusing = refusing
    for (const { near, far } of this.#wires) {
      near.resetAndDestroy()
      far.destroy()
    }
  }

  async close(): Promise<void> {
    this.disarm()
    this.cut()
    const server = this.#server
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  #take(near: Socket): void {
    if (this.#refusing > 0) {
      this.#refusing -= 1
      near.on('error', () => undefined).resetAndDestroy()
      return
    }
    const far = connect({ host: this.#host, port: this.#to() })
    const wire: Wire = { near, far, asked: false }
    this.#wires.add(wire)
    const end = () => {
      this.#wires.delete(wire)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.on('end', () => far.end())
    far.on('end', () => near.end())
    near.on('data', (piece) => this.#pass(wire, piece))
    far.on('data', (piece) => this.#answer(wire, piece))
    near.on('drain', () => far.resume())
    far.on('drain', () => near.resume())
  }

  #pass(wire: Wire, piece: Buffer): void {
    const armed = this.#armed
    wire.asked = true
    if (!armed || armed.moment === 'down') return this.#send(wire, piece)
    const through = Math.min(armed.left, piece.length)
    armed.left -= through
    if (armed.left > 0 || armed.moment === 'answer') return this.#send(wire, piece)
    // What went before the break does arrive; what follows only where the fault was another than a break.
    this.#send(wire, piece.subarray(0, through))
    armed.strike()
    if (!wire.far.destroyed) this.#send(wire, piece.subarray(through))
  }

  #send(wire: Wire, piece: Buffer): void {
    if (piece.length === 0) return
    this.up += piece.length
    if (!wire.far.write(piece)) wire.near.pause()
  }

  #answer(wire: Wire, piece: Buffer): void {
    const armed = this.#armed
    if (armed?.moment === 'answer' && armed.left <= 0 && wire.asked) {
      armed.strike()
      // Nothing of it comes: without its beginning the rest, which is on its way still, would be what no line does.
      wire.near.resetAndDestroy()
      wire.far.destroy()
      return
    }
    if (armed?.moment === 'down') {
      armed.left -= piece.length
      if (armed.left <= 0) armed.strike()
    }
    wire.asked = false
    if (wire.near.destroyed) return
    if (!wire.near.write(piece)) wire.far.pause()
  }
}
