import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { crc32 as crcOf } from 'node:zlib'
import { z } from 'zod'
import type { Entry, ZipFile } from 'yauzl'
import { EntryNames, isOfUnix, markedName } from '../../files/archives/names/entry-names.ts'
import { Refusal } from '../../../host/refusal.ts'
import { settingsEncoding } from '../../worlds/world-file.ts'
import { entriesOf, openZip } from '../../../host/open-zip.ts'
import { INDEX_BYTES, INDEX_FILE, isModestIndex, type PackIndex, readIndex } from './pack-index.ts'
import { NO_SETTINGS, type PackSettings, SETTINGS_BYTES, SETTINGS_FILE, settingsIn } from './pack-settings.ts'
import { mayBring, packPath, sameName } from '../pack-paths.ts'
import { broken, curseForge, shown, tooLarge, unsafe } from '../../../extensions/catalogs/pack-refusals.ts'
import type { CatalogPackVersion } from '../../../extensions/catalogs/pack-catalog.ts'

export const PACK_BYTES_MOST = 1024 ** 3
const OUT_BYTES_MOST = 4 * 1024 ** 3
const ENTRIES_MOST = 30_000
/** Limit in bytes of all entries' names, extra fields and comments, which stay in memory while the pack is open. */
const BESIDE_MOST = 32 * 1024 * 1024
/** Checked from `RATIO_FROM` bytes on. Deflate can reach about 1000; real content doesn't. */
const RATIO_MOST = 300
const RATIO_FROM = 64 * 1024 * 1024
/** File type bits, as in `st_mode`. */
const KIND = 0o170000
const FILE = 0o100000

export interface Override {
  path: string
  size: number
  crc: number
  entry: Entry
}

export interface OpenedPack {
  index: PackIndex
  overrides: Override[]
  settings: PackSettings
  /** Passes the file's content to `into`; returns its SHA-1. Throws 422 `modpacks.broken`. */
  read(one: Override, into: (bytes: Buffer) => Promise<void>): Promise<string>
  close(): void
}

/**
 * Opens and validates a pack; writes nothing. Throws Refusal 422 `modpacks.broken`, `modpacks.unsafe`,
 * `modpacks.too-large`, `modpacks.software`.
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
        // By the format, contained files override downloaded ones.
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
  // The stream ends when the zip is closed.
  zip.on('error', () => undefined)
  return zip
}

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

/** Packs made on Windows may contain `\`, whatever system they declare. */
function nameOf(entry: Entry, names: EntryNames): string {
  const raw = entry.fileNameRaw
  const text = markedName(entry) ?? names.read(raw, isOfUnix(entry)) ?? raw.toString('latin1')
  const isFolder = /[\\/]$/.test(text)
  const parts = text.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  return parts.join('/') + (isFolder ? '/' : '')
}

/** `server-overrides` win over `overrides`; client-only entries are skipped. */
async function readEntries(zip: ZipFile, names: EntryNames) {
  const overrides = new Map<string, Override>()
  const ofServer = new Map<string, Override>()
  const refused: string[] = []
  const settings = new Map<string, Entry>()
  let found: Buffer | null = null
  let foreign: Entry | null = null
  let [bytes, packed] = [0, 0]
  const places: ByteRange[] = []
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

/** CurseForge packs are refused: only its own programs may download their files. */
async function isOfCurseForge(zip: ZipFile, manifest: Entry): Promise<boolean> {
  if (manifest.uncompressedSize > INDEX_BYTES) return false
  try {
    const bytes = await bytesOf(zip, manifest)
    return isModestIndex(bytes) && Manifest.safeParse(JSON.parse(bytes.toString('utf8'))).success
  } catch {
    return false
  }
}

/** The least range an entry occupies in the file. */
type ByteRange = readonly [from: number, to: number]

/** Size of a local file header without its name. */
const HEAD_BYTES = 30

const placeOf = ({ relativeOffsetOfLocalHeader: from, fileNameLength, compressedSize }: Entry): ByteRange => [
  from,
  from + HEAD_BYTES + fileNameLength + compressedSize,
]

/** Refuses overlapping entries, a zip bomb technique that no real packer uses. */
function requireApart(places: ByteRange[]): void {
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

/** The declared size may be wrong, so reading stops there. Checks the CRC, too. */
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
    if (acting !== null || error instanceof Refusal) throw error
    throw damaged(entry)
  }
  if (bytes !== entry.uncompressedSize || crc !== entry.crc32) throw damaged(entry)
}

const damaged = ({ fileName }: Entry) => broken('damaged-file', { path: shown(fileName.slice(-100)) })

export interface OpenedSource {
  source: PackSource
  pack: OpenedPack
  version: CatalogPackVersion | null
  /** Closes it and removes temporary files. */
  done(): Promise<void>
}

export type PackSource =
  { versionId: string } | { serverId: string; path: string } | { importId: string; path: string }
