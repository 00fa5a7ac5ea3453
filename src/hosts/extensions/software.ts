import type { Target } from '../../extensions/catalogs/extension-catalog.ts'
import {
  type Clue,
  type ClueFolder,
  clueOfHistory,
  clueOfLog,
  clueOfName,
  installsIn,
} from '../../extensions/software/clues.ts'
import { compareVersions } from '../../contract/rules/version-order.ts'
import { entriesOf, headOf, type RemoteFolder } from './remote-folder.ts'

const TEXT_BYTES = 64 * 1024
const VELOCITY = { settings: 'velocity.toml', log: /Booting up Velocity (\d[\w.-]{0,40})/ }

/** What a server runs, by its log, its installed libraries and its files' names; null if they don't tell. */
export async function softwareOf(folder: RemoteFolder): Promise<Target | null> {
  const clues = clueFolder(folder)
  const { names } = await clues.namesIn('')
  const log = await clueOfLog(clues)
  if (names.has(VELOCITY.settings) && log.kind === null) {
    const text = await clues.textOf('logs/latest.log')
    return { software: 'velocity', version: VELOCITY.log.exec(text)?.[1] ?? '' }
  }
  const all: Clue[] = [log]
  if (names.has('version_history.json')) all.push(await clueOfHistory(clues))
  const installed = await installsIn(clues, names)
  all.push(...installed.sort((a, b) => compareVersions(b.version ?? '', a.version ?? '')))
  all.push(...[...names].filter((name) => /\.jar$/i.test(name)).map(clueOfName))
  const kind = all.find((clue) => clue.kind !== null)?.kind
  const fits = (clue: Clue) => clue.version !== null && (clue.kind === null || clue.kind === kind)
  const version = all.find(fits)?.version
  return kind && version ? { software: kind, version } : null
}

function clueFolder(folder: RemoteFolder): ClueFolder {
  return {
    textOf: (path) => headOf(folder, path, TEXT_BYTES),
    async namesIn(path) {
      const entries = await entriesOf(folder, path)
      const namesOf = (wanted: string) => entries.flatMap(({ name, kind }) => (kind === wanted ? name : []))
      return { names: new Set(namesOf('file')), folders: namesOf('folder').sort() }
    },
  }
}
