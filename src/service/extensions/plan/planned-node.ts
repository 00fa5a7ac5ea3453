import type { ExtensionProblem } from '../../../contract/areas/values/extension-problem.ts'
import type { PlannedChange } from '../../../contract/areas/extensions.ts'
import type { CatalogVersion } from '../catalogs/extension-catalog.ts'
import type { InstalledExtension, PlannedStep } from './plan.ts'

/** What a plan does with one extension. */
export interface PlannedNode {
  action: 'add' | 'update' | 'keep' | 'cannot'
  reason: PlannedChange['reason']
  name: string
  project: string | null
  installed: InstalledExtension | null
  /** What it will be; of what is kept, what it is, where that is known. */
  version: CatalogVersion | null
  /** It was asked for, and is not only needed. */
  isAsked: boolean
  neededBy: Set<PlannedNode>
  needs: Set<PlannedNode>
  problems: ExtensionProblem[]
  /** What it is now, where its catalog told that. */
  current?: CatalogVersion | null
  /** What it would be, and is not updated to. */
  offered?: CatalogVersion | null
}

export const isFetched = ({ action }: PlannedNode): boolean => action === 'add' || action === 'update'

/** A node of what is installed and stays as it is. */
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

/** A node of what cannot be had. */
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

/**
 * A node that brings an extension to a version: added, or in place of what is installed. Where its file is to be had by hand
 * alone it says so.
 */
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

/** A node as the contract tells it. */
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
