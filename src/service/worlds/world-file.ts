import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../host/refusal.ts'
import type { OpenedFile, ServerFiles } from '../files/server-files.ts'

/** Exists, but is too large or has no valid content. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** Identifies a file's content without reading it. */
export const markOf = ({ stat }: Pick<OpenedFile, 'stat'>): string =>
  `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`

export type TextEncoding = 'utf8' | 'latin1' | 'settings'

/** Null without a file; `same` if the mark hasn't changed. */
type TextSnapshot = { text: string; encoding: 'utf8' | 'latin1'; mark: string } | null | 'same'

/** Older versions read only Latin-1 but rewrite the file in ASCII at every start. */
export const settingsEncoding = (bytes: Buffer): 'utf8' | 'latin1' => (isUtf8(bytes) ? 'utf8' : 'latin1')

/** Null if missing. Throws UnusableFile if larger than `most` bytes, not a file, or outside the folder. */
export async function readWorldText(
  files: ServerFiles,
  path: string,
  most: number,
  known?: string,
  encoding: TextEncoding = 'utf8',
): Promise<TextSnapshot> {
  let file: OpenedFile
  try {
    file = await files.openRead(path)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'files.not-found' || error.code === 'files.not-folder') return null
    throw new UnusableFile(error.message)
  }
  await using handle = file.handle
  const mark = markOf(file)
  if (mark === known) return 'same'
  if (file.stat.size > BigInt(most)) throw new UnusableFile(`It has more than ${most} bytes.`)
  // The file may grow meanwhile.
  const bytes = Buffer.allocUnsafe(Number(file.stat.size))
  let at = 0
  while (at < bytes.length) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  const read = bytes.subarray(0, at)
  const used = encoding === 'settings' ? settingsEncoding(read) : encoding
  return { text: read.toString(used), encoding: used, mark }
}
