import { joined, splitLast } from '../../../../contract/rules/paths.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { propertiesIn, SETTINGS_FILE } from '../../../worlds/server-properties.ts'
import { headOf } from './level.ts'
import { Yielder } from '../../../../host/yield.ts'

/** Search bounds; people rarely nest folders deeper. */
const DEEPEST = 4
const MOST_FOLDERS = 1000
const MOST_NAMES = 20_000

/** Never contain a server, but often many files. */
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
  ].concat(['playerdata', 'stats', 'advancements', 'datapacks', 'poi', 'entities', 'node_modules', '.git']),
)

/** File → weight as evidence of a server. */
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

interface FolderVisit {
  path: string
  depth: number
  points: number
  isBedrock: boolean
}

interface ServerFolder {
  path: string
  isBedrock: boolean
}

/**
 * Null if none. Among folders of the same depth, the one with most evidence wins; Bedrock only if there is nothing
 * else.
 */
export async function findServerFolder(
  files: ServerFiles,
  signal: AbortSignal,
): Promise<ServerFolder | null> {
  const visited = new Map<string, FolderVisit>()
  const queue: { path: string; depth: number }[] = [{ path: '', depth: 0 }]
  const yielder = new Yielder()
  for (let at = 0; at < queue.length && at < MOST_FOLDERS; at++) {
    signal.throwIfAborted()
    await yielder.next()
    const { path, depth } = queue[at]!
    const { names, folders } = await namesIn(files, path)
    const isWorld = names.has('level.dat')
    const isBedrock = await isOfBedrock(files, path, { names, folders })
    const points = isBedrock ? 0 : pointsOf(names)
    visited.set(path, { path, depth, points, isBedrock })
    // The server is in the folder above its world.
    const above = path === '' ? undefined : visited.get(splitLast(path).folder)
    if (isWorld && above) {
      if (isBedrock) above.isBedrock = true
      else above.points += WORLD
    }
    if (depth === DEEPEST || isWorld || isBedrock) continue
    for (const name of folders)
      if (!NOT_THERE.has(name)) queue.push({ path: joined(path, name), depth: depth + 1 })
  }
  const found = [...visited.values()].filter(({ points, isBedrock }) => points > 0 || isBedrock)
  const isOnlyBedrock = ({ points }: FolderVisit) => points === 0
  found.sort(
    (a, b) =>
      Number(isOnlyBedrock(a)) - Number(isOnlyBedrock(b)) ||
      a.depth - b.depth ||
      b.points - a.points ||
      (a.path < b.path ? -1 : 1),
  )
  const [first] = found
  return first ? { path: first.path, isBedrock: isOnlyBedrock(first) } : null
}

/** Keys only Bedrock has in server.properties; a single one may have been copied to a Java server. */
const OF_BEDROCK = [
  'server-portv6',
  'server-name',
  'allow-cheats',
  'default-player-permission-level',
  'tick-distance',
]
const OF_PROGRAMS = /^(?:valid_known_packs\.json|pocketmine.*\.(?:phar|yml)|(?:power)?nukkitx?\.yml)$/i

async function isOfBedrock(files: ServerFiles, path: string, { names, folders }: Names): Promise<boolean> {
  const all = [...names]
  if (all.some((name) => OF_PROGRAMS.test(name))) return true
  if (names.has('level.dat'))
    return names.has('levelname.txt') || (folders.includes('db') && !folders.includes('region'))
  if (names.has('eula.txt') || all.some((name) => /\.jar$/i.test(name))) return false
  if (all.some((name) => /^bedrock_server(?:[-_.].*)?$/i.test(name))) return true
  if (!names.has(SETTINGS_FILE)) return false
  const keys = propertiesIn(await headOf(files, joined(path, SETTINGS_FILE)))
  return OF_BEDROCK.filter((key) => keys.has(key)).length > 1
}

function pointsOf(names: ReadonlySet<string>): number {
  let points = 0
  for (const [name, worth] of Object.entries(SIGNS)) if (names.has(name)) points += worth
  for (const name of names) if (/\.jar$/i.test(name)) return points + JAR
  return points
}

interface Names {
  names: Set<string>
  folders: string[]
}

export async function namesIn(files: ServerFiles, path: string): Promise<Names> {
  using folder = files.open(path)
  const names = new Set<string>()
  const folders: string[] = []
  for (const { name, kind } of (await folder.entries()).slice(0, MOST_NAMES)) {
    if (kind === 'file') names.add(name)
    else if (kind === 'folder') folders.push(name)
  }
  return { names, folders: folders.sort() }
}
