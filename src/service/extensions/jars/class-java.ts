import { constants, inflateRawSync } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { CLASS_HEAD, classEntry, javaOfClass } from '../../software/class-version.ts'

/** Classes that are looked into where nothing names the first ones. */
const SAMPLES = 50
/** Compressed bytes that are read of a class: the tables at their beginning take some hundred. */
const PACKED_BYTES = 1024
const STORED = 0

/** Reads bytes of a jar; answers how many there were. */
export type ReadAt = (into: Buffer, position: number) => number

/**
 * Whether an entry is a class that any Java may load. What lies below `META-INF` is for newer ones alone, and the description
 * of a module is read by those that know modules.
 */
export const isClass = (name: string): boolean =>
  name.endsWith('.class') && !name.startsWith('META-INF/') && !/(?:^|\/)module-info\.class$/.test(name)

/**
 * The oldest major version of Java that runs a jar: the one that loads the classes it begins with. Where none of these is named
 * or there, what most classes were made for, since libraries inside may come with some for newer ones. Null: nobody knows.
 *
 * @param classes the classes of the jar by their paths
 */
export async function javaFor(
  zip: ZipFile,
  read: ReadAt,
  classes: ReadonlyMap<string, Entry>,
  named: readonly string[],
): Promise<number | null> {
  const first = named.flatMap((name) => classes.get(classEntry(name)) ?? [])
  const begun = await versionsOf(zip, read, first)
  if (begun.length > 0) return Math.max(...begun)
  const counts = new Map<number, number>()
  for (const java of await versionsOf(zip, read, sampled([...classes.values()])))
    counts.set(java, (counts.get(java) ?? 0) + 1)
  const [most] = [...counts].sort(([a, some], [b, others]) => others - some || a - b)
  return most?.[0] ?? null
}

/** Some of many, from everywhere among them. */
function sampled(all: readonly Entry[]): Entry[] {
  const step = Math.max(1, all.length / SAMPLES)
  return Array.from({ length: Math.min(all.length, SAMPLES) }, (_, at) => all[Math.floor(at * step)]!)
}

async function versionsOf(zip: ZipFile, read: ReadAt, entries: readonly Entry[]): Promise<number[]> {
  const found: number[] = []
  for (const entry of entries) {
    const head = await headOf(zip, read, entry).catch(() => null)
    const java = head && javaOfClass(head)
    if (java !== null) found.push(java)
  }
  return found
}

async function headOf(zip: ZipFile, read: ReadAt, entry: Entry): Promise<Buffer | null> {
  if (entry.isEncrypted()) return null
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = Buffer.alloc(Math.min(entry.compressedSize, PACKED_BYTES))
  const some = packed.subarray(0, read(packed, fileDataStart))
  if (entry.compressionMethod === STORED) return some.subarray(0, CLASS_HEAD)
  // It is only the beginning, and that is no fault.
  return inflateRawSync(some, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, CLASS_HEAD)
}
