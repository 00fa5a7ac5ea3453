import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Panel } from '../main/panel.ts'
import type { WindowLink } from '../main/window-link.ts'
import type { AnswerMessage, EventMessage } from './message.ts'

const Incoming = z.object({ id: z.number().int(), name: z.string().max(100), input: z.unknown().optional() })

/** One tab of the browser: its calls and its events over one socket. `page` is the name it gave itself. */
export function serveSocket(panel: Panel, socket: WebSocket, page: string | null): void {
  const send = (message: AnswerMessage | EventMessage) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
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
  // A socket that breaks is closed too; there is nothing else to do about it.
  socket.on('error', () => socket.terminate())
  socket.on('message', (data) => {
    const message = parse((data as Buffer).toString())
    if (!message) return socket.close(1008, 'not a call of the panel')
    void panel.call(message.name, message.input, window).then((outcome) => send({ id: message.id, outcome }))
  })
}

function parse(text: string) {
  try {
    return Incoming.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
