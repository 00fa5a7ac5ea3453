import type { ServerFiles } from '../../../files/server-files.ts'
import { Refusal } from '../../../../host/refusal.ts'
import { compareVersions, isOlderVersion } from '../../../../contract/rules/version-order.ts'
import { readServerJar, type ServerJar } from '../../../software/server-jar.ts'
import {
  type Clue,
  clueOfHistory,
  clueOfLog,
  clueOfName,
  installsIn,
  newestByName,
} from '../../../../extensions/software/clues.ts'
import { clueFolder } from './clue-folder.ts'
import type { StartScripts } from './start-scripts.ts'

const MOST_JARS = 8
const MOST_NAMES = 500

interface RunnableJar {
  name: string
  about: ServerJar
}

interface RunEvidence extends Clue {
  jars: RunnableJar[]
  jarProblem: string | null
}

interface Candidate extends Clue {
  name: string
  isNamed: boolean
  rank: 'installed' | 'server' | 'other'
  jar: RunnableJar | null
}

/**
 * Evidence in order: start script, log and history, newest jar. Anything older than the world comes last. `saved`:
 * version that saved the world.
 */
export async function whatRan(
  files: ServerFiles,
  { names, scripts, saved }: { names: ReadonlySet<string>; scripts: StartScripts; saved: string | null },
  signal: AbortSignal,
): Promise<RunEvidence> {
  const folder = clueFolder(files)
  const noted = [await clueOfLog(folder), await clueOfHistory(folder)]
  const { jars, problem } = await runnableJars(files, names, scripts, signal)
  const installed = await installsIn(folder, names)
  const candidates: Candidate[] = [
    ...installed.map((one) => ({
      ...{ ...one, isNamed: scripts.installs.has(one.name) || scripts.jars.has(one.name) },
      ...{ rank: 'installed' as const, jar: null },
    })),
    ...jars.map((jar) => candidateOf(jar, scripts)),
  ]
  candidates.sort(likeliestFirst(noted, saved))
  const [first] = candidates
  const sameKind = candidates.find(({ kind, version }) => kind === first?.kind && version !== null)
  const traces: Clue[] = [
    ...(first ? [first, { kind: null, version: sameKind?.version ?? null }] : []),
    ...noted,
    { kind: names.has('velocity.toml') ? 'velocity' : null, version: saved },
  ]
  const ran: Clue = {
    kind: traces.find(({ kind }) => kind !== null)?.kind ?? null,
    version: traces.find(({ version }) => version !== null)?.version ?? null,
  }
  // Trust the script unless the world is newer.
  const least =
    saved ?? (first?.isNamed ? null : (noted.find(({ version }) => version !== null)?.version ?? null))
  const newer = isOlderVersion(ran.version, least)
    ? [...noted, { kind: null, version: saved }].find(
        ({ version }) => version !== null && !isOlderVersion(version, least),
      )
    : undefined
  return {
    ...{ kind: newer?.kind ?? ran.kind, version: newer?.version ?? ran.version },
    ...{ jars: candidates.flatMap(({ jar }) => jar ?? []), jarProblem: jars.length > 0 ? null : problem },
  }
}

async function runnableJars(
  files: ServerFiles,
  names: ReadonlySet<string>,
  scripts: StartScripts,
  signal: AbortSignal,
): Promise<{ jars: RunnableJar[]; problem: string | null }> {
  const rankOf = (name: string) =>
    scripts.jars.has(name) ? 0 : name === 'server.jar' ? 1 : clueOfName(name).kind === null ? 3 : 2
  const found = [...names].filter((name) => /\.jar$/i.test(name) && !/installer/i.test(name))
  const ranked = found.map((name) => ({ name, rank: rankOf(name) })).sort((a, b) => a.rank - b.rank)
  const likeliest = ranked.slice(0, MOST_NAMES)
  likeliest.sort((a, b) => a.rank - b.rank || newestByName(a.name, b.name))
  const jars: RunnableJar[] = []
  let problem: string | null = null
  for (const { name } of likeliest.slice(0, MOST_JARS)) {
    signal.throwIfAborted()
    try {
      jars.push({ name, about: await readServerJar(files, name) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problem ??= error.message
    }
  }
  return { jars, problem }
}

function candidateOf(jar: RunnableJar, scripts: StartScripts): Candidate {
  const { name, about } = jar
  const byName = clueOfName(name)
  const kind = about.kind ?? byName.kind
  return {
    ...{ kind, version: about.version ?? byName.version, name, jar },
    isNamed: scripts.jars.has(name),
    rank: kind !== null || name === 'server.jar' ? 'server' : 'other',
  }
}

const RANKS: readonly Candidate['rank'][] = ['installed', 'server', 'other']

function likeliestFirst(noted: readonly Clue[], saved: string | null) {
  const last = noted.find(({ kind, version }) => kind !== null || version !== null)
  const lastVersion = noted.find(({ version }) => version !== null)?.version
  const fits = ({ kind, version }: Clue): number =>
    Number(version !== null && version === lastVersion) * 2 + Number(kind !== null && kind === last?.kind)
  const isPlain = ({ name, version }: Candidate) => name === 'server.jar' && version === null
  return (a: Candidate, b: Candidate): number =>
    Number(isOlderVersion(a.version, saved)) - Number(isOlderVersion(b.version, saved)) ||
    Number(b.isNamed) - Number(a.isNamed) ||
    fits(b) - fits(a) ||
    RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
    Number(isPlain(b)) - Number(isPlain(a)) ||
    compareVersions(b.version ?? '', a.version ?? '') ||
    Number(b.name === 'server.jar') - Number(a.name === 'server.jar') ||
    newestByName(a.name.split('/').at(-1)!, b.name.split('/').at(-1)!)
}
