import type { z } from 'zod'
import type { FoundServer } from '../../../../contract/areas/imports.ts'
import type { Properties } from '../../../../contract/rules/properties-text.ts'
import { compareVersions } from '../../../../contract/rules/version-order.ts'
import { readLevelVersion } from '../../../changes/level-version.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { readSettings, SETTINGS_FILE, worldSettingsIn } from '../../../worlds/server-properties.ts'
import { LIST_BYTES, LIST_FILES } from '../../../../contract/rules/game/list-entries.ts'
import { valuesIn } from '../../../../contract/rules/game/list-text.ts'
import { readWorldText, UnusableFile } from '../../../worlds/world-file.ts'
import type { Clue } from '../../../../extensions/software/clues.ts'
import { softwareName } from '../../../../extensions/software/software-name.ts'
import { clueFolder } from './clue-folder.ts'
import { namesIn } from './find-server.ts'
import { findLevel, type Level, toldLevel } from './level.ts'
import { readStartScripts } from './start-scripts.ts'
import { whatRan } from './what-ran.ts'

const MOST_WORLDS = 50
const MOST_FOLDERS = 1000
const BANNED_ADDRESSES = 'banned-ips.json'
const MOTD_MOST = 300

interface Recognition {
  isServer: boolean
  found: Omit<z.input<typeof FoundServer>, 'folder' | 'freePort' | 'files' | 'bytes' | 'leftOut'>
}

/** Read-only: runs and changes nothing. */
export async function recognizeServer(files: ServerFiles, signal: AbortSignal): Promise<Recognition> {
  const { names, folders } = await namesIn(files, '')
  const scripts = await readStartScripts(files, names)
  const settings = await readSettings(files).catch(() => null)
  const loaded = await findLevel(files, settings)
  const worlds = await worldsIn(files, folders, loaded.folder, signal)
  const ran = await whatRan(files, { names, scripts, saved: savedBy(worlds, loaded) }, signal)
  const jarsIn = async (folder: string) =>
    [...(await clueFolder(files).namesIn(folder)).names].filter(isJar).length
  const [plugins, mods] = [await jarsIn('plugins'), await jarsIn('mods')]
  const jars = ran.jars.map(({ name, about }) => ({ name, java: about.java.major, version: about.version }))
  return {
    isServer: jars.length > 0 || ran.kind !== null || worlds.length > 0 || names.has(SETTINGS_FILE),
    found: {
      software:
        ran.kind === null && ran.version === null ? null : { name: softwareName(ran.kind), ...idOf(ran) },
      ...{ jar: jars[0] ?? null, jars, jarProblem: ran.jarProblem },
      ...{ worlds, level: settings && toldLevel(loaded, worlds), plugins, mods },
      ...settingsOf(settings),
      ...(await listsOf(files)),
      memoryMb: scripts.memoryMb,
    },
  }
}

const isJar = (name: string): boolean => /\.jar$/i.test(name)

const idOf = ({ kind, version }: Clue) => ({ id: kind, version })

/** The one loaded first comes first. Dimension folders beside it also have a `level.dat`. */
async function worldsIn(
  files: ServerFiles,
  folders: readonly string[],
  loaded: string | null,
  signal: AbortSignal,
) {
  const worlds: { name: string; version: string | null }[] = []
  const others = folders.filter((name) => name !== loaded)
  for (const name of [...(loaded === null ? [] : [loaded]), ...others].slice(0, MOST_FOLDERS)) {
    signal.throwIfAborted()
    if (worlds.length === MOST_WORLDS) break
    const { isThere, version } = await readLevelVersion(files, name)
    if (isThere) worlds.push({ name, version })
  }
  return worlds
}

/** The loaded world's version; if that world is unknown, the newest. */
function savedBy(worlds: readonly { name: string; version: string | null }[], loaded: Level) {
  const own = worlds.find(({ name }) => name === loaded.folder)?.version
  const versions = worlds.flatMap(({ version }) => version ?? [])
  return own ?? versions.sort((a, b) => compareVersions(b, a))[0] ?? null
}

function settingsOf(
  settings: Properties | null,
): Pick<Recognition['found'], 'port' | 'motd' | 'checksAccounts' | 'whitelistOn' | 'remoteConsole'> {
  const { port, motd, onlineMode, whitelist, remoteConsole } = worldSettingsIn(settings)
  const isSaid = (key: string) => settings?.values.has(key) ?? false
  return {
    port: isSaid('server-port') && port >= 1024 && port <= 65_535 ? port : null,
    motd: motd.trim().slice(0, MOTD_MOST) || null,
    checksAccounts: isSaid('online-mode') ? onlineMode : null,
    ...{ whitelistOn: whitelist ?? false, remoteConsole },
  }
}

async function listsOf(
  files: ServerFiles,
): Promise<Pick<Recognition['found'], 'operators' | 'whitelisted' | 'banned'>> {
  const count = async (file: string): Promise<number | null> => {
    try {
      const read = await readWorldText(files, file, LIST_BYTES, undefined, 'latin1')
      return read === null || read === 'same' ? 0 : valuesIn(read.text).length
    } catch (error) {
      if (error instanceof UnusableFile || error instanceof SyntaxError) return null
      throw error
    }
  }
  const [players, addresses] = [await count(LIST_FILES.bans), await count(BANNED_ADDRESSES)]
  return {
    operators: await count(LIST_FILES.ops),
    whitelisted: await count(LIST_FILES.whitelist),
    banned: players === null || addresses === null ? null : players + addresses,
  }
}
