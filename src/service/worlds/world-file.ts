import { isUtf8 } from 'node:buffer'
import { Refusal } from '../base/refusal.ts'
import type { OpenedFile, ServerFiles } from '../files/server-files.ts'

/** A file of a world that is there and cannot be used: it is larger than such a file is, or says nothing. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** What tells one content of a file from another, without reading it. */
export const markOf = ({ stat }: Pick<OpenedFile, 'stat'>): string =>
  `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`

/** How the bytes of a text are read: `settings` as Minecraft reads those of server.properties. */
export type TextEncoding = 'utf8' | 'latin1' | 'settings'

/** A text, the encoding to write it in, and its mark; null where there is no file, `same` where its mark is the one that is known. */
export type ReadText = { text: string; encoding: 'utf8' | 'latin1'; mark: string } | null | 'same'

/**
 * Minecraft reads server.properties as UTF-8, byte order mark and all, or as Latin-1 where it isn't valid UTF-8. Older versions read
 * only Latin-1, but they wrote the file anew at every start, in plain ASCII, which is the same in both.
 */
export const settingsEncoding = (bytes: Buffer): 'utf8' | 'latin1' => (isUtf8(bytes) ? 'utf8' : 'latin1')

/**
 * Reads a file of a server's folder. Null where nothing is there. Throws UnusableFile where it is larger than `most` bytes,
 * is no file, or leads out of the folder.
 */
export async function readWorldText(
  files: ServerFiles,
  path: string,
  most: number,
  known?: string,
  encoding: TextEncoding = 'utf8',
): Promise<ReadText> {
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
  // It may grow while it is read: no more than its stated size is taken.
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
