import { readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { entriesOf, openZipBy } from '../../zip/open-zip.ts'
import { DESCRIBED, type Facts, FORMATS, type JarReading } from './facts.ts'
import { isClass, javaFor, type ReadAt } from './class-java.ts'
import { type ReadDescription, readDescription } from './formats.ts'

/** Most bytes of a description. The longest real ones have 100,000. */
const TEXT_BYTES = 256 * 1024
/** Entries that are looked through, of a jar and all that lie in it. */
const MOST_ENTRIES = 200_000
/** Classes of a jar that are remembered while it is read; the largest have some thousand. */
const CLASSES_MOST = 50_000
/** Jars inside a jar: how many, how large each and all together in bytes, and how deep. */
const NESTED_MOST = 200
const NESTED_BYTES = 16 * 1024 * 1024
const NESTED_TOTAL = 96 * 1024 * 1024
const DEPTH_MOST = 3
/** What an entry begins with, and a zip without any. */
const ENTRY = 0x04034b50
const EMPTY = 0x06054b50
const STORED = 0
const DEFLATED = 8

const MANIFEST = 'META-INF/MANIFEST.MF'
const DESCRIPTIONS: ReadonlySet<string> = new Set(Object.values(DESCRIBED))
const NESTED = /^META-INF\/(?:jars|jarjar)\/[^/]+\.jar$/

/** What may still be read of one jar. */
interface Left {
  entries: number
  nested: number
  bytes: number
}

/**
 * What a jar says of itself, one for each format; nothing and why, where it is no jar or is broken. In a thread of its own,
 * for it reads and unpacks without giving turns.
 */
export async function readJar(fd: number, size: number): Promise<JarReading> {
  const read: ReadAt = (into, position) => readSync(fd, into, 0, into.length, position)
  if (size === 0) return { facts: null, why: 'empty' }
  try {
    return await readIn(read, size, { entries: MOST_ENTRIES, nested: NESTED_MOST, bytes: NESTED_TOTAL }, 0)
  } catch {
    return { facts: null, why: isZip(read) ? 'damaged' : 'not-zip' }
  }
}

/** Whether a file begins as zips do: one that is cut off has lost its end alone. */
function isZip(read: ReadAt): boolean {
  const head = Buffer.alloc(4)
  try {
    return read(head, 0) === head.length && (head.readUInt32LE(0) === ENTRY || head.readUInt32LE(0) === EMPTY)
  } catch {
    // Who cannot even read its first bytes does not know.
    return true
  }
}

async function readIn(
  read: ReadAt,
  size: number,
  left: Left,
  depth: number,
): Promise<{ facts: Facts[]; broken: string | null; fault: string | null }> {
  const zip = await openZipBy(read, size)
  const wanted = new Map<string, Entry>()
  const nested: Entry[] = []
  const classes = new Map<string, Entry>()
  for await (const entry of entriesOf(zip)) {
    if (--left.entries < 0) break
    const { fileName } = entry
    if (fileName === MANIFEST || DESCRIPTIONS.has(fileName)) wanted.set(fileName, entry)
    else if (depth < DEPTH_MOST && NESTED.test(fileName)) nested.push(entry)
    else if (depth === 0 && classes.size < CLASSES_MOST && isClass(fileName)) classes.set(fileName, entry)
  }
  const bytesOf = async (name: string) => {
    const entry = wanted.get(name)
    return entry ? await contentOf(zip, read, entry, TEXT_BYTES) : null
  }
  const version = versionIn((await bytesOf(MANIFEST))?.toString('utf8') ?? '')
  const facts: Facts[] = []
  let unclear: { broken: string; fault: string | null } | null = null
  for (const format of FORMATS) {
    const name = DESCRIBED[format]
    if (!wanted.has(name)) continue
    const bytes = await bytesOf(name)
    const { described, fault } = bytes ? parsed(() => readDescription(format, bytes, version)) : UNREAD
    if (described) {
      const { classes: named, ...about } = described
      facts.push({ ...about, fault, java: await javaFor(zip, read, classes, named) })
    } else unclear ??= { broken: name, fault }
  }
  const inside = await idsInside(zip, read, nested, left, depth)
  const whole = facts.map((one) => ({
    ...one,
    provides: [...new Set([...one.provides, ...inside])].slice(0, NESTED_MOST),
  }))
  return { facts: whole, ...(facts.length === 0 && unclear ? unclear : { broken: null, fault: null }) }
}

/** Names of what lies inside of a jar: whoever needs one of them has it. */
async function idsInside(
  zip: ZipFile,
  read: ReadAt,
  nested: Entry[],
  left: Left,
  depth: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const entry of nested) {
    if (--left.nested < 0) break
    const most = Math.min(NESTED_BYTES, left.bytes)
    const content = await contentOf(zip, read, entry, most).catch(() => null)
    if (!content) continue
    left.bytes -= content.length
    const readAt: ReadAt = (into, position) => content.copy(into, 0, position, position + into.length)
    const { facts } = await readIn(readAt, content.length, left, depth + 1).catch(() => ({ facts: [] }))
    ids.push(...facts.flatMap(({ id, provides }) => [id, ...provides]))
  }
  return ids
}

/** An entry's content; null where it is larger, whatever its head says. Throws where it is broken. */
async function contentOf(zip: ZipFile, read: ReadAt, entry: Entry, most: number): Promise<Buffer | null> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (uncompressedSize > most || compressedSize > most || entry.isEncrypted()) return null
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = Buffer.alloc(compressedSize)
  if (read(packed, fileDataStart) < packed.length) throw new Error('The file ends before that.')
  if (compressionMethod === STORED) return packed
  if (compressionMethod !== DEFLATED) return null
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
}

/** What a manifest says of the version; it goes on in the next line where that begins with a space. */
function versionIn(manifest: string): string | null {
  const lines = manifest.replaceAll(/\r?\n /g, '')
  return /^Implementation-Version: (.{1,100})$/m.exec(lines)?.[1]?.trim() ?? null
}

/** A description that couldn't be read. */
const UNREAD: ReadDescription = { described: null, fault: null }

function parsed(parse: () => ReadDescription): ReadDescription {
  try {
    return parse()
  } catch {
    return UNREAD
  }
}
