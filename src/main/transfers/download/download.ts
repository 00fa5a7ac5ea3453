import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat, statfs, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileTime } from '../../../host/file-time.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import type { Digest } from '../../api/requests/content.ts'
import { problem } from '../../base/problem.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import { type ItemOutcome, type TransferContext } from '../items/context.ts'
import { claimName, partOf, takePlace, wasClaimed } from '../items/claim-name.ts'
import { openRemote, type RemoteFiles, answerBytes } from '../items/remote-files.ts'
import { changedMeanwhile } from '../sources/local-file.ts'
import type { ItemRow } from '../store/rows.ts'

const TELL_EVERY = 4 * 1024 * 1024

export async function downloadFile(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  const what = nameOf(item.path)
  const part = partOf(item)
  try {
    if (item.resume !== null && (await wasClaimed(part, item.resume, item.size)))
      return downloaded(item, item.resume)
    await mkdir(dirname(item.target), { recursive: true })
    const begun = item.etag === null ? 0 : ((await stat(part).catch(() => null))?.size ?? 0)
    await checkRoom(item, begun)
    // The last byte comes with the checksum of a whole backup.
    const most = item.source === '' ? Math.max(0, item.size - 1) : item.size
    const from = begun > item.size ? 0 : Math.min(begun, most)
    const here = { client: context.client, of: context.transfer, counts: true }
    const complete = from === item.size && from > 0 ? true : await fetchInto(context, item, part, from, here)
    if (!complete) return { kind: 'again', because: changedMeanwhile(item.path) }
    if (item.modifiedAt !== null) {
      const time = fileTime(item.modifiedAt)
      await utimes(part, time, time)
    }
    const intend = (intended: string) => context.keep(item, { resume: intended })
    const path =
      item.choice === 'replace'
        ? await takePlace(part, item.target, intend)
        : await claimName(context.bytes, part, item.target, intend)
    return downloaded(item, path)
  } catch (error) {
    // Without an ETag it can't be resumed.
    if (item.etag === null && item.resume === null) await removePart(item).catch(() => undefined)
    context.signal.throwIfAborted()
    throw fsProblem(error, what)
  }
}

/** `counts`: bytes count as done once they are on disk. */
export interface Origin {
  client: ApiClient
  of: RemoteFiles
  counts: boolean
}

/** Fetches from offset `from` into a part. Returns false, and removes the part, if the file has changed. */
export async function fetchInto(
  context: TransferContext,
  item: ItemRow,
  part: string,
  from: number,
  { client, of, counts }: Origin,
): Promise<boolean> {
  const { signal } = context
  const done = (bytes: number) => (counts ? { bytesDone: bytes } : { reached: Math.max(bytes, item.reached) })
  const opened = await openRemote(client, of, item.source, {
    signal,
    ...(from > 0 ? { range: `bytes=${from}-` } : {}),
  })
  const other = from > 0 && opened.status !== 200 && opened.etag !== item.etag
  if (other || opened.status === 416) {
    opened.stream.destroy()
    await rm(part, { force: true })
    await context.keep(item, { etag: null, ...done(0) })
    return false
  }
  const offset = opened.status === 200 ? 0 : opened.offset
  const size = opened.size ?? item.size
  await context.keep(item, { etag: opened.etag, size, ...done(offset) })
  const file = await open(part, offset === 0 ? 'w' : 'r+', 0o600)
  let at = offset
  let told = offset
  try {
    for await (const chunk of context.limiter.pace(answerBytes({ client, signal }, opened.stream), signal)) {
      await file.write(chunk, 0, chunk.length, at)
      at += chunk.length
      // More than announced: the file grows, or would fill this disk.
      if (at > size) break
      if (counts && at - told >= TELL_EVERY) {
        told = at
        await context.keep(item, { bytesDone: at })
      }
    }
    // Reported progress must survive a power failure.
    await file.sync()
  } finally {
    opened.stream.destroy()
    await file.close()
  }
  if (counts) await context.keep(item, { bytesDone: at })
  if (at === size) {
    if (opened.digest) await checkDigest(context, part, size, opened.digest)
    return true
  }
  if (at < size) throw problem('offline', localized('answer.ended-early'))
  await rm(part, { force: true })
  await context.keep(item, { etag: null, ...done(0) })
  return false
}

/** Throws, and removes the part, if it isn't what the other side has. */
async function checkDigest(
  { bytes, signal }: TransferContext,
  part: string,
  size: number,
  { algorithm, value }: Digest,
): Promise<void> {
  const job = randomUUID()
  await bytes.begin(job, 0, algorithm)
  const forget = () => void bytes.forget(job)
  signal.addEventListener('abort', forget, { once: true })
  const isRead = await bytes.hashUpTo(job, part, size)
  signal.removeEventListener('abort', forget)
  const digest = await bytes.digest(job)
  signal.throwIfAborted()
  if (isRead && digest === value) return
  await rm(part, { force: true })
  throw problem('incompatible', localized('send.damaged'), { retryable: false })
}

async function checkRoom(item: ItemRow, begun: number): Promise<void> {
  const disk = await statfs(dirname(item.target)).catch(() => null)
  const needed = item.size - begun
  if (!disk || disk.bavail * disk.bsize >= needed) return
  throw fsProblem({ code: 'ENOSPC' }, nameOf(item.path))
}

const downloaded = (item: ItemRow, path: string): ItemOutcome => ({
  kind: 'done',
  finalPath: basename(path) === nameOf(item.path) ? null : basename(path),
})

export const pathHere = ({ target, path, finalPath }: ItemRow): string =>
  join(dirname(target), finalPath ?? nameOf(path))

export const removePart = (item: ItemRow): Promise<void> => rm(partOf(item), { force: true })
