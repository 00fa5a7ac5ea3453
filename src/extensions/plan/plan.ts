import type { PlannedChange } from '../../contract/areas/extensions.ts'
import type { CatalogVersion } from '../catalogs/extension-catalog.ts'

export interface InstalledExtension {
  id: string
  name: string
  /** Other ids it satisfies: those of its mods, and what it provides. */
  provides: readonly string[]
  version: string | null
  /** Null unless identified by its hash. */
  project: string | null
  versionId: string | null
  pinned: boolean
  enabled: boolean
}

export interface CatalogState {
  current: CatalogVersion | null
  newest: CatalogVersion | null
}

/** Without `versionId`: the newest that fits. */
export interface WantedItem {
  project: string
  versionId?: string | undefined
}

export type PlanGoal =
  { kind: 'install'; items: readonly WantedItem[]; states?: ReadonlyMap<string, CatalogState> } | BulkUpdate

export interface BulkUpdate {
  kind: 'update all'
  /** By id of the installed extension; absent: no catalog knows it. */
  states: ReadonlyMap<string, CatalogState>
  /** Ids of installed extensions to leave alone. */
  except: ReadonlySet<string>
  /** Versions preferred over the newest. */
  versions: readonly string[]
}

/** Look-ups for one server. Reject with Refusal. */
export interface PlanCatalogs {
  versions(project: string): Promise<CatalogVersion[]>
  version(id: string): Promise<CatalogVersion>
  /** Prefetches; never rejects with Refusal. */
  lookAhead(wanted: { projects: readonly string[]; versions: readonly string[] }): Promise<void>
  nameOf(project: string): Promise<string>
}

export interface PlannedStep {
  change: PlannedChange
  version: CatalogVersion | null
}

export interface Plan {
  steps: PlannedStep[]
  total: number
  unreached: string[]
}
