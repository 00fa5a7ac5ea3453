import { open, rm } from 'node:fs/promises'
import type { ServerFiles } from '../../files/server-files.ts'
import { Refusal } from '../../refusal.ts'
import { readWorldText } from '../../worlds/world-file.ts'

/** How often it is begun anew where somebody else writes the same file. */
const TRIES = 3

/** A text of a server's folder. `latin1` keeps every byte of what is not changed, whatever its encoding is. */
export interface WorldText {
  file: string
  /** Bytes that are read of it at most. */
  most: number
  encoding: 'utf8' | 'latin1'
}

/**
 * Changes a file of a server that does not run, in one step: the server that is started meanwhile reads the old one or the
 * new one, and then nothing is written over its own.
 *
 * @param change answers the new text of a text, empty where there is no file; null where nothing has to be changed
 *
 * Throws Refusal 409 `server.running`, 409 `players.file-full` where the new text would be too large to be read again, and
 * UnusableFile.
 */
export async function changeStopped(
  files: ServerFiles,
  { file, most, encoding }: WorldText,
  change: (text: string) => string | null,
  checkAgain: () => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const read = await readWorldText(files, file, most, undefined, encoding)
    const there = read === 'same' ? null : read
    const text = change(there?.text ?? '')
    if (text === null) return
    const bytes = Buffer.from(text, encoding)
    if (bytes.length > most) throw full(file)
    try {
      return await write(files, file, bytes, there?.mark ?? null, checkAgain)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || tries === TRIES) throw error
    }
  }
}

class ChangedMeanwhile extends Error {}

async function write(
  files: ServerFiles,
  file: string,
  bytes: Buffer,
  mark: string | null,
  checkAgain: () => void,
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
      // From here to the step nothing waits.
      check(there) {
        checkAgain()
        if (files.running) throw startedMeanwhile()
        const now = there && `${there.ino}.${there.size}.${there.mtimeNs}.${there.ctimeNs}`
        if (now !== mark) throw new ChangedMeanwhile()
      },
    })
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  }
}

const full = (file: string) =>
  new Refusal(
    409,
    'players.file-full',
    `${file} of this server would become too large, so nothing was changed in it. Take entries off it that are no longer needed.`,
  )

const startedMeanwhile = () =>
  new Refusal(
    409,
    'server.running',
    'The server was started in the meantime, so its files were not changed. Try again when it is online.',
  )
