import type { PlannedChange } from '../../../contract/areas/extensions.ts'
import type { CatalogVersion } from '../catalogs/extension-catalog.ts'

/** What is installed, as far as a plan has to know it. */
export interface InstalledExtension {
  id: string
  name: string
  /** Other names under which it can be needed: ids of its mods, and what it provides. */
  provides: readonly string[]
  version: string | null
  /** Where it is known by its hash. */
  project: string | null
  versionId: string | null
  pinned: boolean
  enabled: boolean
}

/** What a catalog tells of an installed one. */
export interface CatalogState {
  current: CatalogVersion | null
  /** A newer version that fits. */
  newest: CatalogVersion | null
}

/** An extension that is wanted; without `versionId` in the newest version that fits. */
export interface WantedItem {
  project: string
  versionId?: string | undefined
}

/** What is wanted: some extensions, or the newest of all that are there. */
export type Wish =
  { kind: 'install'; items: readonly WantedItem[]; states?: ReadonlyMap<string, CatalogState> } | UpdateAll

export interface UpdateAll {
  kind: 'update all'
  /** By id of what is installed; absent: no catalog knows it. */
  states: ReadonlyMap<string, CatalogState>
  /** Ids of what is not to be updated this time. */
  except: ReadonlySet<string>
  /** Versions that are wanted rather than the newest. */
  versions: readonly string[]
}

/** Where a plan looks things up, for the server it is made for. Each rejects with Refusal where there is no answer. */
export interface PlanCatalogs {
  /** Those that fit, newest first. */
  versions(project: string): Promise<CatalogVersion[]>
  version(id: string): Promise<CatalogVersion>
  /** Learns of many at once what is asked for one by one afterwards. Never rejects with Refusal. */
  lookAhead(wanted: { projects: readonly string[]; versions: readonly string[] }): Promise<void>
  /** What a project is called of which no version fits. */
  nameOf(project: string): Promise<string>
}

/** A step of a plan, and what it takes to carry it out. */
export interface PlannedStep {
  change: PlannedChange
  /** What is fetched for `add` and `update`; null for all others. */
  version: CatalogVersion | null
}

export interface Plan {
  /** What is needed stands before what needs it. */
  steps: PlannedStep[]
  /** Bytes to download, as far as the catalogs tell them. */
  total: number
  /** Catalogs that could not be asked for some of what is needed. */
  unreached: string[]
}
