import type { IncomingMessage } from 'node:http'

/** Time in ms without bytes after which the sender counts as gone. */
const SILENT_MS = 120_000

interface IncomingBody {
  /** Ends normally if the connection breaks, with every byte received. */
  stream: ReadableStream<Uint8Array>
  quietMs: () => number
  cut: () => void
}

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
  // Aborts also emit an error, which must be handled.
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
