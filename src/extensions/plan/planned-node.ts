import type { ExtensionProblem } from '../../contract/areas/values/extension-problem.ts'
import type { PlannedChange } from '../../contract/areas/extensions.ts'
import type { CatalogVersion } from '../catalogs/extension-catalog.ts'
import type { InstalledExtension, PlannedStep } from './plan.ts'

export interface PlannedNode {
  action: 'add' | 'update' | 'keep' | 'cannot'
  reason: PlannedChange['reason']
  name: string
  project: string | null
  installed: InstalledExtension | null
  /** The version after the plan; for kept ones the current one, if known. */
  version: CatalogVersion | null
  /** Requested, not just a dependency. */
  isAsked: boolean
  neededBy: Set<PlannedNode>
  needs: Set<PlannedNode>
  problems: ExtensionProblem[]
  current?: CatalogVersion | null
  offered?: CatalogVersion | null
}

export const isFetched = ({ action }: PlannedNode): boolean => action === 'add' || action === 'update'

export const kept = (
  installed: InstalledExtension,
  reason: PlannedChange['reason'],
  version: CatalogVersion | null,
  isAsked: boolean,
): PlannedNode => ({
  action: 'keep',
  reason,
  name: installed.name,
  project: installed.project,
  installed,
  version,
  isAsked,
  neededBy: new Set(),
  needs: new Set(),
  problems: [],
})

export const missing = (
  name: string,
  project: string | null,
  reason: PlannedChange['reason'],
  isAsked: boolean,
  version: CatalogVersion | null = null,
): PlannedNode => ({
  action: 'cannot',
  reason,
  name,
  project,
  installed: null,
  version,
  isAsked,
  neededBy: new Set(),
  needs: new Set(),
  problems: [],
})

/** Adds or updates an extension. Reports a file that must be downloaded by hand. */
export function broughtTo(
  version: CatalogVersion,
  installed: InstalledExtension | null,
  isAsked: boolean,
): PlannedNode {
  if (!version.file)
    return installed
      ? kept(installed, 'manual', version, isAsked)
      : missing(version.projectName, version.project, 'manual', isAsked, version)
  return {
    action: installed ? 'update' : 'add',
    reason: null,
    name: installed?.name ?? version.projectName,
    project: version.project,
    installed,
    version,
    isAsked,
    neededBy: new Set(),
    needs: new Set(),
    problems: [],
  }
}

export function stepOf(node: PlannedNode): PlannedStep {
  const { action, reason, name, project, installed, version, offered, isAsked, neededBy, problems } = node
  const fetched = isFetched(node)
  const isManual = reason === 'manual'
  const change: PlannedChange = {
    action,
    name,
    ...(project !== null && { project }),
    ...(fetched && { versionId: version!.id, size: version!.file!.size }),
    ...(installed && { extensionId: installed.id, from: installed.version }),
    ...((fetched || isManual) && { to: version!.name }),
    ...(offered && { to: offered.name, versionId: offered.id }),
    ...(!isAsked && { neededBy: [...new Set([...neededBy].map((one) => one.name))] }),
    ...(reason && { reason }),
    ...(isManual && { url: version!.url }),
    ...(problems.length > 0 && { problems }),
  }
  return { change, version: fetched ? version : null }
}
