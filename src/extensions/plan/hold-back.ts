import type { ExtensionProblem } from '../../contract/areas/values/extension-problem.ts'
import { compareVersions } from '../../contract/rules/version-order.ts'
import type { CatalogVersion } from '../catalogs/extension-catalog.ts'
import { tellClashes } from './clashes.ts'
import type { InstalledNames } from './installed-names.ts'
import { isFetched, type PlannedNode } from './planned-node.ts'

/** `by` requires this version of another extension. */
export interface ExactRequirement {
  by: PlannedNode
  needed: PlannedNode
  version: CatalogVersion
}

export function judge(
  nodes: readonly PlannedNode[],
  exact: readonly ExactRequirement[],
  installed: InstalledNames,
): void {
  for (const node of nodes) if (node.action !== 'cannot' && node.reason !== 'held-back') node.problems = []
  tellClashes(nodes, installed)
  for (const node of nodes)
    for (const needed of node.needs)
      if (needed.action === 'cannot' || isOff(needed))
        node.problems.push({ kind: 'missing-dependency', name: needed.name })
  // A newer version will do too: authors name the latest of their time.
  for (const { by, needed, version } of exact)
    if (isFetched(by) && needed.action !== 'cannot' && isOlder(needed, version))
      by.problems.push({ kind: 'missing-dependency', name: needed.name, wants: version.name })
}

/** Keeps extensions whose update would add a problem, and drops dependencies only those need. Returns the rest. */
export function holdBack(
  nodes: readonly PlannedNode[],
  exact: readonly ExactRequirement[],
  installed: InstalledNames,
): PlannedNode[] {
  let left = [...nodes]
  // Each round holds back at least one more.
  for (;;) {
    judge(left, exact, installed)
    const held = left.flatMap((node) => {
      if (node.action !== 'update' || !node.isAsked) return []
      const problems = newProblems(node, left)
      return problems.length > 0 ? [{ node, problems }] : []
    })
    if (held.length === 0) return left
    for (const { node, problems } of held) {
      Object.assign(node, {
        action: 'keep',
        reason: 'held-back',
        offered: node.version,
        version: node.current,
      })
      node.problems = problems
      for (const needed of node.needs) needed.neededBy.delete(node)
      node.needs.clear()
    }
    left = withoutUnneeded(left)
  }
}

/** Problems of the update and its dependencies that don't exist now. */
function newProblems(node: PlannedNode, nodes: readonly PlannedNode[]): ExtensionProblem[] {
  const had = new Set(
    (node.current?.dependencies ?? []).flatMap(({ kind, project }) =>
      project === null ? [] : `${kind} ${project}`,
    ),
  )
  const found: ExtensionProblem[] = []
  const seen = new Set<PlannedNode>([node])
  const look = (one: PlannedNode) => {
    for (const needed of one.needs) {
      const isNew = one !== node || !had.has(`required ${needed.project}`)
      const tells = one.problems.filter(
        ({ kind, name }) => kind === 'missing-dependency' && name === needed.name,
      )
      if (isNew || tells.some(({ wants }) => wants)) found.push(...tells)
      if (isNew && needed.action === 'add' && !seen.has(needed)) {
        seen.add(needed)
        look(needed)
      }
    }
    const clashes = one.problems.filter(({ kind }) => kind === 'clash')
    found.push(...clashes.filter(({ name }) => one !== node || !clashedBefore(node, name, nodes)))
  }
  look(node)
  return found
}

/** Whether the current versions conflict already. */
function clashedBefore(node: PlannedNode, name: unknown, nodes: readonly PlannedNode[]): boolean {
  const refuses = (version: CatalogVersion | null | undefined, other: PlannedNode) =>
    version?.dependencies.some(
      ({ kind, project, versionId }) =>
        kind === 'incompatible' && versionId === null && project === other.project,
    ) ?? false
  return nodes.some(
    (other) =>
      other !== node &&
      other.name === name &&
      other.installed?.enabled === true &&
      (refuses(node.current, other) || refuses(other.current ?? other.version, node)),
  )
}

function withoutUnneeded(nodes: readonly PlannedNode[]): PlannedNode[] {
  let left = [...nodes]
  for (;;) {
    const needless = left.filter(({ isAsked, neededBy }) => !isAsked && neededBy.size === 0)
    if (needless.length === 0) return left
    for (const node of needless) for (const needed of node.needs) needed.neededBy.delete(node)
    left = left.filter((node) => !needless.includes(node))
  }
}

const isOff = (node: PlannedNode): boolean => !isFetched(node) && node.installed?.enabled === false

/** Whether the planned version is certainly older, by date or else by number. */
function isOlder(node: PlannedNode, { releasedAt, name }: CatalogVersion): boolean {
  const there = node.reason === 'manual' ? null : node.version
  if (there?.releasedAt && releasedAt) return Date.parse(there.releasedAt) < Date.parse(releasedAt)
  const has = there?.name ?? node.installed?.version ?? ''
  return /^\d/.test(has) && /^\d/.test(name) && compareVersions(has, name) < 0
}
