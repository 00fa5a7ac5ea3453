import { type ClientOptions, WebSocket } from 'ws'
import type { Dial } from '../../host/network/dial.ts'
import { socketOptions } from './socket-options.ts'

/** Bytes. Hosts send a line in a frame. */
const FRAME_MOST = 1024 * 1024
const OPEN_MS = 15_000
/** Bytes on their way to a host that doesn't read. */
const UNREAD_MOST = 64 * 1024

/** A socket to a host, within limits. Its errors end it. */
export function openSocket(address: string, dial: Dial, options: ClientOptions): WebSocket {
  const socket = new WebSocket(address, {
    ...{ maxPayload: FRAME_MOST, handshakeTimeout: OPEN_MS, followRedirects: false, autoPong: false },
    ...socketOptions(address, dial),
    ...options,
  })
  socket.on('error', () => socket.terminate())
  // The answers to one who asks and doesn't read would fill the memory.
  socket.on('ping', (data) => {
    if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < UNREAD_MOST) socket.pong(data)
  })
  return socket
}

/** A frame's JSON; null if it is none. */
export function frameIn(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString()) as unknown
  } catch {
    return null
  }
}
