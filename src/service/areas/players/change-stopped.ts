import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../base/refusal.ts'
import { changeText, TooLarge, type WorldText } from '../../worlds/change-text.ts'

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
  text: WorldText,
  change: (text: string) => string | null,
  checkAgain: () => void,
): Promise<void> {
  const check = () => {
    checkAgain()
    if (files.running) throw startedMeanwhile()
  }
  try {
    await changeText(files, text, change, check)
  } catch (error) {
    throw error instanceof TooLarge ? full(text.file) : error
  }
}

const full = (file: string) => refusal(409, 'players.file-full', { file })

const startedMeanwhile = () => refusal(409, 'server.running.meanwhile')
