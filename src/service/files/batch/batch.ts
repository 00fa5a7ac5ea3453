import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { type Conflict, PATH_MOST } from '../../../contract/areas/values/file-values.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import { type ActionContext, errorOf, type Result, resultOf } from '../item-actions.ts'
import { splitLast } from '../../../contract/rules/paths.ts'
import { requireDepth } from '../names/names.ts'
import { requireSize } from '../write/commit-file.ts'
import { SteppedReservation } from '../quota/reservations.ts'
import { chunksOf, lengthOf } from '../write/receive-body.ts'
import type { ServerFiles } from '../server-files.ts'
import { readTar, type TarEntry, type TarHeader, timeOf } from '../archives/tar-reader.ts'
import { Yielder } from '../../../host/yield.ts'
import { SmallFiles } from './small-files.ts'

export const BATCH = { maxFiles: 5000, maxBytes: 256 * 1024 * 1024 }
/** Parallel writes while the next files are read; bounds memory use. */
const AT_ONCE = 16
/** Files up to this many bytes are placed in groups. */
const SMALL = 256 * 1024
/** Larger files are streamed to disk. */
const HELD_MOST = 4 * 1024 * 1024
const HELD_BYTES = 32 * 1024 * 1024
/** Per file, allow two blocks of headers and padding, and as much again for long names. */
const BODY_MOST = BATCH.maxBytes + BATCH.maxFiles * 4096
/** Characters of all paths together: each may stand in the answer three times. */
const PATHS_MOST = 2 * 1024 * 1024
const CHECKSUM = 'WHEELHOUSE.sha256'

const tooLarge = () => refusal(413, 'files.batch-too-large', { files: BATCH.maxFiles, bytes: BATCH.maxBytes })

/** Places each file atomically and returns a result for each. Throws Refusal 413, 422 `files.batch-invalid`. */
export async function writeBatch(
  desk: ActionContext,
  request: IncomingMessage,
  conflict: Conflict,
): Promise<Result[]> {
  const length = lengthOf(request)
  if (length !== null && length > BODY_MOST) throw tooLarge()
  using reservation = await desk.files.space.reserve(length ?? 0)
  const yielder = new Yielder()
  const results: Result[] = []
  const writing = new Set<Promise<void>>()
  const total = { files: 0, bytes: 0, characters: 0 }
  let held = 0
  const release = (size: number) => {
    reservation.wrote(size)
    reservation.counted(size)
  }
  const small = new SmallFiles(desk, conflict)
  const over = async () => {
    await Promise.all(writing)
    await small.place()
  }
  const room = new SteppedReservation(reservation)
  const reserveMore = (size: number) =>
    room.take(size).catch(async (error: unknown) => {
      if (writing.size === 0 && small.areNone) throw error
      // Bytes just placed are counted, but still reserved for a moment.
      await over()
      await room.take(size)
    })
  try {
    for await (const { header, content: coming } of readTar(bodyOf(request), tooLarge)) {
      await yielder.next()
      const name = withoutEnd(header.name)
      const path = name.slice(0, PATH_MOST)
      const index = results.push({ path, outcome: 'failed' }) - 1
      if (!counted(total, header.size, path)) {
        results[index] = { path, outcome: 'failed', error: errorOf(desk.log, tooLarge(), path) }
        break
      }
      let content: Content
      let reserved = length === null ? 0 : header.size
      try {
        requirePath(name)
        if (header.type !== 'directory') requireSize(desk.files, header.size)
        if (length === null) await reserveMore(header.size)
        reserved = header.size
        content = await contentOf(desk.files, coming, header)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        results[index] = { path, outcome: 'failed', error: errorOf(desk.log, error, path) }
        release(reserved)
        continue
      }
      const holding = content.kind === 'held' ? header.size : 0
      held += holding
      const told = (result: Result) => {
        results[index] = result
        release(header.size)
      }
      const one: Promise<void> = begin(desk, small, { header, path, content, conflict, told }).then(() => {
        held -= holding
        writing.delete(one)
      })
      writing.add(one)
      while (writing.size >= AT_ONCE || (held > HELD_BYTES && writing.size > 0)) await Promise.race(writing)
      if (small.areMany) await small.place()
    }
  } catch (error) {
    await over()
    if (error instanceof Refusal) throw error
    // Report the files read; the sender notices that the others are missing.
    if (results.length === 0) throw refusal(422, 'files.batch-invalid')
    desk.log.warn({ err: error }, 'a batch broke off')
  }
  await over()
  const committed = results.filter(({ outcome }) => outcome === 'done')
  await desk.files.flush(new Set(committed.map(({ path, finalPath }) => splitLast(finalPath ?? path).folder)))
  return results
}

function requirePath(name: string): void {
  if (name.length > PATH_MOST) throw refusal(422, 'request.invalid.path-long')
  requireDepth(name)
}

