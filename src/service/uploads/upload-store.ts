import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { lstat, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Conflict } from '../../contract/areas/file-values.ts'
import { seenAge } from '../../computer/seen-time.ts'
import { BOUNDS, type Bounds } from '../bounds/bounds.ts'
import type { AgeingClock } from '../clock.ts'
import { kindOf, tagOf, type Kind } from '../files/entry.ts'
import { joined } from '../../contract/pure/paths.ts'
import { requireSize } from '../files/write/commit-file.ts'
import { asRefusal, exists } from '../files/refusals.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../refusal.ts'
import { append } from './append.ts'
import type { Hasher } from './hasher.ts'
import { isUnreadable, partOf, readRecord, removeUpload, writeRecord, type UploadRecord } from './record.ts'

/** An upload nobody wrote to for so long is removed, in milliseconds. */
export const EXPIRES_MS = 24 * 60 * 60 * 1000
/** A finished one is remembered for so long, so that who lost the answer can ask again. */
const REMEMBERED_MS = 60 * 60 * 1000
/** What the request that brings the last byte says; asked once all bytes are here. */
export interface Vouching {
  /** SHA-256 of the whole file in hex; null where none was given. */
  sha256(): string | null
  /** Instead of what was chosen at the beginning. */
  conflict: Conflict | null
  /** Throws where who sends may no longer write here: bytes take their time. Asked right before the file is placed. */
  checkAgain: () => void
}

export interface UploadState {
  record: UploadRecord
  /** What can be gone on from. One less than the size while all is here and nothing is placed: see `write`. */
  offset: number
  /** When it last grew; milliseconds since 1970. */
  touchedAt: number
}

export interface UploadStore {
  /** Checks all that can be known before the first byte. Throws 409, 413, 422, 507. */
  check(files: ServerFiles, wanted: Pick<UploadRecord, 'path' | 'size' | 'conflict'>): Promise<void>
  create(files: ServerFiles, record: UploadRecord): Promise<void>
  /** Null where it is not known, or expired. */
  read(files: ServerFiles, id: string): Promise<UploadState | null>
  /**
   * Writes on from `offset`, and places the file when all is here and its SHA-256 agrees. Where it ends early, what
   * arrived is kept. Answers the new offset. Where placing is refused everything is kept: the last byte is sent again.
   */
  write(files: ServerFiles, id: string, source: Readable, offset: number, vouching: Vouching): Promise<number>
  remove(files: ServerFiles, id: string): Promise<void>
  /** Removes what is expired, and bytes that belong to nothing. `isHeld`: somebody writes to it now. */
  sweep(files: ServerFiles, isHeld: (id: string) => boolean): Promise<void>
}

