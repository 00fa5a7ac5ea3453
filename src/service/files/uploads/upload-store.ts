import { existsSync, mkdirSync } from 'node:fs'
import { lstat, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { uptimeAge } from '../../../host/uptime-clock.ts'
import { BOUNDS, type Bounds } from '../../http/limits/bounds.ts'
import type { AgeingClock } from '../../base/clock.ts'
import { tagOf } from '../names/entry.ts'
import { joined } from '../../../contract/rules/paths.ts'
import { requireSize } from '../write/commit-file.ts'
import { asRefusal, exists } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { refusal } from '../../base/refusal.ts'
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

type Wanted = Pick<UploadRecord, 'path' | 'size' | 'conflict'>

/** Uploads in the staging folders of the servers. Callers see to it that one request at a time writes to one. */
export class UploadStore {
  readonly #hasher: Hasher
  readonly #clock: AgeingClock
  readonly #bounds: Pick<Bounds, 'begunUploads' | 'rememberedUploads'>
  /** Finished ones that are remembered, the oldest first. They go with their server. */
  readonly #finished = new WeakMap<ServerFiles, string[]>()

  constructor(
    hasher: Hasher,
    clock: AgeingClock,
    bounds: Pick<Bounds, 'begunUploads' | 'rememberedUploads'> = BOUNDS,
  ) {
    this.#hasher = hasher
    this.#clock = clock
    this.#bounds = bounds
  }

  /** Checks all that can be known before the first byte. Throws 409, 413, 422, 507. */
  async check(files: ServerFiles, wanted: Wanted): Promise<void> {
    requireSize(files, wanted.size)
    refuseTaken(files, wanted.path, wanted.conflict)
    ;(await files.space.reserve(wanted.size))[Symbol.dispose]()
  }

  async create(files: ServerFiles, record: UploadRecord): Promise<void> {
    await this.check(files, record)
    const folder = files.uploads
    // Counted in the same step: of many that are begun at once no one slips by.
    if (files.partialUploads.count >= this.#bounds.begunUploads) throw tooManyBegun(this.#bounds.begunUploads)
    files.partialUploads.set(record.id, 0)
    try {
      // Not with what is above it: where that is gone, the server was deleted.
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
      await (await open(partOf(folder, record.id), 'wx', 0o600)).close()
      await writeRecord(folder, this.#heard(record))
    } catch (error) {
      files.partialUploads.set(record.id, null)
      await removeUpload(folder, record.id)
      throw asRefusal(error, record.path)
    }
  }

  /** Null where it is not known, or expired. */
  async read(files: ServerFiles, id: string): Promise<UploadState | null> {
    const folder = files.uploads
    let record = await readRecord(folder, id)
    if (!record) return null
    if (record.state.kind === 'placing') record = await this.#afterPlacing(files, record)
    if (record.state.kind === 'done') {
      if (this.#isOlder(record.state.at, record, REMEMBERED_MS)) return null
      return { record, offset: record.size, touchedAt: record.state.at }
    }
    const part = await stat(partOf(folder, id)).catch(() => null)
    if (!part || this.#isOlder(part.mtimeMs, record, EXPIRES_MS)) return null
    return {
      record,
      offset: Math.max(0, Math.min(part.size, record.size - 1)),
      touchedAt: part.mtimeMs,
    }
  }

  /**
   * Writes on from `offset`, and places the file when all is here and its SHA-256 agrees. Where it ends early, what
   * arrived is kept. Answers the new offset. Where placing is refused everything is kept: the last byte is sent again.
   */
  async write(
    files: ServerFiles,
    id: string,
    source: Readable,
    offset: number,
    vouching: Vouching,
  ): Promise<number> {
    const state = await this.read(files, id)
    if (!state) throw gone()
    const { record } = state
    if (record.state.kind === 'done') return record.size
    const part = partOf(files.uploads, id)
    if ((await stat(part)).size > offset) {
      // All was here and not placed: the last byte comes again.
      await truncate(part, offset)
      files.partialUploads.set(id, offset)
      this.#hasher.forget(part)
    }
    try {
      using reservation = await files.space.reserve(record.size - offset)
      try {
        await append(source, part, offset, this.#hasher, reservation)
      } finally {
        const size = (await stat(part).catch(() => null))?.size ?? null
        // In one step, and before the reservation ends: this room is given to nobody else, and taken from nobody twice.
        files.partialUploads.set(id, size)
        reservation.counted((size ?? offset) - offset)
        // With a full disk the time of its bytes alone has to do.
        await writeRecord(files.uploads, this.#heard(record)).catch(() => {})
      }
    } catch (error) {
      throw asRefusal(error, record.path)
    }
    const { size } = await stat(part)
    return size < record.size ? size : this.#finish(files, record, part, vouching)
  }

  async remove(files: ServerFiles, id: string): Promise<void> {
    this.#hasher.forget(partOf(files.uploads, id))
    await removeUpload(files.uploads, id)
    files.partialUploads.set(id, null)
  }

  /** Removes what is expired, and bytes that belong to nothing. `isHeld`: somebody writes to it now. */
  async sweep(files: ServerFiles, isHeld: (id: string) => boolean): Promise<void> {
    const names = await readdir(files.uploads).catch(() => [])
    for (const id of new Set(names.map((name) => name.replace(/\..*$/, '')))) {
      if (isHeld(id) || (await isUnreadable(files.uploads, id))) continue
      await this.#stampAnew(files.uploads, id)
      if (!(await this.read(files, id))) await this.remove(files, id)
    }
  }

  async #finish(files: ServerFiles, record: UploadRecord, part: string, vouching: Vouching) {
    const folder = files.uploads
    const expected = vouching.sha256()
    if (expected === null) throw unvouched()
    const actual = await this.#hasher.digest(part, record.size)
    if (actual !== expected) {
      await this.remove(files, record.id)
      throw refusal(422, 'files.checksum')
    }
    const { ino } = await stat(part, { bigint: true })
    const conflict = vouching.conflict ?? record.conflict
    await writeRecord(
      folder,
      this.#heard({ ...record, conflict, state: { kind: 'placing', ino: String(ino) } }),
    )
    try {
      const modifiedAt = record.modifiedAt === null ? null : Date.parse(record.modifiedAt)
      const committed = await files.commit(part, record.path, {
        conflict,
        modifiedAt,
        upload: record.id,
        check: () => vouching.checkAgain(),
      })
      if (committed.outcome === 'skipped') {
        await this.remove(files, record.id)
        throw exists(record.path)
      }
      const state = {
        kind: 'done',
        path: committed.path,
        etag: tagOf(committed.stat),
        at: this.#clock.now(),
      } as const
      await writeRecord(folder, this.#heard({ ...record, conflict, state }))
      await this.#remember(files, record.id)
    } catch (error) {
      if (await stat(part).catch(() => null))
        await writeRecord(folder, this.#heard({ ...record, state: { kind: 'open' } }))
      throw error
    }
    this.#hasher.forget(part)
    return record.size
  }

  /** The service ended while it was placing this: whether it came to that shows where its bytes are. */
  async #afterPlacing(files: ServerFiles, record: UploadRecord): Promise<UploadRecord> {
    const { state } = record
    if (state.kind !== 'placing') return record
    const folder = files.uploads
    const part = await lstat(partOf(folder, record.id), { bigint: true }).catch(() => null)
    // A file is placed by a second name, then the first one goes: with both it is there already.
    const isPlaced = !part || part.nlink > 1n
    if (part && isPlaced) await rm(partOf(folder, record.id))
    if (isPlaced) files.partialUploads.set(record.id, null)
    const found = isPlaced ? await findByIno(files, record.path, state.ino) : null
    const next: UploadRecord = isPlaced
      ? {
          ...record,
          state: {
            kind: 'done',
            path: found?.path ?? record.path,
            etag: found?.etag ?? '',
            at: this.#clock.now(),
          },
        }
      : { ...record, state: { kind: 'open' } }
    await writeRecord(folder, this.#heard(next))
    return next
  }

  async #remember(files: ServerFiles, id: string): Promise<void> {
    const ids = this.#finished.get(files) ?? []
    this.#finished.set(files, ids)
    ids.push(id)
    if (ids.length > this.#bounds.rememberedUploads) await removeUpload(files.uploads, ids.shift()!)
  }

  /** By the computer's clock and by seen time: a clock that is set ends no upload, and neither does a long silence of ours. */
  #isOlder(at: number, { seenAt }: UploadRecord, ms: number): boolean {
    return (
      this.#clock.now() - at > ms &&
      (typeof seenAt !== 'number' || uptimeAge(seenAt, this.#clock.seen()) > ms)
    )
  }

  /** Notes that it was heard of. */
  #heard(record: UploadRecord): UploadRecord {
    return { ...record, seenAt: this.#clock.seen() }
  }

  /** One that is stamped later than anything that was seen, as after a restore, begins to age. */
  async #stampAnew(folder: string, id: string): Promise<void> {
    const record = await readRecord(folder, id)
    if (record && (record.seenAt ?? 0) > this.#clock.seen())
      await writeRecord(folder, this.#heard(record)).catch(() => {})
  }
}

/** Throws where a name is taken and that is not wanted, or a path cannot be used. */
function refuseTaken(files: ServerFiles, wanted: string, conflict: Conflict): void {
  const there = files.find(wanted)
  if (!there || conflict === 'keep-both') return
  if (conflict === 'replace' && !there.isDirectory()) return
  throw exists(wanted)
}

/** A placed file by its inode, in the folder it was meant for. */
async function findByIno(files: ServerFiles, wanted: string, ino: string) {
  try {
    using located = files.locate(wanted, { follow: true })
    for (const name of await located.folder.names()) {
      const found = await lstat(located.folder.at(name), { bigint: true }).catch(() => null)
      if (found && String(found.ino) === ino)
        return { path: joined(located.folder.path, name), etag: tagOf(found) }
    }
  } catch {
    // The folder is gone: where the file is now, nobody can say.
  }
  return null
}

const tooManyBegun = (most: number) =>
  refusal(429, 'files.too-many-uploads', { most }).with({ 'Retry-After': '30' })

export const gone = () => refusal(404, 'files.upload-not-found')

const unvouched = () => refusal(422, 'files.checksum-missing')