function counted(total: { files: number; bytes: number; characters: number }, size: number, path: string) {
  total.files += 1
  total.bytes += size
  total.characters += path.length
  return total.files <= BATCH.maxFiles && total.bytes <= BATCH.maxBytes && total.characters <= PATHS_MOST
}

async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunksOf(request)) {
    if ((bytes += chunk.length) > BODY_MOST) throw tooLarge()
    yield chunk
  }
}

/** Trims trailing slashes. A regex could take quadratic time. */
function withoutEnd(name: string): string {
  let end = name.length
  while (end > 0 && name[end - 1] === '/') end--
  return name.slice(0, end)
}

type Content =
  | { kind: 'held'; chunks: readonly Buffer[]; sha256: () => string }
  | { kind: 'written'; temp: string; sha256: () => string }
  | { kind: 'failed'; error: unknown }

async function contentOf(
  files: ServerFiles,
  entry: TarEntry['content'],
  { type, size }: TarHeader,
): Promise<Content> {
  const isFile = type === 'file'
  if (isFile && size > HELD_MOST) return writtenAsItComes(files, entry)
  const chunks: Buffer[] = []
  // Drop the content of anything but files.
  for await (const chunk of entry) if (isFile) chunks.push(chunk)
  const sha256 = () => {
    const hash = createHash('sha256')
    for (const chunk of chunks) hash.update(chunk)
    return hash.digest('hex')
  }
  return { kind: 'held', chunks, sha256 }
}

/** On write errors, reads on: more files follow in the same stream. */
async function writtenAsItComes(files: ServerFiles, entry: TarEntry['content']): Promise<Content> {
  const temp = files.newTemp()
  const hash = createHash('sha256')
  const file: { handle: FileHandle | null; failed: { error: unknown } | null } = {
    handle: null,
    failed: null,
  }
  const giveUp = async () => {
    await file.handle?.close().catch(() => {})
    await rm(temp, { force: true })
  }
  const unlessFailed = async (act: () => Promise<unknown>) => {
    if (file.failed) return
    try {
      await act()
    } catch (error) {
      file.failed = { error }
      // Immediately: on a full disk, the next files need the space.
      await giveUp()
    }
  }
  try {
    await unlessFailed(async () => (file.handle = await open(temp, 'wx', 0o600)))
    for await (const chunk of entry) {
      await unlessFailed(async () => {
        hash.update(chunk)
        await file.handle?.writeFile(chunk)
      })
    }
    await unlessFailed(async () => {
      await file.handle?.sync()
      await file.handle?.close()
    })
  } catch (error) {
    await giveUp()
    throw error
  }
  if (file.failed) return { kind: 'failed', error: file.failed.error }
  return { kind: 'written', temp, sha256: () => hash.copy().digest('hex') }
}

/** Resolves with the file's result reported, or for small files once it waits for `place`. */
async function begin(
  desk: ActionContext,
  small: SmallFiles,
  one: {
    header: TarHeader
    path: string
    content: Content
    conflict: Conflict
    told: (result: Result) => void
  },
): Promise<void> {
  const { header, path, content, conflict, told } = one
  if (content.kind === 'held' && header.type === 'file' && header.size <= SMALL) {
    const check = () => requireSum(header, content)
    const modifiedAt = timeOf(header)
    return small.write({ path, chunks: content.chunks, size: header.size, modifiedAt, check, told })
  }
  told(await resultOf(desk.log, path, () => writeOne(desk, header, path, content, conflict)))
}

async function writeOne(
  { files, checkAgain }: ActionContext,
  header: TarHeader,
  path: string,
  content: Content,
  conflict: Conflict,
): Promise<{ outcome: 'done' | 'skipped'; path: string }> {
  if (header.type === 'directory') {
    checkAgain()
    using folder = files.open(path, { make: true })
    return { outcome: 'done', path: folder.path }
  }
  if (header.type !== 'file') throw refusal(422, 'files.not-file.batch')
  if (content.kind === 'failed') throw content.error
  const temp = content.kind === 'written' ? content.temp : files.newTemp()
  try {
    requireSum(header, content)
    if (content.kind === 'held') await writeWhole(temp, Buffer.concat(content.chunks))
    return await files.commit(temp, path, {
      conflict,
      modifiedAt: timeOf(header),
      durable: false,
      check: checkAgain,
    })
  } finally {
    await rm(temp, { force: true })
  }
}

function requireSum(header: TarHeader, content: Exclude<Content, { kind: 'failed' }>): void {
  const sum = header.pax.get(CHECKSUM)
  if (sum !== undefined && content.sha256() !== sum.toLowerCase()) throw refusal(422, 'files.checksum.batch')
}

async function writeWhole(temp: string, content: Buffer): Promise<void> {
  await using handle = await open(temp, 'wx', 0o600)
  await handle.writeFile(content)
  await handle.sync()
}
