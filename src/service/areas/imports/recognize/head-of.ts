import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../base/refusal.ts'

const TEXT_BYTES = 64 * 1024

/** Empty if missing or unreadable. */
export async function headOf(files: ServerFiles, path: string, most = TEXT_BYTES): Promise<string> {
  try {
    const { handle } = await files.openRead(path)
    await using _closed = handle
    const bytes = Buffer.alloc(most)
    let at = 0
    while (at < most) {
      const { bytesRead } = await handle.read(bytes, at, most - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return bytes.toString('utf8', 0, at)
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}
