import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { crc32 as crcOf } from 'node:zlib'
import { z } from 'zod'
import type { Entry, ZipFile } from 'yauzl'
import { EntryNames, isOfUnix, markedName } from '../../files/archives/names/entry-names.ts'
import { Refusal } from '../../base/refusal.ts'
import { settingsEncoding } from '../../worlds/world-file.ts'
import { entriesOf, openZip } from '../../zip/open-zip.ts'
import { INDEX_BYTES, INDEX_FILE, isModestIndex, type PackIndex, readIndex } from './pack-index.ts'
import { NO_SETTINGS, type PackSettings, SETTINGS_BYTES, SETTINGS_FILE, settingsIn } from './pack-settings.ts'
import { mayBring, packPath, sameName } from '../pack-paths.ts'
import { broken, curseForge, shown, tooLarge, unsafe } from '../../extensions/catalogs/pack-refusals.ts'

/** Bytes of a pack; of what comes out of it, and how many files that are. */
export const PACK_BYTES_MOST = 1024 ** 3
const OUT_BYTES_MOST = 4 * 1024 ** 3
const ENTRIES_MOST = 30_000
/** Bytes of names, extra fields and comments of all entries together: they are held as long as the pack is open. */
const BESIDE_MOST = 32 * 1024 * 1024
/** What deflate packs best is some thousand times larger; what people make is not. Below this many bytes nobody minds. */
const RATIO_MOST = 300
const RATIO_FROM = 64 * 1024 * 1024
/** Bits of an entry that say what it is, as `st_mode`. */
const KIND = 0o170000
const FILE = 0o100000

/** A file that comes within a pack. */
export interface Override {
  /** In the server's folder. */
  path: string
  size: number
  crc: number
  entry: Entry
}

/** A pack that was opened: its index, and what comes within it for the server. */
export interface OpenedPack {
  index: PackIndex
  overrides: Override[]
  settings: PackSettings
  /** What a file within it holds. Throws 422 `modpacks.broken`; `into` is given all bytes. Answers its SHA-1. */
  read(one: Override, into: (bytes: Buffer) => Promise<void>): Promise<string>
  close(): void
}

/**
 * Opens a pack. Nothing is written, and all of it is judged before anything of it is used. Throws Refusal 422
 * `modpacks.broken`, `modpacks.unsafe`, `modpacks.too-large`, `modpacks.software`.
 */
