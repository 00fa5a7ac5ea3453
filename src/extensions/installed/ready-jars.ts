import type { Target } from '../catalogs/extension-catalog.ts'
import type { Items } from '../folder/change.ts'
import { fileNameOf, type JarFile } from '../folder/jar-file.ts'
import { type Loads, loadsOf } from '../folder/loads.ts'
import * as refusals from '../folder/refusals.ts'
import { inServer, staged, type Step, trashed } from '../folder/step.ts'
import { itemOf } from '../folder/undo.ts'
import type { Facts } from '../jars/facts.ts'
import { type ExtensionJar, versionOf } from './extension-jar.ts'

export interface ReadyJar {
  staged: string
  mark: string
  size: number
  facts: readonly Facts[]
  fileName: string
  name: string
  version: string | null
  /** Id of the extension it replaces, if known. */
  extensionId: string | null
  /** Null: uploaded. */
  project: string | null
}

/** Each jar replaces the same extension, whatever its file name, or is added. */
export function stepsFor(
  place: { target: Target; newTrash(): () => string },
  ready: readonly ReadyJar[],
  before: readonly ExtensionJar[],
  jars: ReadonlyMap<string, JarFile>,
): { items: Items; steps: Step[] } {
  const loads = loadsOf(place.target)
  if (!loads) throw refusals.notSupported()
  const outs: Step[] = []
  const ins: Step[] = []
  const items: Items = []
  const newTrash = place.newTrash()
  const taken = new Set([...jars.keys()].map((path) => path.toLowerCase()))
  const gone = new Set<string>()
  for (const [item, one] of ready.entries()) {
    const facts =
      loads.formats.flatMap((of) => one.facts.find(({ format }) => format === of) ?? [])[0] ?? null
    const replaced = before.filter(
      (there) =>
        jars.get(there.jar.path)?.mark === there.jar.mark &&
        !gone.has(there.jar.path) &&
        isReplaced(there, one, facts, loads),
    )
    for (const { jar } of replaced) {
      const { path, mark, size } = jar
      outs.push({ from: inServer(path), to: trashed(newTrash()), mark, size, item })
      gone.add(path)
      taken.delete(path.toLowerCase())
    }
    const ending = replaced.length > 0 && replaced.every(({ enabled }) => !enabled) ? '.disabled' : ''
    const path = freePath(`${loads.folder}/${usable(one.fileName)}`, ending, taken)
    taken.add(path.toLowerCase())
    const { mark, size } = one
    ins.push({ from: staged(one.staged), to: inServer(path), mark, size, item })
    const [old] = replaced
    const from = old ? versionOf(old) : null
    const said = facts ?? one.facts[0]
    const to = one.version ?? said?.version ?? null
    items.push(itemOf(said?.name ?? one.name, from, to, old ? 'replaced' : 'added'))
  }
  return { items, steps: [...outs, ...ins] }
}

function isReplaced(there: ExtensionJar, one: ReadyJar, facts: Facts | null, loads: Loads): boolean {
  if (there.id === one.extensionId) return true
  if (one.project === null && there.facts === null) {
    // Undescribed or broken jars are matched by file name.
    return fileNameOf(there.jar).toLowerCase() === usable(one.fileName).toLowerCase()
  }
  if (one.project !== null && there.known.origin?.project === one.project) return true
  return facts !== null && there.facts !== null && isSame(facts, there.facts, loads)
}

/** A server does not load the same extension in two formats. */
const isSame = (one: Facts, other: Facts, { formats }: Loads): boolean =>
  formats.includes(other.format) && one.id.toLowerCase() === other.id.toLowerCase()

function usable(fileName: string): string {
  const name = fileName
    .replace(/\.jar$/i, '')
    // eslint-disable-next-line no-control-regex -- these are what must not be in one
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '_')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 120)
  return name === '' ? 'extension' : name
}

function freePath(path: string, ending: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const one = `${path}${number === 1 ? '' : ` (${number})`}.jar`
    if (!taken.has(one.toLowerCase()) && !taken.has(`${one}.disabled`.toLowerCase())) return one + ending
  }
}
