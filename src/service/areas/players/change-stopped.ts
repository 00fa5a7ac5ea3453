import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { changeText, TextSizeError, type WorldText } from '../../worlds/change-text.ts'

/**
 * Changes a file of a stopped server in one step: a server starting meanwhile reads the old or the new one, and is
 * not overwritten afterwards. Throws Refusal 409 `server.running`, 409 `players.file-full` if it would be too large
 * to read, and UnusableFile.
 * @param change returns the new text; null to change nothing. Gets '' if the file is missing
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
    throw error instanceof TextSizeError ? full(text.file) : error
  }
}

const full = (file: string) => refusal(409, 'players.file-full', { file })

const startedMeanwhile = () => refusal(409, 'server.running.meanwhile')
