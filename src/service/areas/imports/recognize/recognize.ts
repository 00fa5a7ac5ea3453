import type { z } from 'zod'
import type { FoundServer } from '../../../../contract/areas/imports.ts'
import { compareVersions } from '../../../software/catalogues/version-order.ts'
import { readLevelVersion } from '../../../changes/level-version.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../refusal.ts'
import { readServerJar, type ServerJar } from '../../../software/server-jar.ts'
import {
  isTrue,
  propertiesIn,
  readWorldSettings,
  REMOTE_CONSOLE,
  SETTINGS_BYTES,
  SETTINGS_FILE,
} from '../../../worlds/server-properties.ts'
import { LIST_BYTES, LIST_FILES } from '../../../worlds/known-lists.ts'
import { readWorldText } from '../../../worlds/world-file.ts'
import { type Clue, clueOfHistory, clueOfLaunchers, clueOfLog, clueOfScripts, filesIn } from './clues.ts'
import { namesIn } from './find-server.ts'

/** Jars and worlds that are looked at. */
const MOST_JARS = 8
const MOST_WORLDS = 50
/** Folders that are looked at for a world. */
const MOST_FOLDERS = 1000
const BANNED_ADDRESSES = 'banned-ips.json'
/** Characters of a message of the day. */
const MOTD_MOST = 300

/** What was recognized of a server; `isServer`: it is one. */
export interface Recognized {
  isServer: boolean
  found: Omit<z.input<typeof FoundServer>, 'folder' | 'freePort' | 'files' | 'bytes' | 'leftOut'>
}

/** Recognizes the server whose folder this is. Nothing of it is run, and nothing is changed. */
export async function recognizeServer(files: ServerFiles, signal: AbortSignal): Promise<Recognized> {
  const { names, folders } = await namesIn(files, '')
  const scripts = await clueOfScripts(files, names)
  const { jar, problem } = await jarIn(files, names, scripts.jar, signal)
  const worlds = await worldsIn(files, folders, signal)
  const ran = await whatRan(files, names, jar, worlds)
  const settings = await settingsOf(files)
  const plugins = (await filesIn(files, 'plugins')).filter(isJar).length
  const mods = (await filesIn(files, 'mods')).filter(isJar).length
  return {
    isServer: jar !== null || ran.kind !== null || worlds.length > 0 || names.has(SETTINGS_FILE),
    found: {
      software: ran.kind === null && ran.version === null ? null : { name: nameOf(ran.kind), ...idOf(ran) },
      jar: jar && { name: jar.name, java: jar.about.java.major, version: jar.about.version },
      jarProblem: jar ? null : problem,
      worlds,
      plugins,
      mods,
      ...settings,
      ...(await listsOf(files)),
      memoryMb: scripts.memoryMb,
    },
  }
}

const isJar = (name: string): boolean => /\.jar$/i.test(name)

