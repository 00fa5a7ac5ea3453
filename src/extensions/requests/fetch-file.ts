import { open } from 'node:fs/promises'
import { Refusal } from '../../host/refusal.ts'
import { downloadFailed, type Reason, reasonOfNetwork, tooLarge, wrongChecksum } from './download-refusals.ts'
import { type CatalogDispatcher, exchange, type Head, redirected } from './exchange.ts'
import { CatalogFault } from './faults.ts'
import { FileHasher } from './file-hasher.ts'
import type { FileHashes } from '../catalogs/extension-catalog.ts'
import type { RemoteFile } from './remote-file.ts'

const LIMITS = { headMs: 20_000, silenceMs: 30_000, wholeMs: 30 * 60_000, mostBytes: 512 * 1024 * 1024 }
const REDIRECTS_MOST = 5

interface FetchContext {
  dispatcher: Pick<CatalogDispatcher, 'request'>
  headers: Record<string, string>
  signal: AbortSignal
  onProgress: (bytes: number) => void
}

/** Downloads a file and checks it. Rejects with Refusal 422 or 502, or the signal's reason. */
export async function fetchFile(file: RemoteFile, into: string, context: FetchContext): Promise<FileHashes> {
  const { size, checksum } = file
  for (let tries = 1; ; tries++) {
    const hasher = await receive(file, into, context)
    const isWhole = size === null || size === hasher.size
    if (isWhole && (!checksum || checksum.value === hasher.of(checksum.algorithm))) return hasher.hashes
    if (tries === 2) throw wrongChecksum(file)
  }
}

async function receive(file: RemoteFile, into: string, context: FetchContext): Promise<FileHasher> {
  const { signal, onProgress } = context
  const head = await answerOf(file, context)
  const hasher = new FileHasher()
  await using handle = await open(into, 'w', 0o600)
  try {
    for await (const piece of head.body as AsyncIterable<Buffer>) {
      hasher.add(piece)
      if (hasher.size > LIMITS.mostBytes) throw tooLarge(file, hasher.size, LIMITS.mostBytes)
      await handle.writeFile(piece)
      onProgress(hasher.size)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Refusal ? error : failed(file, reasonOfNetwork(error))
  }
  return hasher
}

async function answerOf(file: RemoteFile, { dispatcher, headers, signal }: FetchContext): Promise<Head> {
  const most = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.wholeMs)])
  try {
    let url = new URL(file.url)
    for (let redirects = 0; redirects <= REDIRECTS_MOST; redirects++) {
      const head = await exchange(dispatcher, url, { ...headers, accept: '*/*' }, LIMITS, most)
      const packed = head.header('content-encoding') ?? 'identity'
      if (head.status === 200 && packed === 'identity') return head
      head.body.destroy()
      if (head.status === 200) throw failed(file, { part: 'packed' })
      if (head.status < 300 || head.status >= 400)
        throw failed(file, { part: 'status', values: { status: String(head.status) } })
      const to = redirected(url, head.header('location'))
      if (to.origin !== url.origin && file.hosts && !file.hosts.includes(to.hostname))
        throw failed(file, { part: 'redirects-elsewhere', values: { to: to.host } })
      url = to
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CatalogFault) throw failed(file, reasonOfNetwork(error.cause ?? error))
    throw error
  }
  throw failed(file, { part: 'redirects' })
}

const failed = (file: RemoteFile, reason: Reason) => downloadFailed(file, reason)
