import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FileEntry as RemoteEntry, Stats } from 'ssh2'
import type { z } from 'zod'
import type { FileEntry, FileLimits } from '../../contract/areas/values/file-values.ts'
import { numbered } from '../../contract/rules/names.ts'
import { joined, nameOf, parentOf } from '../../contract/rules/paths.ts'
import { type HostBytes, hostRefusal } from '../base/adapter.ts'
import { fileExists, type FileResult, outcomeAt, resultOf } from '../base/file-results.ts'
import { isCut } from './delivery.ts'
import type { ServerFolder } from './folder.ts'
import type { Caller, SshLink } from './link.ts'
import { Reading } from './reading.ts'
import * as remote from './remote.ts'
import { isMissing, type Session } from './session.ts'

type Entry = z.input<typeof FileEntry>
export type ConflictRule = 'refuse' | 'replace' | 'keep-both' | 'skip' | undefined

/** Folders within each other, and items, of what is deleted at once. */
const DEPTH_MOST = 200
const DELETED_MOST = 1_000_000
const NUMBERS_MOST = 1000
/** Small files taken at once. */
export const BATCH = { maxFiles: 250, maxBytes: 16 * 1024 * 1024 }

/** The files of a server as SFTP has them. */
export class SftpFiles {
  readonly #link: SshLink
  readonly #folder: ServerFolder

  constructor(link: SshLink, folder: ServerFolder) {
    this.#link = link
    this.#folder = folder
  }

