import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../refusal.ts'
import { SETTINGS_BYTES, SETTINGS_FILE, withProperty } from '../../worlds/server-properties.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { changeStopped } from './change-stopped.ts'

/**
 * Turns the whitelist of a server that does not run on or off, in its settings; every other byte of them stays. Throws
 * Refusal 409 `players.settings-damaged`, 409 `server.running`.
 */
export async function writeWhitelist(
  files: ServerFiles,
  enabled: boolean,
  checkAgain: () => void,
): Promise<void> {
  const settings = { file: SETTINGS_FILE, most: SETTINGS_BYTES, encoding: 'latin1' } as const
  try {
    await changeStopped(
      files,
      settings,
      (text) => withProperty(text, 'white-list', String(enabled)),
      checkAgain,
    )
  } catch (error) {
    throw error instanceof UnusableFile ? damaged() : error
  }
}

const damaged = () => refusal(409, 'players.settings-damaged', { file: SETTINGS_FILE })
