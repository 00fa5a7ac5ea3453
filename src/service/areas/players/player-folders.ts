import { opendir } from 'node:fs/promises'
import { Yielder } from '../../base/yield.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { Refusal } from '../../base/refusal.ts'
import { isPlayerName } from '../../../contract/rules/players/player-names.ts'
import { asUuid } from '../../worlds/player-uuid.ts'

/** Names of a folder that are looked at, and players that are taken of it. */
const NAMES_MOST = 40_000
export const FILES_MOST = 10_000
/** Names read in one go: a tenth of a millisecond. */
const NAMES_AT_ONCE = 256
/** Stats taken in one go: 200 hold everybody else up for a millisecond at most. */
const IN_ONE_GO = 200

/** A file of one player in the world's folder. */
export interface PlayerFile {
  /** Path in the server's folder. */
  path: string
  /** Null where the file goes by a name, as before 1.7.6. */
  uuid: string | null
  name: string | null
  /** ms since 1970. */
  modifiedAt: number
  /** When the file was made; null where nobody knows. */
  madeAt: number | null
  /**
   * With the times above they tell this content from another. Numbers: the stats of thousands, were they held, would keep
   * the collector busy for longer than all else takes.
   */
  inode: number
  size: number
  changedAt: number
}

/** What tells this content from another, in one text. Of thousands it costs more than all the rest. */
export const markOf = ({ inode, size, modifiedAt, changedAt }: PlayerFile): string =>
  `${inode}.${size}.${modifiedAt}.${changedAt}`

/** Where a world keeps a kind of file: the place since 26.1 goes before the one of earlier versions. */
export const statFolders = (level: string) => [`${level}/players/stats`, `${level}/stats`]
export const dataFolders = (level: string) => [`${level}/players/data`, `${level}/playerdata`]

/** The files of players in the first of some folders that has any, each player's once: the places are not mixed. */
export async function playerFilesIn(
  files: ServerFiles,
  folders: readonly string[],
  ending: '.json' | '.dat',
): Promise<PlayerFile[]> {
  for (const folder of folders) {
    const found = await playerFiles(files, folder, ending)
    if (found.length > 0) return found
  }
  return []
}

async function playerFiles(files: ServerFiles, path: string, ending: string): Promise<PlayerFile[]> {
  try {
    using folder = files.open(path)
    const yielder = new Yielder()
    const players = await namesIn(folder.itself, ending, yielder)
    const found: PlayerFile[] = []
    for (let at = 0; at < players.length; at += IN_ONE_GO) {
      if (at > 0) await yielder.next()
      const some = players.slice(at, at + IN_ONE_GO)
      const stats = folder.stats(some.map(({ file }) => file))
      for (const [index, { file, uuid, name }] of some.entries()) {
        const stat = stats[index]
        if (!stat?.isFile()) continue
        const { mtimeMs, birthtimeMs, ino, size, ctimeMs } = stat
        found.push({
          path: `${path}/${file}`,
          ...{ uuid, name },
          modifiedAt: mtimeMs,
          // A copied file was made after it was changed.
          madeAt: birthtimeMs > 0 && birthtimeMs < mtimeMs ? birthtimeMs : null,
          ...{ inode: ino, size, changedAt: ctimeMs },
        })
      }
    }
    return found
  } catch (error) {
    // There is none, it leads out of the server's folder, or it went.
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Whose a file is, by its name. */
interface NamedFile extends Pick<PlayerFile, 'uuid' | 'name'> {
  file: string
}

/** The files of players, and no more of them than can be shown: a folder can hold millions. */
async function namesIn(folder: string, ending: string, yielder: Yielder): Promise<NamedFile[]> {
  const names: NamedFile[] = []
  await using dir = await opendir(folder, { bufferSize: NAMES_AT_ONCE })
  for (let looked = 0; looked < NAMES_MOST && names.length < FILES_MOST; looked++) {
    if (looked % NAMES_AT_ONCE === 0) await yielder.next()
    // A promise for each name would take as long as everything else that is done with it.
    const file = dir.readSync()?.name
    if (file === undefined) break
    if (!file.endsWith(ending)) continue
    const stem = file.slice(0, -ending.length)
    const uuid = asUuid(stem)
    const name = uuid === null && isPlayerName(stem) ? stem : null
    if (uuid !== null || name !== null) names.push({ file, uuid, name })
  }
  return names
}
