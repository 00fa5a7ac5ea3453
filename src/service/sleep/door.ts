import { createServer, type Server, type Socket } from 'node:net'
import { addressGroup } from '../base/client-address.ts'
import { Counter } from '../../host/counter.ts'
import { type Host, Visitor } from './visitor.ts'

/** Connections at once, that don't wait for the server. */
const VISITORS_MOST = 200
const OF_AN_ADDRESS_MOST = 8
/** Connections of an address: all players of a proxy share one. */
const CONNECTIONS = { burst: 40, perSecond: 10 }

export interface DoorAddress {
  host: string
  port: number
}

/** Listens on the port of a sleeping server. */
export class Door {
  readonly at: DoorAddress
  readonly #server: Server
  readonly #host: Host
  readonly #visitors = new Map<Visitor, string>()
  readonly #rate: Counter

  private constructor(at: DoorAddress, host: Host, now: () => number) {
    this.at = at
    this.#host = {
      ...host,
      waits: (visitor) => {
        this.#visitors.delete(visitor)
        host.waits(visitor)
      },
    }
    this.#rate = new Counter(CONNECTIONS, now)
    this.#server = createServer({ keepAlive: true }, (socket) => this.#receive(socket))
    // Such as too many open files: those who are here are served on.
    this.#server.on('error', () => undefined)
  }

  /** Rejects with the system's error if it can't listen. */
  static async open(at: DoorAddress, host: Host, now: () => number): Promise<Door> {
    const door = new Door(at, host, now)
    await new Promise<void>((resolve, reject) => {
      door.#server.once('error', reject)
      door.#server.listen({ ...at, exclusive: true }, () => {
        door.#server.off('error', reject)
        resolve()
      })
    })
    return door
  }

  get visitors(): number {
    return this.#visitors.size
  }

  /** Nobody listens afterwards. Those who wait for the server keep waiting. */
  async close(): Promise<void> {
    // The port is free at once: the callback would wait for those who wait.
    this.#server.close()
    await Promise.all([...this.#visitors.keys()].map((visitor) => visitor.end()))
    await new Promise((resolve) => setImmediate(resolve))
  }

  #receive(socket: Socket): void {
    const address = addressGroup(socket.remoteAddress ?? '')
    const isCrowded =
      [...this.#visitors.values()].filter((one) => one === address).length >= OF_AN_ADDRESS_MOST
    if (isCrowded || this.#rate.take(address) > 0) {
      socket.on('error', () => undefined)
      socket.destroy()
      return
    }
    // Whoever says nothing keeps nobody out: the game speaks at once.
    const [oldest] = this.#visitors.size >= VISITORS_MOST ? this.#visitors.keys() : []
    if (oldest) {
      this.#visitors.delete(oldest)
      void oldest.end()
    }
    const visitor = new Visitor(socket, address, this.#host)
    this.#visitors.set(visitor, address)
    socket.once('close', () => this.#visitors.delete(visitor))
  }
}
