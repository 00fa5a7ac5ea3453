import type { InstalledNames } from './installed-names.ts'
import { isFetched, type PlannedNode } from './planned-node.ts'

/** Adds conflicts between fetched nodes and anything enabled or planned, in both directions. */
export function tellClashes(nodes: readonly PlannedNode[], installed: InstalledNames): void {
  const byProject = new Map<string, PlannedNode>()
  for (const node of nodes) if (node.project !== null && willRun(node)) byProject.set(node.project, node)
  for (const node of nodes) {
    if (!node.version || !willRun(node)) continue
    for (const { kind, project, versionId, name } of node.version.dependencies) {
      if (kind !== 'incompatible') continue
      const planned = project === null ? undefined : byProject.get(project)
      if (planned && planned !== node) {
        if (versionId === null || versionId === versionOf(planned)) tell(node, planned)
        continue
      }
      const there = installed.ofProject(project) ?? installed.named(project === null ? name : null)
      if (!there?.enabled || there === node.installed || !isFetched(node)) continue
      if (versionId === null || versionId === there.versionId) add(node, there.name)
    }
  }
}

/** Reports a conflict on the node that changes. */
function tell(node: PlannedNode, other: PlannedNode): void {
  if (isFetched(node)) add(node, other.name)
  else if (isFetched(other)) add(other, node.name)
}

function add({ problems }: PlannedNode, name: string): void {
  if (!problems.some((one) => one.kind === 'clash' && one.name === name))
    problems.push({ kind: 'clash', name })
}

const willRun = (node: PlannedNode): boolean =>
  isFetched(node) || (node.action === 'keep' && (node.installed?.enabled ?? false))

/** The version of a manual download is unknown, so the installed one counts. */
const versionOf = ({ reason, version, installed }: PlannedNode): string | null =>
  reason === 'manual' || !version ? (installed?.versionId ?? null) : version.id
