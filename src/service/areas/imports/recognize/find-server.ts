import { joined, splitLast } from '../../../../contract/pure/paths.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Yielder } from '../../../files/safe-fs/yield.ts'

/** How deep it is looked for, and in how many folders. People pack a folder into a folder, hardly more. */
const DEEPEST = 4
const MOST_FOLDERS = 1000
/** Names of a folder that are looked at. */
const MOST_NAMES = 20_000

/** In these there is never a server, and often very much else. */
const NOT_THERE = new Set(
  [
    '__MACOSX',
    'plugins',
    'mods',
    'config',
    'libraries',
    'versions',
    'logs',
    'cache',
    'crash-reports',
    'region',
  ].concat([
    'playerdata',
    'stats',
    'advancements',
    'data',
    'datapacks',
    'poi',
    'entities',
    'node_modules',
    '.git',
  ]),
)

/** What tells that a server lies in a folder, and how surely. */
const SIGNS: Readonly<Record<string, number>> = {
  'server.properties': 8,
  'velocity.toml': 8,
  'version_history.json': 4,
  'bukkit.yml': 3,
  'eula.txt': 3,
  'fabric-server-launcher.properties': 3,
  'user_jvm_args.txt': 3,
}
const JAR = 3
const WORLD = 3

interface Visited {
  path: string
  depth: number
  points: number
}

/**
 * The folder in which a server lies, as a contract path; null where there is none. Of several that lie equally deep it is
 * the one that shows most of what servers have.
 */
export async function findServerFolder(files: ServerFiles, signal: AbortSignal): Promise<string | null> {
  const visited = new Map<string, Visited>()
  const queue: { path: string; depth: number }[] = [{ path: '', depth: 0 }]
  const yielder = new Yielder()
  for (let at = 0; at < queue.length && at < MOST_FOLDERS; at++) {
    signal.throwIfAborted()
    await yielder.next()
    const { path, depth } = queue[at]!
    const { names, folders } = await namesIn(files, path)
    const isWorld = names.has('level.dat')
    const points = pointsOf(names)
    visited.set(path, { path, depth, points })
    // A world lies in the folder of its server.
    const above = path === '' ? undefined : visited.get(splitLast(path).folder)
    if (isWorld && above) above.points += WORLD
    if (depth === DEEPEST || isWorld) continue
    for (const name of folders)
      if (!NOT_THERE.has(name)) queue.push({ path: joined(path, name), depth: depth + 1 })
  }
  const found = [...visited.values()].filter(({ points }) => points > 0)
  found.sort((a, b) => a.depth - b.depth || b.points - a.points || (a.path < b.path ? -1 : 1))
  return found[0]?.path ?? null
}

function pointsOf(names: ReadonlySet<string>): number {
  let points = 0
  for (const [name, worth] of Object.entries(SIGNS)) if (names.has(name)) points += worth
  for (const name of names) if (/\.jar$/i.test(name)) return points + JAR
  return points
}

/** Names of the files and of the folders in a folder. What is no plain file is none. */
export async function namesIn(
  files: ServerFiles,
  path: string,
): Promise<{ names: Set<string>; folders: string[] }> {
  using folder = files.open(path)
  const names = new Set<string>()
  const folders: string[] = []
  for (const { name, kind } of (await folder.entries()).slice(0, MOST_NAMES)) {
    if (kind === 'file') names.add(name)
    else if (kind === 'folder') folders.push(name)
  }
  return { names, folders: folders.sort() }
}
