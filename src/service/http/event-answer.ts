import type { RequestContext } from './serve.ts'

/** The answer that a stream of events is; it ends with its connection. */
export function eventAnswer(
  stream: { body(): ReadableStream<Uint8Array>; end(): void },
  c: RequestContext,
): Response {
  // Where the body is never read, nobody would tell the stream that it is over.
  c.env.outgoing.once('close', () => stream.end())
  return new Response(stream.body(), {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // Said openly, so that the adapter sends the head at once and waits for nothing.
      'Transfer-Encoding': 'chunked',
      // Proxies of the nginx kind gather otherwise.
      'X-Accel-Buffering': 'no',
    },
  })
}
