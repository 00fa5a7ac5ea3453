import { transportProblem } from '../../api/requests/transport-problem.ts'
import type { TransferContext } from './context.ts'

export async function* answerBytes(
  context: Pick<TransferContext, 'client' | 'signal'>,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        context.signal.throwIfAborted()
        throw transportProblem(error, new URL(context.client.baseUrl).host)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}
