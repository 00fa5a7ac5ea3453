import { entriesOf, openZip } from './open-zip.ts'

/** Bytes of an entry that are read; what is looked for is some lines long. */
const MOST_BYTES = 64 * 1024
/** Entries that are looked through. */
const MOST_ENTRIES = 100_000

/** The text of an entry of a jar; null where it has none, or one that is too large. Rejects where it is no jar. */
export async function readJarEntry(file: string, name: string): Promise<string | null> {
  const jar = await openZip(file)
  try {
    let seen = 0
    for await (const entry of entriesOf(jar)) {
      if (++seen > MOST_ENTRIES) return null
      if (entry.fileName !== name) continue
      if (entry.uncompressedSize > MOST_BYTES) return null
      const pieces: Buffer[] = []
      let bytes = 0
      for await (const piece of await jar.openReadStreamPromise(entry)) {
        bytes += (piece as Buffer).length
        // What its head says of its size may be wrong.
        if (bytes > MOST_BYTES) return null
        pieces.push(piece as Buffer)
      }
      return Buffer.concat(pieces).toString('utf8')
    }
    return null
  } finally {
    jar.close()
  }
}
