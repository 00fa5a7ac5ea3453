import { z } from 'zod'
import { compareVersions } from '../../contract/rules/version-order.ts'

/** A server's folder. What isn't there or can't be read is empty. */
export interface ClueFolder {
  /** The beginning of a file. */
  textOf(path: string): Promise<string>
  namesIn(path: string): Promise<{ names: ReadonlySet<string>; folders: readonly string[] }>
}

export interface Clue {
  kind: string | null
  version: string | null
}

const NOTHING: Clue = { kind: null, version: null }

interface Install extends Clue {
  kind: string
  /** As in start scripts: `neoforged/neoforge/21.1.90`. */
  name: string
}

export async function installsIn(folder: ClueFolder, names: ReadonlySet<string>): Promise<Install[]> {
  const libraries = async (path: string) =>
    (await folder.namesIn(`libraries/net/${path}`)).folders
      .filter((name) => /^\d/.test(name))
      .slice(0, MOST_INSTALLS)
      .map((name) => ({ name: `${path}/${name}`, version: name }))
  const neo = await libraries('neoforged/neoforge')
  // NeoForge for 1.20.1 still used Forge's name.
  const early = await libraries('neoforged/forge')
  const forge = await libraries('minecraftforge/forge')
  const ofForge = ({ version }: { version: string }) => versionOf(version.split('-')[0])
  const launched = [...(await folder.namesIn('.fabric/server')).names].sort()
  const fabric = launched.filter((name) => /-server\.jar$/.test(name))
  return [
    ...neo.map((one) => ({ ...one, kind: 'neoforge', version: versionOfNeoForge(one.version) })),
    ...early.map((one) => ({ ...one, kind: 'neoforge', version: ofForge(one) })),
    ...forge.map((one) => ({ ...one, kind: 'forge', version: ofForge(one) })),
    ...fabric
      .slice(0, MOST_INSTALLS)
      .map((name) => ({ name, kind: 'fabric', version: versionOf(name.replace(/-server\.jar$/, '')) })),
    ...(names.has('fabric-server-launch.jar') && fabric.length === 0
      ? [{ name: 'fabric-server-launch.jar', kind: 'fabric', version: null }]
      : []),
    ...(names.has('quilt-server-launch.jar')
      ? [{ name: 'quilt-server-launch.jar', kind: 'quilt', version: null }]
      : []),
  ]
}

const MOST_INSTALLS = 100

/** Numeric: `paper-1.20.10-1.jar` before `paper-1.20.9-2.jar`. */
export const newestByName = (a: string, b: string): number =>
  compareVersions(b.replace(/^\D+/, ''), a.replace(/^\D+/, '')) || (a < b ? -1 : 1)

function versionOfNeoForge(version: string): string | null {
  const [first = 0, second = 0, third = 0, fourth] = version.split(/[.-]/).map(Number)
  if (!Number.isInteger(first) || !Number.isInteger(second)) return null
  if (first < 26) return second === 0 ? `1.${first}` : `1.${first}.${second}`
  return fourth === undefined || third === 0 ? `${first}.${second}` : `${first}.${second}.${third}`
}

export async function clueOfLog(folder: ClueFolder): Promise<Clue> {
  const log = await folder.textOf('logs/latest.log')
  const version = versionOf(/Starting minecraft server version (\S{1,60})/.exec(log)?.[1])
  const saysItRuns = /This server is running (\w{1,30}) version/.exec(log)?.[1]?.toLowerCase()
  const loader = /with (Fabric|Quilt) Loader/.exec(log)?.[1]?.toLowerCase()
  const forge = /\b(neoforge|forge)(?:Version| mod loading| Mod Loader)\b/i.exec(log)?.[1]?.toLowerCase()
  const kind = saysItRuns === 'craftbukkit' ? 'spigot' : (saysItRuns ?? loader ?? forge ?? null)
  // With many mods, the game's line comes too late.
  const named = /Loading Minecraft (\S{1,60}) with|--fml\.mcVersion, (\S{1,60}?),/.exec(log)
  return { kind, version: version ?? versionOf(named?.[1] ?? named?.[2]) }
}

const History = z.object({ currentVersion: z.string().max(200) })

/** Paper and its forks note the last version started: `1.21.4-232-1a2b3c (MC: 1.21.4)`. */
export async function clueOfHistory(folder: ClueFolder): Promise<Clue> {
  try {
    const { currentVersion } = History.parse(JSON.parse(await folder.textOf('version_history.json')))
    const version = versionOf(/\(MC: (\S{1,60})\)/.exec(currentVersion)?.[1])
    const kind = /\b(paper|purpur|folia)\b/i.exec(currentVersion)?.[1]?.toLowerCase() ?? 'paper'
    return { kind, version }
  } catch {
    return NOTHING
  }
}

/** Downloads are often named like `paper-1.21.4-232.jar`. */
export function clueOfName(name: string): Clue {
  const [, kind = null, version = null] =
    /^(paper|purpur|folia|spigot|craftbukkit|velocity|forge|fabric-server-mc|fabric-server|quilt-server|minecraft_server)(?:[-.](\d+(?:\.\d+)+))?/i.exec(
      name,
    ) ?? []
  const plain =
    kind
      ?.toLowerCase()
      .replace(/-server.*/, '')
      .replace('minecraft_server', 'vanilla') ?? null
  return { kind: plain, version: plain === 'velocity' ? null : version }
}

/** Leading Minecraft version. */
export const versionOf = (text: string | undefined): string | null =>
  /^(?:\d{1,2}\.\d{1,3}(?:\.\d{1,3})?|\d\dw\d\d[a-z])(?:-(?:pre|rc|snapshot)-?\d{1,2})?(?![\w.])/i.exec(
    text?.trim() ?? '',
  )?.[0] ?? null
