import { entriesOf, openZip } from '../../host/open-zip.ts'

/** Limit in bytes; the entries read have a few lines. */
const MOST_BYTES = 64 * 1024
const MOST_ENTRIES = 100_000

/** Null if missing or too large. Rejects if the file isn't a jar. */
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
        // The size in its header may be wrong.
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
