import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Stats asked at the same time: libuv works on four, and a short queue keeps them busy. */
const AT_ONCE = 32

/** Runs `act` for every item, so many at a time, in order of the items. Ends at the first error. */
export async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>, atOnce = AT_ONCE) {
  let next = 0
  const worker = async () => {
    while (next < items.length) await act(items[next++] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

/** Bytes of all files below a folder of the system. Links are not followed; what goes meanwhile counts nothing. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let bytes = 0
  const folders: string[] = []
  await eachOf(entries, async (entry) => {
    if (entry.isDirectory()) folders.push(entry.name)
    else if (entry.isFile()) {
      // Awaited first: `bytes +=` before an await would lose what the others add meanwhile.
      const stat = await lstat(join(folder, entry.name)).catch(() => null)
      bytes += stat?.size ?? 0
    }
  })
  for (const name of folders) bytes += await bytesIn(join(folder, name))
  return bytes
}