  async list(path: string, caller: Caller): Promise<Entry[]> {
    const session = await this.#link.open(caller)
    const entries = await remote.entriesIn(session, await this.#folder.at(session, path))
    return entries.map((entry) => entryOf(entry))
  }

  async entry(path: string, caller: Caller): Promise<Entry> {
    const session = await this.#link.open(caller)
    const at = await this.#folder.itemAt(session, path)
    return entryOf({ filename: nameOf(path), longname: '', attrs: await remote.lstat(session, at) })
  }

  async read(path: string, range: string | null, caller: Caller): Promise<HostBytes> {
    const session = await this.#link.open(caller)
    const at = await this.#folder.at(session, path)
    // A pipe would be waited for without end.
    if (!(await remote.stat(session, at)).isFile()) throw hostRefusal(409, 'sftp.not-file', { path })
    const reading = await Reading.open(this.#link, session, at)
    try {
      const { size } = reading
      const part = range === null ? null : partOf(range, size)
      const { from, to } = part ?? { from: 0, to: size }
      const stream = Readable.from(reading.bytes(from, to, caller), { objectMode: false })
      stream.once('close', () => reading.close())
      return {
        ...{ stream, size: to - from },
        ...(part && { range: `bytes ${from}-${to - 1}/${size}` }),
      }
    } catch (error) {
      reading.close()
      throw error
    }
  }

  async makeFolder(path: string, mustBeNew: boolean, caller: Caller): Promise<Entry> {
    const session = await this.#link.open(caller)
    const there = await this.#there(session, path)
    if (there && (mustBeNew || !there.isDirectory())) throw fileExists(path)
    if (!there) await this.#folder.make(session, path)
    return this.entry(path, caller)
  }

  move(
    { from, to }: { from: string; to: string },
    conflict: ConflictRule,
    caller: Caller,
  ): Promise<FileResult> {
    return resultOf(from, async () => {
      const session = await this.#link.open(caller)
      const source = await this.#folder.itemAt(session, from)
      const place = await this.placeFor(to, conflict, caller)
      if (!place) return 'skipped'
      const at = await this.#folder.itemAt(session, place.path)
      await (place.replaces
        ? remote.replace(session, source, at, `${besideOf(at)}.old`)
        : remote.rename(session, source, at))
      return outcomeAt(place.path, to)
    })
  }

  /** Where something is put by this rule, and whether another file gives way; null: it is skipped. */
  async placeFor(to: string, conflict: ConflictRule, caller: Caller): Promise<Place | null> {
    const session = await this.#link.open(caller)
    const there = await this.#there(session, to)
    if (there && conflict === 'skip') return null
    const path = there && conflict === 'keep-both' ? await this.#freeName(session, to) : to
    const replaces = there !== null && path === to
    if (replaces && (conflict !== 'replace' || there.isDirectory())) throw fileExists(to)
    return { path, replaces }
  }

  /** Refused where something is. A cut leaves open whether it was done, which shows by what is there. */
  async rename(from: string, to: string, caller: Caller): Promise<void> {
    const session = await this.#link.open(caller)
    if (await this.#there(session, to)) throw fileExists(to)
    const [source, at] = [await this.#folder.itemAt(session, from), await this.#folder.itemAt(session, to)]
    try {
      await remote.rename(session, source, at)
    } catch (error) {
      if (!isCut(error)) throw error
      const again = await this.#link.open(caller)
      if ((await this.#there(again, from)) || !(await this.#there(again, to))) throw error
    }
  }

  /** For good: SFTP has no trash. Of links, the links alone. */
  remove(path: string, caller: Caller): Promise<FileResult> {
    return resultOf(path, async () => {
      const session = await this.#link.open(caller)
      const at = await this.#folder.itemAt(session, path)
      const left = { items: DELETED_MOST }
      if ((await remote.lstat(session, at)).isDirectory()) await removeTree(session, at, left, caller, 0)
      else await remote.removeFile(session, at)
      return 'done'
    })
  }

  async limits(caller: Caller): Promise<z.input<typeof FileLimits>> {
    const session = await this.#link.open(caller)
    const freeBytes = await remote.freeBytes(session, await this.#folder.at(session, ''))
    return {
      resumable: false,
      checksumLast: true,
      batch: BATCH,
      trash: null,
      quotaBytes: null,
      usedBytes: null,
      freeBytes,
    }
  }

  async #there(session: Session, path: string): Promise<Stats | null> {
    try {
      return await remote.lstat(session, await this.#folder.itemAt(session, path))
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async #freeName(session: Session, path: string): Promise<string> {
    for (let number = 2; number < NUMBERS_MOST; number++) {
      const free = joined(parentOf(path), numbered(nameOf(path), number))
      if (!(await this.#there(session, free))) return free
    }
    throw fileExists(path)
  }
}

/** A name that nothing has, in the same folder. */
export const besideOf = (at: string): string =>
  `${at.slice(0, at.lastIndexOf('/') + 1)}.wheelhouse-${randomUUID()}`

async function removeTree(
  session: Session,
  at: string,
  left: { items: number },
  caller: Caller,
  depth: number,
): Promise<void> {
  if (depth > DEPTH_MOST) throw hostRefusal(409, 'sftp.too-deep')
  for (const entry of await remote.entriesIn(session, at)) {
    caller.signal.throwIfAborted()
    if (left.items-- === 0) throw hostRefusal(413, 'sftp.folder-size')
    // The host would look for it elsewhere.
    if (!isUsable(entry.filename)) throw hostRefusal(409, 'sftp.name', { name: shown(entry.filename) })
    const item = `${at}/${entry.filename}`
    if (entryOf(entry).kind === 'folder') await removeTree(session, item, left, caller, depth + 1)
    else await remote.removeFile(session, item)
  }
  await remote.removeFolder(session, at)
}

export interface Place {
  path: string
  replaces: boolean
}

/** `to` is exclusive. Null for what isn't understood: the whole is right, too. */
function partOf(range: string, size: number): { from: number; to: number } | null {
  const read = /^bytes=(\d*)-(\d*)$/.exec(range)
  if (!read || (read[1] === '' && read[2] === '')) return null
  const [begin, end] = [read[1] ?? '', read[2] ?? '']
  const from = begin === '' ? Math.max(0, size - Number(end)) : Number(begin)
  const to = begin === '' || end === '' ? size : Math.min(size, Number(end) + 1)
  if (from >= to) throw hostRefusal(416, 'files.range', { size })
  return { from, to }
}

/** No system has them in names. */
const UNUSABLE = ['/', '\0']
const isUsable = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !UNUSABLE.some((one) => name.includes(one))
const shown = (name: string): string =>
  UNUSABLE.reduce((text, one) => text.replaceAll(one, '\ufffd'), name) || '\ufffd'

const KINDS: Readonly<Record<number, Entry['kind']>> = { 0o4: 'folder', 0o10: 'file', 0o12: 'link' }
const LETTERS: Readonly<Record<string, Entry['kind']>> = { d: 'folder', '-': 'file', l: 'link' }

/** A name that can't be is shown changed, as something that can't be opened. */
export function entryOf({
  filename,
  longname,
  attrs,
}: Pick<RemoteEntry, 'filename' | 'longname' | 'attrs'>): Entry {
  const { mode, size, mtime } = attrs as Partial<typeof attrs>
  const said = (mode === undefined ? LETTERS[longname[0] ?? ''] : KINDS[mode >> 12]) ?? 'other'
  const kind = isUsable(filename) ? said : 'other'
  return {
    name: shown(filename),
    kind,
    size: kind === 'folder' || size === undefined ? null : size,
    modifiedAt: mtime === undefined ? null : new Date(mtime * 1000).toISOString(),
    mode: mode === undefined ? null : mode & 0o7777,
  }
}
