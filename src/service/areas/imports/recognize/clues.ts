import { z } from 'zod'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../refusal.ts'
import { versionOf } from '../../../software/server-jar.ts'
import { namesIn } from './find-server.ts'

/** Bytes of a text that are read. */
const TEXT_BYTES = 64 * 1024
/** Start scripts that are read. */
const MOST_SCRIPTS = 12

/** What ran a server, as far as one trace of it tells. */
export interface Clue {
  kind: string | null
  version: string | null
}

const NOTHING: Clue = { kind: null, version: null }

/** The beginning of a text; empty where there is none or it cannot be read. */
export async function headOf(files: ServerFiles, path: string, most = TEXT_BYTES): Promise<string> {
  try {
    const { handle } = await files.openRead(path)
    await using _closed = handle
    const bytes = Buffer.alloc(most)
    let at = 0
    while (at < most) {
      const { bytesRead } = await handle.read(bytes, at, most - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return bytes.toString('utf8', 0, at)
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}

/** What the installers of NeoForge and Forge leave, and the launchers of Fabric and Quilt. */
export async function clueOfLaunchers(files: ServerFiles, names: ReadonlySet<string>): Promise<Clue> {
  const newest = async (path: string) =>
    (await foldersIn(files, path)).filter((name) => /^\d/.test(name)).at(-1)
  const neo = await newest('libraries/net/neoforged/neoforge')
  if (neo !== undefined) return { kind: 'neoforge', version: versionOfNeoForge(neo) }
  const forge =
    (await newest('libraries/net/minecraftforge/forge')) ?? (await newest('libraries/net/neoforged/forge'))
  if (forge !== undefined) {
    const isNeo = (await foldersIn(files, 'libraries/net')).includes('neoforged')
    return { kind: isNeo ? 'neoforge' : 'forge', version: versionOf(forge.split('-')[0]) }
  }
  if (names.has('quilt-server-launch.jar')) return { kind: 'quilt', version: null }
  const [fabric] = (await filesIn(files, '.fabric/server')).filter((name) => /-server\.jar$/.test(name))
  if (fabric !== undefined || names.has('fabric-server-launch.jar'))
    return { kind: 'fabric', version: versionOf(fabric?.replace(/-server\.jar$/, '')) }
  return NOTHING
}

/** `21.1.n` is for Minecraft 1.21.1, `21.0.n` for 1.21, and `26.1.0.n` for 26.1. */
function versionOfNeoForge(version: string): string | null {
  const [first = 0, second = 0, third = 0, fourth] = version.split(/[.-]/).map(Number)
  if (!Number.isInteger(first) || !Number.isInteger(second)) return null
  if (first < 26) return second === 0 ? `1.${first}` : `1.${first}.${second}`
  return fourth === undefined || third === 0 ? `${first}.${second}` : `${first}.${second}.${third}`
}

/** The last log says what ran, in its first lines. */
export async function clueOfLog(files: ServerFiles): Promise<Clue> {
  const log = await headOf(files, 'logs/latest.log')
  const version = versionOf(/Starting minecraft server version (\S{1,60})/.exec(log)?.[1])
  const named = /This server is running (\w{1,30}) version/.exec(log)?.[1]?.toLowerCase()
  const loader = /with (Fabric|Quilt) Loader/.exec(log)?.[1]?.toLowerCase()
  const forge = /\b(neoforge|forge)(?:Version| mod loading| Mod Loader)\b/i.exec(log)?.[1]?.toLowerCase()
  const kind = named === 'craftbukkit' ? 'spigot' : (named ?? loader ?? forge ?? null)
  return { kind, version: version ?? versionOf(/Loading Minecraft (\S{1,60}) with/.exec(log)?.[1]) }
}

const History = z.object({ currentVersion: z.string().max(200) })

/** Paper and its relatives note which version was started last: `1.21.4-232-1a2b3c (MC: 1.21.4)`. */
export async function clueOfHistory(files: ServerFiles): Promise<Clue> {
  try {
    const { currentVersion } = History.parse(JSON.parse(await headOf(files, 'version_history.json')))
    const version = versionOf(/\(MC: (\S{1,60})\)/.exec(currentVersion)?.[1])
    const kind = /\b(paper|purpur|folia)\b/i.exec(currentVersion)?.[1]?.toLowerCase() ?? 'paper'
    return { kind, version }
  } catch {
    return NOTHING
  }
}

/** What start scripts tell: how much memory, in MiB, and which jar. They are read, and never run. */
export async function clueOfScripts(
  files: ServerFiles,
  names: ReadonlySet<string>,
): Promise<{ memoryMb: number | null; jar: string | null }> {
  const scripts = [...names]
    .filter((name) => /\.(?:sh|bat|cmd|command|ps1)$/i.test(name))
    .slice(0, MOST_SCRIPTS)
  let memoryMb: number | null = null
  let jar: string | null = null
  for (const name of [...scripts, 'user_jvm_args.txt']) {
    if (!names.has(name)) continue
    // What stands behind a # was only an example. Blanks never go on over the end of a line, whichever it is: of many empty
    // ones each would be read up to the last.
    const text = (await headOf(files, name)).replaceAll(/^[ \t]*(?:#|rem\b|::).*$/gim, '')
    memoryMb ??= memoryIn(text)
    const named = /-jar\s+"?(?:\.[/\\])?([^\s"'/\\]{1,200}\.jar)/i.exec(text)?.[1]
    if (jar === null && named !== undefined && names.has(named)) jar = named
  }
  return { memoryMb, jar }
}

const PER_MIB = { k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 } as const

function memoryIn(text: string): number | null {
  const [, number, unit = 'm'] = /-Xmx(\d{1,9})([kmgt])/i.exec(text) ?? []
  if (number === undefined) return null
  const mb = Math.round(Number(number) * PER_MIB[unit.toLowerCase() as keyof typeof PER_MIB])
  return mb >= 256 && mb <= 262_144 ? mb : null
}

async function foldersIn(files: ServerFiles, path: string): Promise<string[]> {
  try {
    return (await namesIn(files, path)).folders
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** Names of the files in a folder; none where there is no such folder. */
export async function filesIn(files: ServerFiles, path: string): Promise<string[]> {
  try {
    return [...(await namesIn(files, path)).names].sort()
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}