/** The jar that starts the server: the one a script names, or else the likeliest that can be run. */
async function jarIn(
  files: ServerFiles,
  names: ReadonlySet<string>,
  named: string | null,
  signal: AbortSignal,
): Promise<{ jar: { name: string; about: ServerJar } | null; problem: string | null }> {
  const jars = [...names].filter((name) => isJar(name) && !/installer/i.test(name))
  jars.sort((a, b) => rankOf(a, named) - rankOf(b, named) || (a < b ? -1 : 1))
  let problem: string | null = null
  for (const name of jars.slice(0, MOST_JARS)) {
    signal.throwIfAborted()
    try {
      const about = await readServerJar(files, name)
      return { jar: { name, about }, problem: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problem ??= error.message
    }
  }
  return { jar: null, problem }
}

function rankOf(name: string, named: string | null): number {
  if (name === named) return 0
  if (name === 'server.jar') return 1
  return /^(?:paper|purpur|folia|spigot|craftbukkit|velocity|fabric-server|quilt-server|forge|minecraft_server)/i.test(
    name,
  )
    ? 2
    : 3
}

/** What ran the server: what was installed is believed first, then the jar, then what was noted while it ran. */
async function whatRan(
  files: ServerFiles,
  names: ReadonlySet<string>,
  jar: { name: string; about: ServerJar } | null,
  worlds: readonly { version?: string | null }[],
): Promise<Clue> {
  const clues: Clue[] = [
    await clueOfLaunchers(files, names),
    ...(jar ? [{ kind: jar.about.kind, version: jar.about.version }, clueOfName(jar.name)] : []),
    await clueOfLog(files),
    await clueOfHistory(files),
    names.has('velocity.toml') ? { kind: 'velocity', version: null } : { kind: null, version: null },
  ]
  const saved = worlds.flatMap(({ version }) => version ?? []).sort((a, b) => compareVersions(b, a))
  return {
    kind: clues.find(({ kind }) => kind !== null)?.kind ?? null,
    version: clues.find(({ version }) => version !== null)?.version ?? saved[0] ?? null,
  }
}

/** Many jars are called as they were downloaded: `paper-1.21.4-232.jar`. */
function clueOfName(name: string): Clue {
  const [, kind = null, version = null] =
    /^(paper|purpur|folia|spigot|craftbukkit|velocity|forge|fabric-server-mc)[-.](\d+(?:\.\d+)+)/i.exec(
      name,
    ) ?? []
  const plain = kind?.toLowerCase() ?? null
  return {
    kind: plain === 'fabric-server-mc' ? 'fabric' : plain,
    version: plain === 'velocity' ? null : version,
  }
}

/** Names of kinds, as their makers write them. */
const NAMES: Readonly<Record<string, string>> = {
  paper: 'Paper',
  folia: 'Folia',
  purpur: 'Purpur',
  fabric: 'Fabric',
  quilt: 'Quilt',
  neoforge: 'NeoForge',
  forge: 'Forge',
  vanilla: 'Vanilla',
  velocity: 'Velocity',
  spigot: 'Spigot',
  craftbukkit: 'CraftBukkit',
  bungeecord: 'BungeeCord',
}

const nameOf = (kind: string | null): string => (kind === null ? 'Minecraft' : (NAMES[kind] ?? kind))
const idOf = ({ kind, version }: Clue) => ({ id: kind, version })

/** The server's worlds, the one it loads first. Folders of dimensions beside it have a `level.dat`, too. */
async function worldsIn(files: ServerFiles, folders: readonly string[], signal: AbortSignal) {
  const { level } = await readWorldSettings(files)
  const worlds: { name: string; version: string | null }[] = []
  const inOrder = [...folders].sort((a, b) => Number(b === level) - Number(a === level))
  for (const name of inOrder.slice(0, MOST_FOLDERS)) {
    signal.throwIfAborted()
    if (worlds.length === MOST_WORLDS) break
    const { isThere, version } = await readLevelVersion(files, name)
    if (isThere) worlds.push({ name, version })
  }
  return worlds
}

async function settingsOf(
  files: ServerFiles,
): Promise<Pick<Recognized['found'], 'port' | 'motd' | 'checksAccounts' | 'whitelistOn' | 'remoteConsole'>> {
  const read = await readWorldText(files, SETTINGS_FILE, SETTINGS_BYTES).catch(() => null)
  const values = propertiesIn(read === null || read === 'same' ? '' : read.text)
  const port = Number(values.get('server-port')?.trim() || NaN)
  const motd = values.get('motd')?.trim().slice(0, MOTD_MOST)
  const online = values.get('online-mode')?.trim()
  return {
    port: Number.isInteger(port) && port >= 1024 && port <= 65_535 ? port : null,
    motd: motd || null,
    checksAccounts: online === undefined ? null : online !== 'false',
    whitelistOn: isTrue(values.get('white-list')),
    remoteConsole: isTrue(values.get(REMOTE_CONSOLE)),
  }
}

/** Who is on the lists of players. One that nobody can read names nobody. */
async function listsOf(
  files: ServerFiles,
): Promise<Pick<Recognized['found'], 'operators' | 'whitelisted' | 'banned'>> {
  const count = async (file: string): Promise<number> => {
    const read = await readWorldText(files, file, LIST_BYTES).catch(() => null)
    if (read === null || read === 'same') return 0
    try {
      const entries: unknown = JSON.parse(read.text)
      return Array.isArray(entries) ? entries.length : 0
    } catch {
      return 0
    }
  }
  return {
    operators: await count(LIST_FILES.ops),
    whitelisted: await count(LIST_FILES.whitelist),
    banned: (await count(LIST_FILES.bans)) + (await count(BANNED_ADDRESSES)),
  }
}
