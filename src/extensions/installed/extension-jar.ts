import type { z } from 'zod'
import type { Extension } from '../../contract/areas/extensions.ts'
import type { Target } from '../catalogs/extension-catalog.ts'
import { idsOf, sharedId } from '../folder/ids.ts'
import { byName, fileNameOf, type JarFile } from '../folder/jar-file.ts'
import type { KnownJar } from '../folder/known-jar.ts'
import { asLoaded, kindOfFormat, type Loads, type ScannedJar } from '../folder/loads.ts'
import type { Facts } from '../jars/facts.ts'
import { asksForJava, type ServerJava } from '../problems/java-problem.ts'
import { problemsOf } from '../problems/problems.ts'

/** Installed, or pending until the next start. */
export interface ExtensionJar {
  id: string
  jar: JarFile
  enabled: boolean
  pinned: boolean
  /** As this server's software sees it; null without a description. */
  facts: Facts | null
  known: KnownJar
  problems: ReturnType<typeof problemsOf>[number]
}

/** What the catalogs are asked about, wherever the server runs. */
export interface InstalledExtensions {
  target: Target
  list(): Promise<ExtensionJar[]>
  /** Computes hashes that lack. */
  hash(installed: readonly ExtensionJar[], signal: AbortSignal): Promise<void>
  know(mark: string, more: Partial<KnownJar>): void
  saveKnown(present: ReadonlySet<string>): void
}

interface ServerPorts {
  target: Target
  loads: Loads
  pinned: readonly string[]
  /** Null: unknown, not judged. */
  java: () => Promise<ServerJava | null>
}

/** By name. */
export async function extensionsOf(
  jars: readonly ScannedJar[],
  { target, loads, pinned, java }: ServerPorts,
): Promise<ExtensionJar[]> {
  const judged = jars.map((one) => asLoaded(one, loads))
  const own = judged.some(({ facts }) => asksForJava(facts)) ? await java() : null
  const problems = problemsOf(judged, target, own)
  const ids = idsOf(judged, loads.kind)
  return judged
    .map(({ jar, known, facts, enabled }, at) => {
      const id = ids[at]!
      const isPinned = pinned.includes(id) || pinned.includes(sharedId(id))
      return { id, jar, known, facts, enabled, pinned: isPinned, problems: problems[at]! }
    })
    .sort(byName(nameOf))
}

export const nameOf = ({ facts, jar }: Pick<ExtensionJar, 'facts' | 'jar'>): string =>
  facts?.name ?? fileNameOf(jar)

export const versionOf = ({ facts, known }: Pick<ExtensionJar, 'facts' | 'known'>): string | null =>
  facts?.version ?? known.origin?.version ?? null

/** As the contract has it. */
export function extensionView(one: ExtensionJar): z.input<typeof Extension> {
  const { id, jar, enabled, pinned, facts, known, problems } = one
  const catalog = known.origin?.project.split(':')[0]
  return {
    id,
    name: nameOf(one),
    version: versionOf(one),
    file: jar.path,
    enabled,
    kind: facts ? kindOfFormat(facts.format) : null,
    description: facts?.description ?? null,
    authors: facts?.authors ?? [],
    size: jar.size,
    pinned,
    project: known.origin && {
      id: known.origin.project,
      ...(catalog !== undefined && { catalog }),
      url: known.origin.page ?? null,
    },
    update: known.update,
    problems,
    waits: jar.waits,
  }
}