export async function openPack(file: string, base: string | null): Promise<OpenedPack> {
  const names = await namesIn(file)
  const zip = await open(file)
  try {
    const { found, overrides, settings: entry, refused, foreign } = await readEntries(zip, names)
    if (found === null && foreign && (await isOfCurseForge(zip, foreign))) throw curseForge()
    if (found === null) throw broken('no-index', { index: INDEX_FILE })
    const index = readIndex(found, base)
    const settings = entry ? settingsIn(asSettings(await bytesOf(zip, entry))) : NO_SETTINGS
    return {
      settings,
      index: {
        ...index,
        // What comes within the pack goes before what is fetched, as the format says.
        files: index.files.filter(({ path }) => !overrides.has(sameName(path))),
        refused: [...new Set([...index.refused, ...refused])],
      },
      overrides: [...overrides.values()],
      read: (one, into) => readOverride(zip, one, into),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error instanceof Refusal ? error : broken('damaged-list')
  }
}

async function open(file: string): Promise<ZipFile> {
  const zip = await openZip(file).catch(() => {
    throw broken('no-pack')
  })
  // Its stream ends by itself where it is closed.
  zip.on('error', () => undefined)
  return zip
}

/** How the names in a pack are to be read that do not say their encoding. */
async function namesIn(file: string): Promise<EntryNames> {
  const names = new EntryNames(null)
  const zip = await open(file)
  try {
    if (zip.entryCount > ENTRIES_MOST) throw tooLarge('too-many-entries', { most: ENTRIES_MOST })
    let beside = 0
    for await (const entry of entriesOf(zip)) {
      beside += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (beside > BESIDE_MOST) throw tooLarge('too-much-within')
      if (markedName(entry) === null) names.note(entry.fileNameRaw, isOfUnix(entry))
    }
    return names
  } catch (error) {
    throw error instanceof Refusal ? error : broken('damaged-list')
  } finally {
    zip.close()
  }
}

/** The path of an entry. Packs that were made on Windows have `\`, whatever they say of where that was. */
function nameOf(entry: Entry, names: EntryNames): string {
  const raw = entry.fileNameRaw
  const text = markedName(entry) ?? names.read(raw, isOfUnix(entry)) ?? raw.toString('latin1')
  const isFolder = /[\\/]$/.test(text)
  const parts = text.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  return parts.join('/') + (isFolder ? '/' : '')
}

/** Reads the list of a pack: `server-overrides` go before `overrides`, and what is for players alone is left out. */
async function readEntries(zip: ZipFile, names: EntryNames) {
  const overrides = new Map<string, Override>()
  const ofServer = new Map<string, Override>()
  const refused: string[] = []
  const settings = new Map<string, Entry>()
  let found: Buffer | null = null
  let foreign: Entry | null = null
  let [bytes, packed] = [0, 0]
  const places: Place[] = []
  for await (const entry of entriesOf(zip, (one) => nameOf(one, names))) {
    const { fileName: name, uncompressedSize: size, compressedSize, crc32: crc } = entry
    places.push(placeOf(entry))
    bytes += size
    packed += compressedSize
    if (bytes > OUT_BYTES_MOST || (bytes > RATIO_FROM && bytes > packed * RATIO_MOST))
      throw tooLarge('too-much-within')
    if (name === INDEX_FILE) {
      if (found !== null) throw broken('has-twice', { path: INDEX_FILE })
      if (size > INDEX_BYTES) throw tooLarge('large-index')
      found = await bytesOf(zip, entry)
      continue
    }
    if (name === MANIFEST_OF_CURSEFORGE) foreign = entry
    const [, folder, rest = ''] = /^(overrides|server-overrides)\/(.*)$/s.exec(name) ?? []
    if (name.includes('..')) packPath(name)
    if (folder === undefined || rest === '' || rest.endsWith('/')) continue
    const path = packPath(rest)
    const kind = (entry.externalFileAttributes >>> 16) & KIND
    if (kind !== 0 && kind !== FILE) throw unsafe('link', { path: shown(path) })
    if (entry.isEncrypted()) throw broken('encrypted')
    if (path === SETTINGS_FILE && size <= SETTINGS_BYTES) {
      if (settings.has(folder)) throw broken('contains-twice', { path: shown(path) })
      settings.set(folder, entry)
      continue
    }
    if (!mayBring(path)) {
      refused.push(path)
      continue
    }
    const into = folder === 'overrides' ? overrides : ofServer
    if (into.has(sameName(path))) throw broken('contains-twice', { path: shown(path) })
    into.set(sameName(path), { path, size, crc, entry })
  }
  requireApart(places)
  return {
    ...{ found, refused, foreign, overrides: new Map([...overrides, ...ofServer]) },
    settings: settings.get('server-overrides') ?? settings.get('overrides') ?? null,
  }
}

const MANIFEST_OF_CURSEFORGE = 'manifest.json'
const Manifest = z.object({ minecraft: z.object({ modLoaders: z.array(z.unknown()) }) })

/** Whether a zip is a pack of CurseForge, whose files only its own programs may fetch. */
async function isOfCurseForge(zip: ZipFile, manifest: Entry): Promise<boolean> {
  if (manifest.uncompressedSize > INDEX_BYTES) return false
  try {
    const bytes = await bytesOf(zip, manifest)
    return isModestIndex(bytes) && Manifest.safeParse(JSON.parse(bytes.toString('utf8'))).success
  } catch {
    return false
  }
}

/** Where an entry lies in the file: what of it begins here ends there at the earliest. */
type Place = readonly [from: number, to: number]

/** Bytes of the head that stands before what an entry holds, without its name. */
const HEAD_BYTES = 30

const placeOf = ({ relativeOffsetOfLocalHeader: from, fileNameLength, compressedSize }: Entry): Place => [
  from,
  from + HEAD_BYTES + fileNameLength + compressedSize,
]

/** What packs files never lets two share their bytes: that is how little becomes very much. */
function requireApart(places: Place[]): void {
  let end = 0
  for (const [from, to] of places.sort(([a], [b]) => a - b)) {
    if (from < end) throw tooLarge('files-over-each-other')
    end = to
  }
}

const asSettings = (bytes: Buffer): string => bytes.toString(settingsEncoding(bytes))

async function bytesOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Buffer[] = []
  await readAll(zip, entry, async (piece) => void pieces.push(piece))
  return Buffer.concat(pieces)
}

async function readOverride(
  zip: ZipFile,
  { entry }: Override,
  into: (bytes: Buffer) => Promise<void>,
): Promise<string> {
  const sha1 = createHash('sha1')
  await readAll(zip, entry, async (piece) => {
    sha1.update(piece)
    await into(piece)
  })
  return sha1.digest('hex')
}

/** What the list says of its size may be wrong: no more than that is read. Its checksum has to be right, too. */
async function readAll(zip: ZipFile, entry: Entry, act: (piece: Buffer) => Promise<void>): Promise<void> {
  let stream: Readable
  try {
    stream = await zip.openReadStreamPromise(entry)
  } catch {
    throw broken('unreadable-file')
  }
  let [bytes, crc] = [0, 0]
  let acting: unknown = null
  try {
    for await (const piece of stream) {
      bytes += (piece as Buffer).length
      crc = crcOf(piece as Buffer, crc)
      if (bytes > entry.uncompressedSize) throw tooLarge('larger-than-listed')
      await act(piece as Buffer).catch((error: unknown) => {
        acting = error
        throw error
      })
    }
  } catch (error) {
    // What the disk says goes on as it is.
    if (acting !== null || error instanceof Refusal) throw error
    throw damaged(entry)
  }
  if (bytes !== entry.uncompressedSize || crc !== entry.crc32) throw damaged(entry)
}

const damaged = ({ fileName }: Entry) => broken('damaged-file', { path: shown(fileName.slice(-100)) })
