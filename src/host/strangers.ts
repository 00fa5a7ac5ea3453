import type { Socket } from 'node:net'

/** Unauthenticated connections. At the limit the oldest is dropped; a legitimate client authenticates immediately. */
export class UnauthenticatedSockets {
  readonly #most: number
  readonly #here = new Set<Socket>()

  constructor(most: number) {
    this.#most = most
  }

  came(socket: Socket): void {
    // Anyone can reset a connection; that must end nothing else.
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

  isKnown(socket: Socket): void {
    this.#here.delete(socket)
  }
}
