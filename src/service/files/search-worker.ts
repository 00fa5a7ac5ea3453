/* Searches in a thread, so reading and comparing don't block requests. */
import { parentPort } from 'node:worker_threads'
import { type RefusalReport, Refusal } from '../../host/refusal.ts'
import { type Hit, search, type SearchWish } from './search.ts'
import { ServerFiles, type ServerFilesOptions } from './server-files.ts'

export type SearchedFolders = Pick<ServerFilesOptions, 'serverId' | 'root' | 'staging' | 'trash'>

export type SearchRequest =
  | { kind: 'search'; id: number; folders: SearchedFolders; wish: SearchWish; mostMs?: number }
  | { kind: 'cancel'; id: number }
export type SearchAnswer = { id: number } & (
  | { kind: 'found'; hits: Hit[] }
  | { kind: 'refused'; status: number; told: RefusalReport }
  | { kind: 'failed'; error: string }
)

const running = new Map<number, AbortController>()

async function answer({
  id,
  folders,
  wish,
  mostMs,
}: SearchRequest & { kind: 'search' }): Promise<SearchAnswer> {
  const gone = new AbortController()
  running.set(id, gone)
  try {
    const files = new ServerFiles({ ...folders, maxFileBytes: null, quotaBytes: null, running: () => false })
    return { id, kind: 'found', hits: await search(files, wish, gone.signal, mostMs) }
  } catch (error) {
    if (error instanceof Refusal) {
      return { id, kind: 'refused', status: error.status, told: error.asTold }
    }
    return {
      id,
      kind: 'failed',
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  } finally {
    running.delete(id)
  }
}

parentPort?.on('message', (request: SearchRequest) => {
  if (request.kind === 'cancel') return running.get(request.id)?.abort()
  void answer(request).then((given) => parentPort?.postMessage(given))
})