/** Uploads in the staging folders of the servers. Callers see to it that one request at a time writes to one. */
export function createUploadStore(
  hasher: Hasher,
  clock: AgeingClock,
  bounds: Pick<Bounds, 'begunUploads' | 'rememberedUploads'> = BOUNDS,
): UploadStore {
  /** Finished ones that are remembered, the oldest first. They go with their server. */
  const finished = new WeakMap<ServerFiles, string[]>()

  async function remember(files: ServerFiles, id: string): Promise<void> {
    const ids = finished.get(files) ?? []
    finished.set(files, ids)
    ids.push(id)
    if (ids.length > bounds.rememberedUploads) await removeUpload(files.uploads, ids.shift()!)
  }

  async function check(files: ServerFiles, wanted: Pick<UploadRecord, 'path' | 'size' | 'conflict'>) {
    requireSize(files, wanted.size)
    refuseTaken(files, wanted.path, wanted.conflict)
    ;(await files.space.claim(wanted.size))[Symbol.dispose]()
  }

  /** By the computer's clock and by seen time: a clock that is set ends no upload, and neither does a long silence of ours. */
  const isOlder = (at: number, { seenAt }: UploadRecord, ms: number) =>
    clock.now() - at > ms && (typeof seenAt !== 'number' || seenAge(seenAt, clock.seen()) > ms)

  /** Notes that it was heard of. */
  const heard = (record: UploadRecord): UploadRecord => ({ ...record, seenAt: clock.seen() })

  async function read(files: ServerFiles, id: string): Promise<UploadState | null> {
    const folder = files.uploads
    let record = await readRecord(folder, id)
    if (!record) return null
    if (record.state.kind === 'placing') record = await afterPlacing(files, record)
    if (record.state.kind === 'done') {
      if (isOlder(record.state.at, record, REMEMBERED_MS)) return null
      return { record, offset: record.size, touchedAt: record.state.at }
    }
    const part = await stat(partOf(folder, id)).catch(() => null)
    if (!part || isOlder(part.mtimeMs, record, EXPIRES_MS)) return null
    return {
      record,
      offset: Math.max(0, Math.min(part.size, record.size - 1)),
      touchedAt: part.mtimeMs,
    }
  }

  /** The service ended while it was placing this: whether it came to that shows where its bytes are. */
  async function afterPlacing(files: ServerFiles, record: UploadRecord): Promise<UploadRecord> {
    const { state } = record
    if (state.kind !== 'placing') return record
    const folder = files.uploads
    const part = await lstat(partOf(folder, record.id), { bigint: true }).catch(() => null)
    // A file is placed by a second name, then the first one goes: with both it is there already.
    const isPlaced = !part || part.nlink > 1n
    if (part && isPlaced) await rm(partOf(folder, record.id))
    if (isPlaced) files.parked.set(record.id, null)
    const found = isPlaced ? await findByIno(files, record.path, state.ino) : null
    const next: UploadRecord = isPlaced
      ? {
          ...record,
          state: {
            kind: 'done',
            path: found?.path ?? record.path,
            etag: found?.etag ?? '',
            at: clock.now(),
          },
        }
      : { ...record, state: { kind: 'open' } }
    await writeRecord(folder, heard(next))
    return next
  }

  async function create(files: ServerFiles, record: UploadRecord): Promise<void> {
    await check(files, record)
    const folder = files.uploads
    // Counted in the same step: of many that are begun at once no one slips by.
    if (files.parked.count >= bounds.begunUploads) throw tooManyBegun(bounds.begunUploads)
    files.parked.set(record.id, 0)
    try {
      // Not with what is above it: where that is gone, the server was deleted.
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
      await (await open(partOf(folder, record.id), 'wx', 0o600)).close()
      await writeRecord(folder, heard(record))
    } catch (error) {
      files.parked.set(record.id, null)
      await removeUpload(folder, record.id)
      throw asRefusal(error, record.path)
    }
  }

  async function write(
    files: ServerFiles,
    id: string,
    source: Readable,
    offset: number,
    vouching: Vouching,
  ): Promise<number> {
    const state = await read(files, id)
    if (!state) throw gone()
    const { record } = state
    if (record.state.kind === 'done') return record.size
    const part = partOf(files.uploads, id)
    if ((await stat(part)).size > offset) {
      // All was here and not placed: the last byte comes again.
      await truncate(part, offset)
      files.parked.set(id, offset)
      hasher.forget(part)
    }
    try {
      using claim = await files.space.claim(record.size - offset)
      try {
        await append(source, part, offset, hasher, claim)
      } finally {
        // Before the claim ends: nobody else is given this room in between.
        files.parked.set(id, (await stat(part).catch(() => null))?.size ?? null)
        // With a full disk the time of its bytes alone has to do.
        await writeRecord(files.uploads, heard(record)).catch(() => {})
      }
    } catch (error) {
      throw asRefusal(error, record.path)
    }
    const { size } = await stat(part)
    return size < record.size ? size : finish(files, record, part, vouching)
  }

  async function finish(files: ServerFiles, record: UploadRecord, part: string, vouching: Vouching) {
    const folder = files.uploads
    const expected = vouching.sha256()
    if (expected === null) throw unvouched()
    const actual = await hasher.digest(part, record.size)
    if (actual !== expected) {
      await remove(files, record.id)
      throw new Refusal(
        422,
        'files.checksum',
        'What arrived is not what was sent: the checksums differ. Nothing was written. Send the file again.',
      )
    }
    const { ino } = await stat(part, { bigint: true })
    const conflict = vouching.conflict ?? record.conflict
    await writeRecord(folder, heard({ ...record, conflict, state: { kind: 'placing', ino: String(ino) } }))
    try {
      const modifiedAt = record.modifiedAt === null ? null : Date.parse(record.modifiedAt)
      const placed = await files.place(part, record.path, {
        conflict,
        modifiedAt,
        upload: record.id,
        check: () => vouching.checkAgain(),
      })
      if (placed.outcome === 'skipped') {
        await remove(files, record.id)
        throw exists(record.path)
      }
      const state = { kind: 'done', path: placed.path, etag: tagOf(placed.stat), at: clock.now() } as const
      await writeRecord(folder, heard({ ...record, conflict, state }))
      await remember(files, record.id)
    } catch (error) {
      if (await stat(part).catch(() => null))
        await writeRecord(folder, heard({ ...record, state: { kind: 'open' } }))
      throw error
    }
    hasher.forget(part)
    return record.size
  }

  async function remove(files: ServerFiles, id: string): Promise<void> {
    hasher.forget(partOf(files.uploads, id))
    await removeUpload(files.uploads, id)
    files.parked.set(id, null)
  }

  /** One that is stamped later than anything that was seen, as after a restore, begins to age. */
  async function stampAnew(folder: string, id: string): Promise<void> {
    const record = await readRecord(folder, id)
    if (record && (record.seenAt ?? 0) > clock.seen())
      await writeRecord(folder, heard(record)).catch(() => {})
  }

  async function sweep(files: ServerFiles, isHeld: (id: string) => boolean): Promise<void> {
    const names = await readdir(files.uploads).catch(() => [])
    for (const id of new Set(names.map((name) => name.replace(/\..*$/, '')))) {
      if (isHeld(id) || (await isUnreadable(files.uploads, id))) continue
      await stampAnew(files.uploads, id)
      if (!(await read(files, id))) await remove(files, id)
    }
  }

  return { check, create, read, write, remove, sweep }
}

