import { api } from '../../../contract/areas/index.ts'
import type { ApiClient } from '../../api/client.ts'
import { transportProblem } from '../../api/requests/transport-problem.ts'
import type { TransferContext } from './context.ts'

/** A server's files: as they are now, or as a backup has them. */
export interface RemoteFiles {
  serverId: string
  /** Null: now. */
  backup: string | null
}

export function listPage(
  client: ApiClient,
  { serverId, backup }: RemoteFiles,
  query: { path: string; cursor?: string },
  options: { signal?: AbortSignal },
) {
  const params = { serverId }
  return backup === null
    ? client.send(api.files.list, { params, query }, options)
    : client.send(api.backups.files, { params, query: { ...query, backup } }, options)
}

export function openRemote(
  client: ApiClient,
  { serverId, backup }: RemoteFiles,
  path: string,
  options: { signal?: AbortSignal; range?: string } = {},
) {
  const params = { serverId }
  return backup === null
    ? client.open(api.files.read, { params, query: { path } }, options)
    : client.open(api.backups.content, { params, query: { backup, path } }, options)
}

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
