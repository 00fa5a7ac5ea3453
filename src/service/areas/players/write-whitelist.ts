import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { readProperties, SETTINGS, withProperty } from '../../worlds/server-properties.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { changeStopped } from './change-stopped.ts'

/**
 * Edits the settings of a stopped server, keeping all other bytes. Throws Refusal 409 `players.settings-damaged`,
 * `server.running`.
 */
export async function writeWhitelist(
  files: ServerFiles,
  enabled: boolean,
  checkAgain: () => void,
): Promise<void> {
  try {
    await changeStopped(
      files,
      SETTINGS,
      (text) => {
        const next = withProperty(text, 'white-list', String(enabled))
        if (readProperties(next ?? text).malformed.size > 0)
          throw new UnusableFile('It has a malformed escape.')
        return next
      },
      checkAgain,
    )
  } catch (error) {
    throw error instanceof UnusableFile ? damaged() : error
  }
}

const damaged = () => refusal(409, 'players.settings-damaged', { file: SETTINGS.file })
