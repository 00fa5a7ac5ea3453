import { existsSync, mkdirSync, createWriteStream } from 'node:fs'
import { lstat, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { uptimeAge } from '../../../host/uptime-clock.ts'
import { BOUNDS, type Bounds } from '../../http/limits/bounds.ts'
import type { AgingClock } from '../../base/clock.ts'
import { tagOf } from '../names/entry.ts'
import { joined } from '../../../contract/rules/paths.ts'
import { requireSize } from '../write/commit-file.ts'
import { asRefusal, exists } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Hasher } from './hasher.ts'
import { isUnreadable, partOf, readRecord, removeUpload, writeRecord, type UploadRecord } from './record.ts'
import { pipeline } from 'node:stream/promises'
import type { Reservation } from '../quota/reservations.ts'

/** Idle uploads expire after this many ms. */
export const EXPIRES_MS = 24 * 60 * 60 * 1000
/** Ms to remember finished uploads, for clients that missed the response. */
const REMEMBERED_MS = 60 * 60 * 1000
/** From the request with the last byte; queried once all bytes are here. */
export interface UploadConditions {
  sha256(): string | null
  /** Overrides the choice made at creation. */
  conflict: Conflict | null
  /** Throws if writing is no longer permitted; called right before placing. */
  checkAgain: () => void
}

interface UploadState {
  record: UploadRecord
  /** Where to resume. Size minus one while complete but not placed: see `write`. */
  offset: number
  /** Unix ms of the last growth. */
  touchedAt: number
}

type UploadIntent = Pick<UploadRecord, 'path' | 'size' | 'conflict'>

/** Callers ensure one writer per upload. */
export class UploadStore {
  readonly #hasher: Hasher
  readonly #clock: AgingClock
  readonly #bounds: Pick<Bounds, 'begunUploads' | 'rememberedUploads'>
  readonly #finished = new WeakMap<ServerFiles, string[]>()

  constructor(
    hasher: Hasher,
    clock: AgingClock,
    bounds: Pick<Bounds, 'begunUploads' | 'rememberedUploads'> = BOUNDS,
  ) {
    this.#hasher = hasher
    this.#clock = clock
    this.#bounds = bounds
  }

  /** Checks before the first byte. Throws 409, 413, 422, 507. */
  async check(files: ServerFiles, wanted: UploadIntent): Promise<void> {
    requireSize(files, wanted.size)
    refuseTaken(files, wanted.path, wanted.conflict)
    ;(await files.space.reserve(wanted.size))[Symbol.dispose]()
  }

  async create(files: ServerFiles, record: UploadRecord): Promise<void> {
    await this.check(files, record)
    const folder = files.uploads
    // Counted synchronously, so parallel requests can't exceed the limit.
    if (files.partialUploads.count >= this.#bounds.begunUploads) throw tooManyBegun(this.#bounds.begunUploads)
    files.partialUploads.set(record.id, 0)
    try {
      // Not recursive: without a parent, the server was deleted.
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
      await (await open(partOf(folder, record.id), 'wx', 0o600)).close()
      await writeRecord(folder, this.#heard(record))
    } catch (error) {
      files.partialUploads.set(record.id, null)
      await removeUpload(folder, record.id)
      throw asRefusal(error, record.path)
    }
  }

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

  /** Places the file once complete and verified; else keeps the data, to resume at the returned offset. */
  async write(
    files: ServerFiles,
    id: string,
    source: Readable,
    offset: number,
    vouching: UploadConditions,
  ): Promise<number> {
    const state = await this.read(files, id)
    if (!state) throw gone()
    const { record } = state
    if (record.state.kind === 'done') return record.size
    const part = partOf(files.uploads, id)
    if ((await stat(part)).size > offset) {
      // Complete but not placed: the last byte is sent again.
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
        // Synchronously, before the reservation ends: each byte must count exactly once.
        files.partialUploads.set(id, size)
        reservation.counted((size ?? offset) - offset)
        // On a full disk, the file's own time will do.
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

  /** Removes expired uploads and stray bytes. `isHeld`: being written now. */
  async sweep(files: ServerFiles, isHeld: (id: string) => boolean): Promise<void> {
    const names = await readdir(files.uploads).catch(() => [])
    for (const id of new Set(names.map((name) => name.replace(/\..*$/, '')))) {
      if (isHeld(id) || (await isUnreadable(files.uploads, id))) continue
      await this.#stampAnew(files.uploads, id)
      if (!(await this.read(files, id))) await this.remove(files, id)
    }
  }

  async #finish(files: ServerFiles, record: UploadRecord, part: string, vouching: UploadConditions) {
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

  /** After a crash while placing, finds out whether the file was placed. */
  async #afterPlacing(files: ServerFiles, record: UploadRecord): Promise<UploadRecord> {
    const { state } = record
    if (state.kind !== 'placing') return record
    const folder = files.uploads
    const part = await lstat(partOf(folder, record.id), { bigint: true }).catch(() => null)
    // Placing links the new name, then removes the old one. With two links it is placed.
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

  /** By clock and by uptime, so neither a clock change nor downtime expires an upload. */
  #isOlder(at: number, { seenAt }: UploadRecord, ms: number): boolean {
    return (
      this.#clock.now() - at > ms &&
      (typeof seenAt !== 'number' || uptimeAge(seenAt, this.#clock.seen()) > ms)
    )
  }

  #heard(record: UploadRecord): UploadRecord {
    return { ...record, seenAt: this.#clock.seen() }
  }

  /** Stamps from the future, for example after a restore, start over. */
  async #stampAnew(folder: string, id: string): Promise<void> {
    const record = await readRecord(folder, id)
    if (record && (record.seenAt ?? 0) > this.#clock.seen())
      await writeRecord(folder, this.#heard(record)).catch(() => {})
  }
}

/** Throws if the name is taken and may not be, or the path is invalid. */
function refuseTaken(files: ServerFiles, wanted: string, conflict: Conflict): void {
  const there = files.find(wanted)
  if (!there || conflict === 'keep-both') return
  if (conflict === 'replace' && !there.isDirectory()) return
  throw exists(wanted)
}

async function findByIno(files: ServerFiles, wanted: string, ino: string) {
  try {
    using located = files.locate(wanted, { follow: true })
    for (const name of await located.folder.names()) {
      const found = await lstat(located.folder.at(name), { bigint: true }).catch(() => null)
      if (found && String(found.ino) === ino)
        return { path: joined(located.folder.path, name), etag: tagOf(found) }
    }
  } catch {
    // The folder is gone, so the file can't be found.
  }
  return null
}

const tooManyBegun = (most: number) =>
  refusal(429, 'files.too-many-uploads', { most }).with({ 'Retry-After': '30' })

export const gone = () => refusal(404, 'files.upload-not-found')

const unvouched = () => refusal(422, 'files.checksum-missing')

/** Bytes buffered per write: large writes cost less. */
const GATHERED = 2 * 1024 * 1024
/** Bytes between requests to hash ahead. */
const AHEAD = 4 * 1024 * 1024

export async function append(
  source: Readable,
  part: string,
  offset: number,
  hasher: Pick<Hasher, 'advance'>,
  reservation: Pick<Reservation, 'wrote'>,
): Promise<void> {
  const target = createWriteStream(part, { flags: 'r+', start: offset, highWaterMark: GATHERED })
  let ahead = 0
  source.on('data', (chunk: Buffer) => {
    reservation.wrote(chunk.length)
    if (target.bytesWritten - ahead < AHEAD) return
    ahead = target.bytesWritten
    hasher.advance(part, offset + ahead)
  })
  await pipeline(source, target)
}
