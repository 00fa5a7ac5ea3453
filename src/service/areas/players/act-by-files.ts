import {
  ACT_LISTS,
  type ListAct,
  type PlayerIdentity,
  withListAct,
} from '../../../contract/rules/game/list-change.ts'
import { LIST_BYTES, LIST_FILES } from '../../../contract/rules/game/list-entries.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { changeStopped } from './change-stopped.ts'

/**
 * Edits a list of a stopped server. Returns those who were changed; the others already were. Throws Refusal 409
 * `players.list-damaged`, `players.file-full`, `server.running`.
 */
export async function actByFiles(
  files: ServerFiles,
  act: ListAct,
  players: readonly PlayerIdentity[],
  checkAgain: () => void,
): Promise<Set<PlayerIdentity>> {
  const file = LIST_FILES[ACT_LISTS[act.action]]
  let changed = new Set<PlayerIdentity>()
  const change = (bytes: string) => {
    const next = withListAct(bytes, act, players)
    changed = next.changed
    return next.text
  }
  try {
    await changeStopped(files, { file, most: LIST_BYTES, encoding: 'latin1' }, change, checkAgain)
  } catch (error) {
    throw error instanceof UnusableFile || error instanceof SyntaxError
      ? refusal(409, 'players.list-damaged', { file })
      : error
  }
  return changed
}