/** Throws where a name is taken and that is not wanted, or a path cannot be used. */
function refuseTaken(files: ServerFiles, wanted: string, conflict: Conflict): void {
  let there: Kind | undefined
  try {
    using place = files.locate(wanted, { follow: true })
    const stat = lstatSync(place.at, { throwIfNoEntry: false })
    there = stat && kindOf(stat)
  } catch (error) {
    // The folders above are made when the file is placed.
    if (error instanceof Refusal && error.code === 'files.not-found') return
    throw error
  }
  if (there === undefined || conflict === 'keep-both') return
  if (conflict === 'replace' && there !== 'folder') return
  throw exists(wanted)
}

/** A placed file by its inode, in the folder it was meant for. */
async function findByIno(files: ServerFiles, wanted: string, ino: string) {
  try {
    using place = files.locate(wanted, { follow: true })
    for (const name of await readdir(place.folder.itself)) {
      const found = await lstat(place.folder.at(name), { bigint: true }).catch(() => null)
      if (found && String(found.ino) === ino)
        return { path: joined(place.folder.path, name), etag: tagOf(found) }
    }
  } catch {
    // The folder is gone: where the file is now, nobody can say.
  }
  return null
}

const tooManyBegun = (most: number) =>
  new Refusal(
    429,
    'files.too-many-uploads',
    `${most} uploads to this server are unfinished. Finish or cancel one of them first.`,
    { headers: { 'Retry-After': '30' } },
  )

export const gone = () =>
  new Refusal(
    404,
    'files.upload-not-found',
    'This upload was not found, or was idle for too long. Start again.',
  )

const unvouched = () =>
  new Refusal(
    422,
    'files.checksum-missing',
    'All bytes have arrived, but no checksum: send the last byte again with the header Upload-Checksum (sha256 of the whole file).',
  )
