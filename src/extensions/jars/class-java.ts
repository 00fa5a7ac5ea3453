import { constants, inflateRawSync } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { CLASS_HEAD, classEntry, javaOfClass } from './class-version.ts'

/** Classes to examine if there is no known entry point. */
const SAMPLES = 50
/** Compressed bytes to read per class: the tables at its start take a few hundred. */
const PACKED_BYTES = 1024
const STORED = 0

export type PositionReader = (into: Buffer, position: number) => number

/** Excludes versioned classes below `META-INF` and module descriptors, which older Java versions don't load. */
export const isClass = (name: string): boolean =>
  name.endsWith('.class') && !name.startsWith('META-INF/') && !/(?:^|\/)module-info\.class$/.test(name)

/** Null: unknown. Judged by entry points, else by most classes, as bundled libraries may be newer. */
export async function javaFor(
  zip: ZipFile,
  read: PositionReader,
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

function sampled(all: readonly Entry[]): Entry[] {
  const step = Math.max(1, all.length / SAMPLES)
  return Array.from({ length: Math.min(all.length, SAMPLES) }, (_, at) => all[Math.floor(at * step)]!)
}

async function versionsOf(zip: ZipFile, read: PositionReader, entries: readonly Entry[]): Promise<number[]> {
  const found: number[] = []
  for (const entry of entries) {
    const head = await headOf(zip, read, entry).catch(() => null)
    const java = head && javaOfClass(head)
    if (java !== null) found.push(java)
  }
  return found
}

async function headOf(zip: ZipFile, read: PositionReader, entry: Entry): Promise<Buffer | null> {
  if (entry.isEncrypted()) return null
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = Buffer.alloc(Math.min(entry.compressedSize, PACKED_BYTES))
  const some = packed.subarray(0, read(packed, fileDataStart))
  if (entry.compressionMethod === STORED) return some.subarray(0, CLASS_HEAD)
  // A truncated stream is expected here.
  return inflateRawSync(some, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, CLASS_HEAD)
}
