import { eachOf } from '../../files/safe-fs/walk.ts'
import { openIn } from '../../files/safe-fs/open-in.ts'
import { Yielder } from '../../../host/yield.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { splitLast } from '../../../contract/rules/paths.ts'
import { Refusal } from '../../../host/refusal.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { groupsIn, type StatGroups, type StatSummary, summaryOf } from '../../worlds/player-stats.ts'
import { markOf, type PlayerFile, playerFilesIn, statFolders } from './player-folders.ts'

/** Bytes per player. Usual are 20,000, with mods ten times that. */
const FILE_MOST = 1024 * 1024
/** Bytes per reading; the next one continues. */
const READ_MOST = 512 * 1024 * 1024
const AT_ONCE = 8

/** By uuid, or by name in old worlds. */
export interface PlayerStatistics {
  uuid: string | null
  name: string | null
  summary: StatSummary
}

export class StatsReader {
  #known = new Map<string, { mark: string; summary: StatSummary | null }>()
  #reading: Promise<PlayerStatistics[]> | null = null

  all(files: ServerFiles, level: string): Promise<PlayerStatistics[]> {
    this.#reading ??= this.#read(files, level).finally(() => (this.#reading = null))
    return this.#reading
  }

  async one(files: ServerFiles, level: string, uuid: string): Promise<StatGroups | null> {
    for (const folder of statFolders(level)) {
      const read = await readGroups(files, folder, `${uuid}.json`)
      if (read) return read.groups
    }
    return null
  }

  async #read(files: ServerFiles, level: string): Promise<PlayerStatistics[]> {
    const found = await playerFilesIn(files, statFolders(level), '.json')
    const known = new Map<string, { mark: string; summary: StatSummary | null }>()
    const missing: PlayerFile[] = []
    for (const file of found) {
      const before = this.#known.get(file.path)
      if (before?.mark === markOf(file)) known.set(file.path, before)
      else missing.push(file)
    }
    await readAll(files, missing, (file, summary) => known.set(file.path, { mark: markOf(file), summary }))
    this.#known = known
    return found.flatMap(({ path, uuid, name }) => {
      const summary = known.get(path)?.summary
      return summary ? [{ uuid, name, summary }] : []
    })
  }
}

async function readAll(
  files: ServerFiles,
  missing: readonly PlayerFile[],
  take: (file: PlayerFile, summary: StatSummary | null) => void,
): Promise<void> {
  const [first] = missing
  if (!first) return
  const yielder = new Yielder()
  let bytes = 0
  // All are in one folder, so resolve it once.
  using folder = files.open(splitLast(first.path).folder)
  await eachOf(
    missing,
    async (file) => {
      if (bytes > READ_MOST) return
      await yielder.next()
      const read = await readIn(files, folder, splitLast(file.path).name).catch(() => null)
      bytes += read?.bytes ?? 0
      await yielder.next()
      take(file, read && summed(read.text))
    },
    AT_ONCE,
  )
}

function summed(text: string): StatSummary | null {
  try {
    return summaryOf(groupsIn(text))
  } catch {
    return null
  }
}

async function readGroups(files: ServerFiles, path: string, name: string) {
  try {
    using folder = files.open(path)
    const read = await readIn(files, folder, name)
    return read && { groups: groupsIn(read.text) }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error instanceof SyntaxError ? new UnusableFile(error.message) : error
  }
}

async function readIn(
  files: ServerFiles,
  folder: Parameters<typeof openIn>[1],
  name: string,
): Promise<{ text: string; bytes: number } | null> {
  const file = await openIn(files, folder, name)
  if (!file) return null
  await using handle = file.handle
  const size = Number(file.stat.size)
  if (size > FILE_MOST) throw new UnusableFile(`It has more than ${FILE_MOST} bytes.`)
  const buffer = Buffer.allocUnsafe(size)
  const { bytesRead } = await handle.read(buffer, 0, size, 0)
  return { text: buffer.toString('utf8', 0, bytesRead), bytes: bytesRead }
}
