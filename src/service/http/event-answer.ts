import type { RequestContext } from './serve.ts'

export function eventAnswer(
  stream: { body(): ReadableStream<Uint8Array>; end(): void },
  c: RequestContext,
): Response {
  // If the body is never read, nothing else would end the stream.
  c.env.outgoing.once('close', () => stream.end())
  return new Response(stream.body(), {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'Transfer-Encoding': 'chunked',
      // Stops nginx and similar proxies from buffering.
      'X-Accel-Buffering': 'no',
    },
  })
}
