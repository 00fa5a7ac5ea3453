import type { FileEntry, InputAttributes, Stats } from 'ssh2'
import { HostRefusal, hostRefusal } from '../base/adapter.ts'
import { isMissing, UnofferedRequest, type Session } from './session.ts'

// What is asked of a host over SFTP, one function for each request.

/** Bytes of one request. For hosts that take less at once, ssh2 divides it. */
export const PIECE = 128 * 1024
/** Pieces asked for at once. */
const AHEAD = 32
const ENTRIES_MOST = 200_000
const NAMES_MOST = 64 * 1024 * 1024
const EMPTY_MOST = 100

export const stat = (session: Session, path: string) =>
  session.ask<Stats>((sftp, done) => sftp.stat(path, done))
/** Null if nothing is there. */
export const statOf = (session: Session, path: string): Promise<Stats | null> =>
  stat(session, path).catch(nullIfMissing)
/** Null if nothing is there; of a link, the link. */
export const lstatOf = (session: Session, path: string): Promise<Stats | null> =>
  lstat(session, path).catch(nullIfMissing)
const nullIfMissing = (error: unknown): null => {
  if (isMissing(error)) return null
  throw error
}
export const handleStat = (session: Session, handle: Buffer) =>
  session.ask<Stats>((sftp, done) => sftp.fstat(handle, done))
export const lstat = (session: Session, path: string) =>
  session.ask<Stats>((sftp, done) => sftp.lstat(path, done))
export const realPath = (session: Session, path: string) =>
  session.ask<string>((sftp, done) => sftp.realpath(path, done))
export const makeFolder = (session: Session, path: string) =>
  session.ask<void>((sftp, done) => sftp.mkdir(path, done))
export const removeFolder = (session: Session, path: string) =>
  session.ask<void>((sftp, done) => sftp.rmdir(path, done))
export const removeFile = (session: Session, path: string) =>
  session.ask<void>((sftp, done) => sftp.unlink(path, done))
/** Of OpenSSH's and most others, it never replaces. */
export const rename = (session: Session, from: string, to: string) =>
  session.ask<void>((sftp, done) => sftp.rename(from, to, done))
export const open = (session: Session, path: string, how: 'r' | 'r+' | 'wx') =>
  session.ask<Buffer>((sftp, done) => sftp.open(path, how, done))
export const write = (session: Session, handle: Buffer, bytes: Buffer, at: number) =>
  session.ask<void>((sftp, done) => sftp.write(handle, bytes, 0, bytes.length, at, done))
export const setAttributes = (session: Session, path: string, attributes: InputAttributes) =>
  session.ask<void>((sftp, done) => sftp.setstat(path, attributes, done))

/** `time`: seconds since 1970. */
export const setTimes = (session: Session, handle: Buffer, time: number) =>
  session.ask<void>((sftp, done) => sftp.futimes(handle, time, time, done))

/** Never fails: a handle that is lost ends with its connection. */
export const close = (session: Session, handle: Buffer) =>
  session.ask<void>((sftp, done) => sftp.close(handle, done)).catch(() => undefined)

/** Bytes; null if the host doesn't tell. */
export async function freeBytes(session: Session, path: string): Promise<number | null> {
  const about = await session
    .ask<{ f_bavail?: unknown; f_frsize?: unknown }>((sftp, done) => sftp.ext_openssh_statvfs(path, done))
    .catch(() => null)
  const free = Number(about?.f_bavail) * Number(about?.f_frsize)
  return Number.isFinite(free) ? free : null
}

/** Where a former file is while another takes its place. */
export const asideOf = (part: string): string => `${part}.old`

/** Atomic where the host can. Elsewhere the former file is set aside first, and put back if the new one can't follow. */
export async function replace(
  session: Session,
  from: string,
  to: string,
  aside = asideOf(from),
): Promise<void> {
  try {
    return await session.ask<void>((sftp, done) => sftp.ext_openssh_rename(from, to, done))
  } catch (error) {
    // Wings offers it, and then refuses where a file is.
    const isRefused = error instanceof HostRefusal && error.status === 409
    if (!isRefused && !(error instanceof UnofferedRequest)) throw error
  }
  const isThere = await rename(session, to, aside).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )
  try {
    await rename(session, from, to)
  } catch (error) {
    if (isThere) await rename(session, aside, to)
    throw error
  }
  if (isThere)
    await removeFile(session, aside).catch((error: unknown) => {
      if (!(error instanceof HostRefusal)) throw error
    })
}

/** Without `.` and `..`. */
export async function entriesIn(session: Session, path: string): Promise<FileEntry[]> {
  const handle = await session.ask<Buffer>((sftp, done) => sftp.opendir(path, done))
  const all: FileEntry[] = []
  let letters = 0
  try {
    for (let pages = 0; ; pages++) {
      const page = await session.ask<FileEntry[] | null>((sftp, done) =>
        sftp.readdir(handle, (error, list) => {
          if ((error as { code?: unknown } | undefined)?.code === END_OF_FILE) done(null, null)
          else done(error, list)
        }),
      )
      if (!page) return all
      for (const entry of page) letters += entry.filename.length + entry.longname.length + 1
      all.push(...page)
      if (all.length > ENTRIES_MOST || letters > NAMES_MOST || pages > all.length + EMPTY_MOST)
        throw hostRefusal(413, 'sftp.folder-size')
    }
  } finally {
    void close(session, handle)
  }
}
const END_OF_FILE = 1

/** Exactly the bytes from `from` to before `to`, in order. Throws if the file has become shorter. */
export async function* bytesIn(
  session: Session,
  handle: Buffer,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  let at = from
  for await (const piece of piecesIn(session, handle, from, to)) {
    at += piece.length
    yield piece
  }
  if (at < to) throw hostRefusal(502, 'sftp.shorter')
}

/** Fewer bytes where the file has ended. */
async function* piecesIn(
  session: Session,
  handle: Buffer,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void, undefined> {
  const asked: Promise<Buffer>[] = []
  let next = from
  const ask = () => {
    const piece = pieceAt(session, handle, next, Math.min(PIECE, to - next))
    piece.catch(() => undefined)
    asked.push(piece)
    next += PIECE
  }
  while (asked.length < AHEAD && next < to) ask()
  let isEnded = false
  for (let first = asked.shift(); first && !isEnded; first = asked.shift()) {
    const bytes = await first
    isEnded = bytes.length < PIECE
    if (next < to) ask()
    if (bytes.length > 0) yield bytes
  }
}

/** Fewer bytes only at the file's end. */
async function pieceAt(session: Session, handle: Buffer, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let held = 0
  // A host may answer with less than was asked for.
  while (held < length) {
    const read = await session.ask<number>((sftp, done) =>
      sftp.read(handle, bytes, held, length - held, at + held, done),
    )
    if (read === 0) break
    held += read
  }
  return bytes.subarray(0, held)
}

/** A part of a file, at once; less where the file has ended, whatever its size is said to be. */
export async function readPart(session: Session, path: string, from: number, to: number): Promise<Buffer> {
  if (to <= from) return Buffer.alloc(0)
  const handle = await open(session, path, 'r')
  try {
    const pieces: Buffer[] = []
    for await (const piece of piecesIn(session, handle, from, to)) pieces.push(piece)
    return Buffer.concat(pieces)
  } finally {
    void close(session, handle)
  }
}
