import { readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { entriesOf, openZipBy } from '../../host/open-zip.ts'
import { DESCRIBED, type Facts, FORMATS, type JarReading } from './facts.ts'
import { isClass, javaFor, type PositionReader } from './class-java.ts'
import { type ReadDescription, readDescription } from './formats.ts'

/** In bytes. The longest real descriptions have 100,000. */
const TEXT_BYTES = 256 * 1024
const MOST_ENTRIES = 200_000
/** Limit of classes remembered; the largest jars have several thousand. */
const CLASSES_MOST = 50_000
/** Limits of nested jars: count, bytes per jar, total bytes, depth. */
const NESTED_MOST = 200
const NESTED_BYTES = 16 * 1024 * 1024
const NESTED_TOTAL = 96 * 1024 * 1024
const DEPTH_MOST = 3
/** Signatures of an entry, and of an empty zip. */
const ENTRY = 0x04034b50
const EMPTY = 0x06054b50
const STORED = 0
const DEFLATED = 8

const MANIFEST = 'META-INF/MANIFEST.MF'
const DESCRIPTIONS: ReadonlySet<string> = new Set(Object.values(DESCRIBED))
const NESTED = /^META-INF\/(?:jars|jarjar)\/[^/]+\.jar$/

export interface ReadBudget {
  entries: number
  nested: number
  bytes: number
  /** Examined for the Java they need. */
  classes: number
  /** Bytes read ahead; absent: many. */
  ahead?: number
  /** Set where the budget kept something from being read. */
  isUsedUp?: boolean
}

const BUDGET: ReadBudget = {
  ...{ entries: MOST_ENTRIES, nested: NESTED_MOST, bytes: NESTED_TOTAL, classes: CLASSES_MOST },
}

/** Synchronous reads: use in a thread. */
export const readJar = (fd: number, size: number): Promise<JarReading> =>
  readJarBy((into, position) => readSync(fd, into, 0, into.length, position), size, { ...BUDGET })

/** One entry per format; empty with a reason if unreadable. @param budget counts down */
export async function readJarBy(read: PositionReader, size: number, budget: ReadBudget): Promise<JarReading> {
  if (size === 0) return { facts: null, why: 'empty' }
  try {
    return await readIn(read, size, budget, 0)
  } catch {
    return { facts: null, why: isZip(read) ? 'damaged' : 'not-zip' }
  }
}

/** A truncated zip still starts like one. */
function isZip(read: PositionReader): boolean {
  const head = Buffer.alloc(4)
  try {
    return read(head, 0) === head.length && (head.readUInt32LE(0) === ENTRY || head.readUInt32LE(0) === EMPTY)
  } catch {
    // Unreadable: unknown.
    return true
  }
}

async function readIn(
  read: PositionReader,
  size: number,
  left: ReadBudget,
  depth: number,
): Promise<{ facts: Facts[]; broken: string | null; fault: string | null }> {
  const zip = await openZipBy(read, size, depth === 0 ? left.ahead : undefined)
  const wanted = new Map<string, Entry>()
  const nested: Entry[] = []
  const classes = new Map<string, Entry>()
  for await (const entry of entriesOf(zip)) {
    if (--left.entries < 0) {
      left.isUsedUp = true
      break
    }
    const { fileName } = entry
    if (fileName === MANIFEST || DESCRIPTIONS.has(fileName)) wanted.set(fileName, entry)
    else if (depth < DEPTH_MOST && NESTED.test(fileName)) nested.push(entry)
    else if (depth === 0 && classes.size < left.classes && isClass(fileName)) classes.set(fileName, entry)
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

/** Ids of nested jars: they satisfy dependencies. */
async function idsInside(
  zip: ZipFile,
  read: PositionReader,
  nested: Entry[],
  left: ReadBudget,
  depth: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const entry of nested) {
    const most = Math.min(NESTED_BYTES, left.bytes)
    if (--left.nested < 0 || entry.uncompressedSize > most) {
      left.isUsedUp = true
      continue
    }
    const content = await contentOf(zip, read, entry, most).catch(() => null)
    if (!content) continue
    left.bytes -= content.length
    const readAt: PositionReader = (into, position) => content.copy(into, 0, position, position + into.length)
    const { facts } = await readIn(readAt, content.length, left, depth + 1).catch(() => ({ facts: [] }))
    ids.push(...facts.flatMap(({ id, provides }) => [id, ...provides]))
  }
  return ids
}

/** Null if larger, whatever its header says. Throws if it is corrupt. */
async function contentOf(
  zip: ZipFile,
  read: PositionReader,
  entry: Entry,
  most: number,
): Promise<Buffer | null> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (uncompressedSize > most || compressedSize > most || entry.isEncrypted()) return null
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = Buffer.alloc(compressedSize)
  if (read(packed, fileDataStart) < packed.length) throw new Error('The file ends before that.')
  if (compressionMethod === STORED) return packed
  if (compressionMethod !== DEFLATED) return null
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
}

/** Manifest lines continue with a leading space. */
function versionIn(manifest: string): string | null {
  const lines = manifest.replaceAll(/\r?\n /g, '')
  return /^Implementation-Version: (.{1,100})$/m.exec(lines)?.[1]?.trim() ?? null
}

const UNREAD: ReadDescription = { described: null, fault: null }

function parsed(parse: () => ReadDescription): ReadDescription {
  try {
    return parse()
  } catch {
    return UNREAD
  }
}
