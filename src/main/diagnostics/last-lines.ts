import { open } from 'node:fs/promises'

const TAIL_BYTES = 256 * 1024

export async function lastLines(paths: readonly string[], most: number): Promise<string[]> {
  const lines: string[] = []
  for (const path of paths) lines.push(...(await tailOf(path).catch(() => [])))
  return lines.slice(-most)
}

async function tailOf(path: string): Promise<string[]> {
  await using file = await open(path, 'r')
  const about = await file.stat()
  // Reading a pipe would never end.
  if (!about.isFile()) return []
  const from = Math.max(about.size - TAIL_BYTES, 0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  // The first line may be cut off, and the last be incomplete.
  return lines.slice(from > 0 ? 1 : 0, -1)
}
