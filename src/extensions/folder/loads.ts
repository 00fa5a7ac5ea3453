import { compareVersions } from '../../contract/rules/version-order.ts'
import type { Target } from '../catalogs/extension-catalog.ts'
import type { Format } from '../jars/facts.ts'
import { isEnabled, type JarFile } from './jar-file.ts'
import type { KnownJar } from './known-jar.ts'

export interface Loads {
  folder: 'plugins' | 'mods'
  kind: 'plugin' | 'mod'
  /** Formats in order of preference, for jars with several. */
  formats: readonly Format[]
  names: RegExp
}

const JAR = /\.jar$/
const [VISIBLE_JAR, ANY_JAR] = [/^[^.].*\.jar$/s, /\.jar$/i]

const plugins = (...formats: Format[]): Loads => ({
  ...{ folder: 'plugins', kind: 'plugin', formats, names: JAR },
})
const mods = (names: RegExp, ...formats: Format[]): Loads => ({
  ...{ folder: 'mods', kind: 'mod', formats, names },
})

const BY_SOFTWARE: Readonly<Record<string, Loads>> = {
  paper: plugins('paper', 'bukkit'),
  purpur: plugins('paper', 'bukkit'),
  folia: plugins('paper', 'bukkit'),
  spigot: plugins('bukkit'),
  velocity: plugins('velocity'),
  waterfall: plugins('bungee', 'bukkit'),
  bungeecord: plugins('bungee', 'bukkit'),
  fabric: mods(VISIBLE_JAR, 'fabric'),
  quilt: mods(VISIBLE_JAR, 'quilt', 'fabric'),
  forge: mods(ANY_JAR, 'forge'),
  neoforge: mods(ANY_JAR, 'neoforge'),
}

/** Where the software isn't known: whatever its folder may hold. */
export const LOADS_OF_FOLDER: Readonly<Record<Loads['folder'], Loads>> = {
  plugins: plugins('paper', 'bukkit', 'velocity', 'bungee'),
  mods: mods(ANY_JAR, 'fabric', 'quilt', 'neoforge', 'forge'),
}

/** NeoForge used Forge's format before this version. */
const OWN_DESCRIPTION = '1.20.5'

/** Null: this software has no extensions. */
export function loadsOf({ software, version }: Target): Loads | null {
  const loads = Object.hasOwn(BY_SOFTWARE, software) ? BY_SOFTWARE[software]! : null
  if (software !== 'neoforge' || compareVersions(version, OWN_DESCRIPTION) >= 0) return loads
  return mods(ANY_JAR, 'neoforge', 'forge')
}

export const kindOfFormat = (format: Format): Loads['kind'] =>
  ['fabric', 'quilt', 'forge', 'neoforge'].includes(format) ? 'mod' : 'plugin'

export interface ScannedJar {
  jar: JarFile
  known: KnownJar
}

/** Facts in the first format the software loads, else any. */
export function asLoaded({ jar, known }: ScannedJar, { formats }: Loads) {
  const facts = formats.flatMap((of) => known.facts?.find(({ format }) => format === of) ?? [])[0]
  return {
    ...{ jar, known, facts: facts ?? known.facts?.[0] ?? null },
    ...{ enabled: isEnabled(jar.path), isPlain: known.facts !== null, broken: known.broken ?? null },
    fault: known.fault ?? null,
    ...{ file: jar.path.split('/').at(-1)!, why: jar.isFile ? (known.why ?? null) : ('not-file' as const) },
  }
}
