import type { IncomingMessage } from 'node:http'

/** A body that brings nothing for so long is given up, in milliseconds: its sender is gone without a word. */
const SILENT_MS = 120_000

/** The body of a request that may break off. */
export interface IncomingBody {
  /** Ends, instead of failing, where the connection breaks: every byte that arrived is in it. */
  stream: ReadableStream<Uint8Array>
  /** How long nothing has arrived, in milliseconds. */
  quietMs: () => number
  /** Ends the connection. */
  cut: () => void
}

/** Reads the body of a request, as it is on the wire. */
export function incomingBody(incoming: IncomingMessage): IncomingBody {
  let heardAt = performance.now()
  const cut = () => void incoming.destroy()
  const watch = setInterval(() => {
    if (performance.now() - heardAt > SILENT_MS) cut()
  }, SILENT_MS / 4)
  watch.unref()
  let ended = false
  let wake: (() => void) | null = null
  const hear = () => wake?.()
  const end = () => {
    ended = true
    clearInterval(watch)
    wake?.()
  }
  // An aborted message is told by an error too, which would otherwise be nobody's.
  incoming.on('readable', hear).once('end', end).once('close', end).on('error', end)
  if (incoming.readableEnded || incoming.destroyed) end()
  return {
    quietMs: () => (ended ? Infinity : performance.now() - heardAt),
    cut,
    stream: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          for (;;) {
            const chunk = incoming.read() as Buffer | null
            if (chunk) {
              heardAt = performance.now()
              return controller.enqueue(chunk)
            }
            if (ended) return controller.close()
            await new Promise<void>((resolve) => (wake = resolve))
            wake = null
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    ),
  }
}
