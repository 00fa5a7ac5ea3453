import type { WantedJava } from '../catalog.ts'
import type { InstalledJava } from './find-java.ts'

type JavaChoice = { kind: 'found'; java: InstalledJava } | { kind: 'missing'; sentence: string }

const MOST_NAMED = 6

/** The smallest sufficient one: much newer Javas drop features. `own`: chosen folder, used unless too old. */
export function chooseJava(
  wanted: WantedJava,
  installed: readonly InstalledJava[],
  own: string | null = null,
): JavaChoice {
  if (own !== null) return ownChoice(wanted, installed, own)
  const fitting = installed.filter(({ major }) => does(wanted, major))
  const [java] = fitting.sort(
    (a, b) =>
      a.major - b.major ||
      Number(a.isLaunchers) - Number(b.isLaunchers) ||
      -compareVersions(a.version, b.version),
  )
  if (java) return { kind: 'found', java }
  const newest = newestFor(wanted.major)
  const orNewer = newest === Infinity ? ' or newer' : `, or a newer one up to Java ${newest}`
  const needs = wanted.exact
    ? `exactly Java ${wanted.major}, and no newer one`
    : `Java ${wanted.major}${orNewer}`
  return missing(
    `This server needs ${needs}, which isn't on this computer. ${whatIsThere(installed)}`,
    wanted,
  )
}

export const does = (wanted: WantedJava, major: number): boolean =>
  major === wanted.major || (!wanted.exact && major > wanted.major && major <= newestFor(wanted.major))

/** Newest usable Java: servers before Minecraft 1.17 use internals that Java 17 closed. */
export const newestFor = (major: number): number => (major < 16 ? 16 : Infinity)

function ownChoice(wanted: WantedJava, installed: readonly InstalledJava[], own: string): JavaChoice {
  const java = installed.find(({ home }) => home === own)
  if (!java) {
    const gone = `The Java chosen for this server, ${own}, is no longer on this computer.`
    return missing(`${gone} ${whatIsThere(installed)}`, wanted)
  }
  if (java.major >= wanted.major) return { kind: 'found', java }
  return missing(
    `This server needs Java ${wanted.major}${wanted.exact ? '' : ' or newer'}, and the one chosen for it is Java ${java.major}.`,
    wanted,
  )
}

const missing = (sentence: string, { major }: WantedJava): JavaChoice => ({
  kind: 'missing',
  sentence: `${sentence} Install Java ${major} on this computer, then start the server again.`,
})

function whatIsThere(installed: readonly InstalledJava[]): string {
  const majors = [...new Set(installed.map(({ major }) => major))].sort((a, b) => a - b)
  if (majors.length === 0) return 'No Java was found here.'
  const named = majors.slice(-MOST_NAMED).map((major) => `Java ${major}`)
  return named.length === 1
    ? `Found here: ${named[0]}.`
    : `Found here: ${named.slice(0, -1).join(', ')} and ${named.at(-1)}.`
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[^\d]+/).map(Number))
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
