import type { Socket } from 'node:net'

/**
 * Connections whose other side has not proved who it is, the oldest first. Every program of this computer can open them,
 * so at most so many are held, and the oldest goes when one more comes. That locks nobody out: the right side proves
 * itself at once, while whoever holds connections to be in the way loses them.
 */
export class Strangers {
  readonly #most: number
  readonly #here = new Set<Socket>()

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a new connection in. */
  came(socket: Socket): void {
    // A connection is reset by whoever likes: that ends it and nothing else, also between two of its owners.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#here.delete(socket))
    this.#here.add(socket)
    if (this.#here.size <= this.#most) return
    const [oldest] = this.#here
    if (oldest) {
      this.#here.delete(oldest)
      oldest.destroy()
    }
  }

  /** Its other side has proved itself. */
  isKnown(socket: Socket): void {
    this.#here.delete(socket)
  }
}
