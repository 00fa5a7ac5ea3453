import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '../../base/client-address.ts'
import type { Bounds } from './bounds.ts'

interface TrackedConnection {
  socket: Socket
  address: string
  requests: number
}

/** Connections that have shown valid tokens: Authorization header → account id. */
const vouched = new WeakMap<object, Map<string, string>>()
/** Remembered per connection. A proxy carries many accounts, a panel one. */
const VOUCHED_MOST = 16

/** Vouched connections are the last to be closed. */
export function vouchFor(socket: object, authorization: string, accountId: string): void {
  const known = vouched.get(socket) ?? new Map<string, string>()
  known.delete(authorization)
  known.set(authorization, accountId)
  const [oldest] = known.keys()
  if (known.size > VOUCHED_MOST && oldest !== undefined) known.delete(oldest)
  vouched.set(socket, known)
}

/**
 * Whose turn a request counts as: the account if its token was verified on this connection, else its address group.
 * An unverified token counts for nothing, or anyone could pose as many askers.
 */
export function askerOf({ socket, headers: { authorization = '' } }: IncomingMessage): string {
  const accountId = vouched.get(socket)?.get(authorization)
  return accountId === undefined
    ? `address ${addressGroup(socket.remoteAddress ?? '')}`
    : `account ${accountId}`
}

/** If an address or the total exceeds its limit, closes the least recently active connection, unvouched ones first. */
export class Connections {
  readonly #bounds: Pick<Bounds, 'connections' | 'connectionsOfAddress' | 'requestsOfConnection'>
  /** Least recently active first. */
  readonly #held = new Map<Socket, TrackedConnection>()
  readonly #byAddress = new Map<string, number>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  add(socket: Socket): void {
    // Without a listener, a reset would crash the service.
    socket.on('error', () => {})
    const address = addressGroup(socket.remoteAddress ?? '')
    this.#held.set(socket, { socket, address, requests: 0 })
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1)
    socket.once('close', () => this.remove(socket))
    if ((this.#byAddress.get(address) ?? 0) > this.#bounds.connectionsOfAddress) this.#makeRoom(address)
    else if (this.#held.size > this.#bounds.connections) this.#makeRoom(null)
  }

  /** Counts a server's connections; with TLS already before the handshake ends. */
  of(server: Server, isTls: boolean): void {
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

  /** False if the connection keeps requesting without reading; it is then closed. */
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

  #touch(held: TrackedConnection): void {
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

  remove(socket: Socket): void {
    const held = this.#held.get(socket)
    if (!held) return
    this.#held.delete(socket)
    const left = (this.#byAddress.get(held.address) ?? 1) - 1
    if (left > 0) this.#byAddress.set(held.address, left)
    else this.#byAddress.delete(held.address)
  }
}
