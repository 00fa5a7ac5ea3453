import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '../../base/client-address.ts'
import type { Bounds } from './bounds.ts'

/** One connection, and what it does. */
interface Held {
  socket: Socket
  /** What is counted as one address. */
  address: string
  /** Requests that are not answered yet. */
  requests: number
}

/** Connections over which accounts have shown their tokens: which account by what stood in the request. */
const vouched = new WeakMap<object, Map<string, string>>()
/** So much of that is remembered of one connection. A proxy's brings many accounts, a panel's one. */
const VOUCHED_MOST = 16

/** An account has shown its token over this connection: it goes last where there are too many. */
export function vouchFor(socket: object, authorization: string, accountId: string): void {
  const known = vouched.get(socket) ?? new Map<string, string>()
  known.delete(authorization)
  known.set(authorization, accountId)
  const [oldest] = known.keys()
  if (known.size > VOUCHED_MOST && oldest !== undefined) known.delete(oldest)
  vouched.set(socket, known)
}

/**
 * Whose turn a request is of: of an account where this very token was found to be good here, else all of one address
 * together. What merely stands in a request counts for nothing: with a new one each time anybody would be many.
 */
export function askerOf({ socket, headers: { authorization = '' } }: IncomingMessage): string {
  const accountId = vouched.get(socket)?.get(authorization)
  return accountId === undefined
    ? `address ${addressGroup(socket.remoteAddress ?? '')}`
    : `account ${accountId}`
}

/**
 * The connections there are. Where one more would be too many, the longest idle one goes that never brought a token,
 * then those that rest, of the same address first: who only opens connections is in nobody's way but their own.
 */
export class Connections {
  readonly #bounds: Pick<Bounds, 'connections' | 'connectionsOfAddress' | 'requestsOfConnection'>
  /** In the order in which they last did something. */
  readonly #held = new Map<Socket, Held>()
  readonly #byAddress = new Map<string, number>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  add(socket: Socket): void {
    // Without a listener a reset would be the end of the service.
    socket.on('error', () => {})
    const address = addressGroup(socket.remoteAddress ?? '')
    this.#held.set(socket, { socket, address, requests: 0 })
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1)
    socket.once('close', () => this.remove(socket))
    if ((this.#byAddress.get(address) ?? 0) > this.#bounds.connectionsOfAddress) this.#makeRoom(address)
    else if (this.#held.size > this.#bounds.connections) this.#makeRoom(null)
  }

  /** Counts the connections of a server. With TLS they count from their first packet on, not only once they are agreed on. */
  of(server: Server, isTls: boolean): void {
    /** Connections that are not agreed on yet, by their other side. */
    const shaking = new Map<string, Socket>()
    const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
    server.on('connection', (socket: Socket) => {
      this.add(socket)
      if (!isTls) return
      const peer = peerOf(socket)
      shaking.set(peer, socket)
      socket.once('close', () => shaking.get(peer) === socket && shaking.delete(peer))
    })
    server.on('secureConnection', (socket: Socket) => {
      const before = shaking.get(peerOf(socket))
      if (before) this.remove(before)
      this.add(socket)
    })
  }

  /** Whether a request is answered. A connection that asks on and on without reading is ended. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const held = this.#held.get(request.socket)
    if (!held || request.socket.destroyed) return false
    if (held.requests >= this.#bounds.requestsOfConnection) {
      request.socket.destroy()
      return false
    }
    held.requests++
    this.#touch(held)
    response.once('close', () => {
      held.requests--
      this.#touch(held)
    })
    return true
  }

  #touch(held: Held): void {
    if (this.#held.delete(held.socket)) this.#held.set(held.socket, held)
  }

  #makeRoom(address: string | null): void {
    const among = [...this.#held.values()].filter((one) => address === null || one.address === address)
    const goes =
      among.find((one) => !vouched.has(one.socket) && one.requests === 0) ??
      among.find((one) => !vouched.has(one.socket)) ??
      among.find((one) => one.requests === 0) ??
      among.at(-1)
    goes?.socket.destroy()
  }

  /** Counts a connection no more. */
  remove(socket: Socket): void {
    const held = this.#held.get(socket)
    if (!held) return
    this.#held.delete(socket)
    const left = (this.#byAddress.get(held.address) ?? 1) - 1
    if (left > 0) this.#byAddress.set(held.address, left)
    else this.#byAddress.delete(held.address)
  }
}
