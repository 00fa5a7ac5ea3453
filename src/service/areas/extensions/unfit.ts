import type { z } from 'zod'
import type { ExtensionProblem } from '../../../contract/areas/values/extension-problem.ts'
import type { Target } from '../../../extensions/catalogs/extension-catalog.ts'
import { isEnabled } from '../../../extensions/folder/jar-file.ts'
import { type Loads, loadsOf, asLoaded, type ScannedJar } from '../../../extensions/folder/loads.ts'
import { problemsOf } from '../../../extensions/problems/problems.ts'
import { nameOf } from '../../../extensions/installed/extension-jar.ts'
import type { ServerExtensions } from './server-extensions.ts'

type Problem = z.input<typeof ExtensionProblem>

export interface IncompatibleJar {
  path: string
  folder: Loads['folder']
  name: string
  version: string | null
  problems: Problem[]
}

/**
 * Enabled extensions that do not fit other software or another version, by name. Existing problems are left out,
 * except the version, which the person changing it must know. Throws file refusals.
 */
export async function unfitFor(of: ServerExtensions, to: Target): Promise<IncompatibleJar[]> {
  const unfit: IncompatibleJar[] = []
  for (const folder of ['plugins', 'mods'] as const) {
    const jars = (await of.read(folder)).filter(({ jar }) => isEnabled(jar.path))
    const before = problemsAt(folder, jars, of.target)
    const loads = loadsOf(to)
    const after = problemsAt(folder, jars, to) ?? jars.map(ofOtherSoftware)
    for (const [at, { jar, known }] of jars.entries()) {
      const problems = after[at]!.filter((one) => one.kind === 'wrong-version' || !has(before?.[at], one))
      if (problems.length === 0) continue
      const facts = (loads && asLoaded({ jar, known }, loads).facts) ?? known.facts?.[0] ?? null
      const version = facts?.version ?? known.origin?.version ?? null
      unfit.push({ path: jar.path, folder, name: nameOf({ facts, jar }), version, problems })
    }
  }
  return unfit.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

function problemsAt(
  folder: Loads['folder'],
  jars: readonly ScannedJar[],
  target: Target,
): Problem[][] | null {
  const loads = loadsOf(target)
  if (loads?.folder !== folder) return null
  return problemsOf(
    jars.map((jar) => asLoaded(jar, loads)),
    target,
    // Another version may come with another Java.
    null,
  )
}

function ofOtherSoftware({ known }: ScannedJar): Problem[] {
  const format = known.facts?.[0]?.format
  return [{ kind: 'wrong-software', ...(format && { name: format }) }]
}

const has = (problems: readonly Problem[] | undefined, { kind, name, wants }: Problem): boolean =>
  problems?.some((one) => one.kind === kind && one.name === name && one.wants === wants) ?? false
