import type { Socket } from 'node:net'

/**
 * Connections that have not shown the page's key, the oldest first. Everybody on this computer can open them, so there are
 * at most so many: when one more comes, the oldest goes. Nobody is locked out by that, since who has the key shows it at
 * once, while those who hold connections to be in the way lose them.
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

  /** It has shown the key. */
  isKnown(socket: Socket): void {
    this.#here.delete(socket)
  }
}
