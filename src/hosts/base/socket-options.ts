import type { ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientOptions } from 'ws'
import type { Dial } from '../../host/network/dial.ts'

type SocketCallback = (error: Error | null, socket?: Socket) => void

/** Of a websocket at an address of `ws:` or `wss:`, so that it goes the way that requests go. */
export function socketOptions(address: string, dial: Dial): ClientOptions {
  const isSecure = address.startsWith('wss:')
  const createConnection = ({ host, port }: ClientRequestArgs, done: SocketCallback): undefined => {
    const target = { hostname: host ?? '', port: Number(port), isSecure }
    dial(target).then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    )
  }
  // Node calls it with a callback; the types know only what answers at once.
  return { createConnection: createConnection as unknown as NonNullable<ClientOptions['createConnection']> }
}
