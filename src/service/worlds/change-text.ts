import { open, rm } from 'node:fs/promises'
import type { ServerFiles } from '../files/server-files.ts'
import { readWorldText, type TextEncoding } from './world-file.ts'

const TRIES = 3

/** `latin1` and `settings` preserve every unchanged byte. */
export interface WorldText {
  file: string
  /** Bytes. */
  most: number
  encoding: TextEncoding
}

export class TextSizeError extends Error {
  override name = 'TextSizeError'
}

class ConcurrentChange extends Error {}

/**
 * Atomic. Throws TextSizeError and UnusableFile.
 * @param change returns the new text, or null for no change; the old one is empty without a file
 * @param check called synchronously right before `step`; throws to cancel
 */
export async function changeText(
  files: ServerFiles,
  { file, most, encoding }: WorldText,
  change: (text: string) => string | null,
  check: () => void = () => undefined,
  step?: (place: () => void) => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const read = await readWorldText(files, file, most, undefined, encoding)
    const there = read === 'same' ? null : read
    const text = change(there?.text ?? '')
    if (text === null) return
    const bytes = Buffer.from(text, there?.encoding ?? (encoding === 'settings' ? 'utf8' : encoding))
    if (bytes.length > most) throw new TextSizeError(`It would have more than ${most} bytes.`)
    try {
      return await write(files, file, bytes, there?.mark ?? null, { check, ...(step && { step }) })
    } catch (error) {
      if (!(error instanceof ConcurrentChange) || tries === TRIES) throw error
    }
  }
}

async function write(
  files: ServerFiles,
  file: string,
  bytes: Buffer,
  mark: string | null,
  { check, step }: { check: () => void; step?: (place: () => void) => void },
): Promise<void> {
  const temp = files.newTemp()
  try {
    await using handle = await open(temp, 'wx', 0o600)
    await handle.writeFile(bytes)
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  }
  try {
    await files.commit(temp, file, {
      conflict: 'replace',
      check(there) {
        check()
        const now = there && `${there.ino}.${there.size}.${there.mtimeNs}.${there.ctimeNs}`
        if (now !== mark) throw new ConcurrentChange()
      },
      ...(step && { step }),
    })
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  }
}
