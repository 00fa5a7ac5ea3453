import { open } from 'node:fs/promises'

/** So much is read of the end of each file of the log, in bytes. */
const TAIL_BYTES = 256 * 1024

/** The last whole lines of files, oldest file first. What is not there or cannot be read has none. */
export async function lastLines(paths: readonly string[], most: number): Promise<string[]> {
  const lines: string[] = []
  for (const path of paths) lines.push(...(await tailOf(path).catch(() => [])))
  return lines.slice(-most)
}

async function tailOf(path: string): Promise<string[]> {
  await using file = await open(path, 'r')
  const about = await file.stat()
  // A pipe in its place would never end.
  if (!about.isFile()) return []
  const from = Math.max(about.size - TAIL_BYTES, 0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  // The first one begins somewhere before; behind the last break comes nothing, or a line that is being written.
  return lines.slice(from > 0 ? 1 : 0, -1)
}
