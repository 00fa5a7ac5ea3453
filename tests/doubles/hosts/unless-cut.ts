import type { IncomingMessage } from 'node:http'

/** Whose line was cut needs no answer. */
export function unlessCut(request: IncomingMessage, answer: Promise<void>): void {
  answer.catch((error: unknown) => {
    if (!request.socket.destroyed) throw error
  })
}
