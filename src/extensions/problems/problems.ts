import type { z } from 'zod'
import type { ExtensionProblem } from '../../contract/areas/values/extension-problem.ts'
import type { Target } from '../catalogs/extension-catalog.ts'
import { compareVersions } from '../../contract/rules/version-order.ts'
import { DESCRIBED, type Facts, type JarDependency, SYNTAX, type UnreadReason } from '../jars/facts.ts'
import { loadsOf } from '../folder/loads.ts'
import { javaProblem, type ServerJava } from './java-problem.ts'
import { isWithin } from './version-ranges.ts'

type Problem = z.input<typeof ExtensionProblem>

export interface ProblemSubject {
  facts: Facts | null
  isPlain: boolean
  enabled: boolean
  file: string
  why: UnreadReason | null
  /** An unusable description without alternative, and why the software rejects it. */
  broken: string | null
  fault: string | null
}

const PROBLEMS_MOST = 20
const NAMED_MOST = 3
/** Provided by the loader or by every server of its kind. */
const THERE = new Set(
  (
    'java minecraft fabricloader fabric-loader quilt_loader quilt_base mixinextras forge neoforge fml javafml ' +
    'lowcodefml velocity bungeecord'
  ).split(' '),
)

/** Problems of each jar, in order; disabled ones only get their own. Null `java`: unknown, not judged. */
export function problemsOf(
  all: readonly ProblemSubject[],
  target: Target,
  java: ServerJava | null,
): Problem[][] {
  // Jars the software does not load satisfy and need nothing.
  const loads = loadsOf(target)
  const isLoaded = ({ facts, enabled, file }: ProblemSubject) =>
    facts !== null &&
    enabled &&
    (!loads || (loads.formats.includes(facts.format) && loads.names.test(file))) &&
    faultOf(facts, target) === null
  const present = presentIn(all.filter(isLoaded))
  return all.map((one) =>
    [...own(one, target, java), ...(isLoaded(one) ? beside(one, present, target) : [])].slice(
      0,
      PROBLEMS_MOST,
    ),
  )
}

/** Versions by lower-case id of everything loaded, with the files that declare the id as their own. */
function presentIn(all: readonly ProblemSubject[]) {
  const versions = new Map<string, string | null>()
  const files = new Map<string, string[]>()
  for (const { facts, file } of all) {
    if (!facts) continue
    const id = facts.id.toLowerCase()
    files.set(id, [...(files.get(id) ?? []), file])
    for (const name of facts.provides)
      if (!versions.has(name.toLowerCase())) versions.set(name.toLowerCase(), null)
    versions.set(id, facts.version)
  }
  return { versions, files }
}

function own(one: ProblemSubject, target: Target, java: ServerJava | null): Problem[] {
  const { facts, isPlain, why, broken, file, enabled } = one
  const loads = loadsOf(target)
  if (!facts) {
    if (!isPlain) return [{ kind: 'unreadable', ...(why && { reason: why }) }]
    if (broken !== null) {
      const isFor = loads?.formats.some((format) => DESCRIBED[format] === broken)
      return [one.fault && isFor ? invalid(broken, one.fault) : { kind: 'not-described', name: broken }]
    }
    // Mods may contain undescribed libraries; plugins always have a description.
    return loads?.kind === 'plugin' ? [{ kind: 'not-described' }] : []
  }
  if (loads && !loads.formats.includes(facts.format)) return [{ kind: 'wrong-software', name: facts.format }]
  const problems: Problem[] = []
  const fault = faultOf(facts, target)
  if (fault !== null) problems.push(invalid(DESCRIBED[facts.format], fault))
  if (loads && enabled && !loads.names.test(file))
    problems.push({ kind: 'wrong-file-name', name: file.replace(/^\.+/, '').replace(/\.jar$/i, '.jar') })
  if (target.software === 'folia' && !facts.folia) problems.push({ kind: 'wrong-software', name: 'folia' })
  if (facts.side === 'client') problems.push({ kind: 'wrong-side' })
  const { apiVersion } = facts
  const areNumbered = apiVersion !== null && isNumbered(apiVersion) && isNumbered(target.version)
  if (areNumbered && !isWithin(target.version, `>=${apiVersion}`, 'bukkit'))
    problems.push({ kind: 'wrong-version', name: 'minecraft', wants: apiVersion })
  const ofJava = java && javaProblem(facts, java)
  return ofJava ? [...problems, ofJava] : problems
}

const invalid = (name: string, fault: string): Problem => ({
  ...{ kind: 'invalid-description', name },
  ...(fault !== SYNTAX && { field: fault }),
})

const STRICT_BUKKIT = '1.13'

/** Why the software rejects the description; null if it does not, as far as we know. */
function faultOf({ format, fault = null, id }: Facts, { software, version }: Target): string | null {
  if (format !== 'bukkit') return fault
  if (software === 'waterfall' || software === 'bungeecord') return fault === SYNTAX ? fault : null
  const isStrict = isNumbered(version) && compareVersions(version, STRICT_BUKKIT) >= 0
  if (fault === 'api-version') return isStrict ? fault : null
  return fault ?? (isStrict && id.includes(' ') ? 'name' : null)
}

function beside(
  { facts, file }: ProblemSubject,
  { versions, files }: ReturnType<typeof presentIn>,
  target: Target,
): Problem[] {
  if (!facts) return []
  const problems: Problem[] = []
  const others = files.get(facts.id.toLowerCase())?.filter((one) => one !== file) ?? []
  if (others.length > 0) problems.push({ kind: 'duplicate', name: others.slice(0, NAMED_MOST).join(', ') })
  for (const need of facts.needs) {
    const problem = problemOf(need, facts, versions, target)
    if (problem) problems.push(problem)
  }
  return problems
}

function problemOf(
  { id, range, kind }: JarDependency,
  { format }: Facts,
  versions: ReadonlyMap<string, string | null>,
  target: Target,
): Problem | null {
  const wants = range === null ? {} : { wants: range }
  if (id.toLowerCase() === 'minecraft') {
    if (range === null || !isNumbered(target.version)) return null
    const fits = isWithin(target.version, range, format)
    return fits === (kind === 'required') ? null : { kind: 'wrong-version', name: 'minecraft', ...wants }
  }
  if (THERE.has(id.toLowerCase())) return null
  const there = versions.get(id.toLowerCase())
  if (there === undefined)
    return kind === 'required' ? { kind: 'missing-dependency', name: id, ...wants } : null
  // Bundled jars have no version; they were chosen to fit.
  if (there === null) return null
  // Ignore clashes with unintelligible ranges.
  if (kind === 'clash' && range !== null && !/\d/.test(range)) return null
  const fits = isWithin(there, range, format)
  if (kind === 'required') return fits ? null : { kind: 'missing-dependency', name: id, ...wants }
  return fits ? { kind: 'clash', name: id, ...wants } : null
}

/** The version may be unknown, and formats disagree on the order of snapshots. */
const isNumbered = (version: string): boolean => /^\d+(\.\d+)+$/.test(version)
