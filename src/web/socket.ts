import type { WebSocket } from 'ws'
import { z } from 'zod'
import { localized } from '../contract/messages/localized-text.ts'
import { problemOf } from '../main/base/problem.ts'
import type { Panel } from '../main/panel/panel.ts'
import type { WindowLink } from '../main/base/windows.ts'
import type { AnswerMessage, EventMessage } from './message.ts'

const IncomingCall = z.object({
  id: z.number().int(),
  name: z.string().max(100),
  input: z.unknown().optional(),
})

/** Limits for concurrent calls of one page; reading pauses beyond them. */
const CALLS_AT_ONCE = 500
const BYTES_AT_ONCE = 64 * 1024 * 1024
/** Limit for unread bytes. A frozen page, such as a background tab, reconnects later. */
const UNREAD_MOST = 64 * 1024 * 1024

export function serveSocket(panel: Panel, socket: WebSocket, page: string | null): void {
  const send = (message: AnswerMessage | EventMessage) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > UNREAD_MOST) return socket.terminate()
    socket.send(JSON.stringify(message))
  }
  const window: WindowLink = {
    send: (event, value) => send({ event, value }),
    pressure: () => socket.bufferedAmount,
  }
  panel.attach(window)
  if (page !== null) panel.pageUploads.pageCame(page)
  socket.on('close', () => {
    panel.detach(window)
    if (page !== null) panel.pageUploads.pageLeft(page)
  })
  socket.on('error', () => socket.terminate())

  let calls = 0
  let bytes = 0
  const pace = () => {
    const isFull = calls >= CALLS_AT_ONCE || bytes >= BYTES_AT_ONCE
    if (isFull && !socket.isPaused) socket.pause()
    else if (!isFull && socket.isPaused) socket.resume()
  }
  socket.on('message', (data: Buffer) => {
    const message = parse(data.toString())
    if (!message) return socket.close(1008, 'not a call of the panel')
    calls++
    bytes += data.length
    pace()
    void panel
      .call(message.name, message.input, window)
      .then((outcome) => send({ id: message.id, outcome }))
      // If the answer can't be serialized, still answer, so that nobody waits forever.
      .catch(() =>
        send({
          id: message.id,
          outcome: { ok: false, problem: problemOf('internal', localized('panel.failed')) },
        }),
      )
      .finally(() => {
        calls--
        bytes -= data.length
        pace()
      })
  })
}

function parse(text: string) {
  try {
    return IncomingCall.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
