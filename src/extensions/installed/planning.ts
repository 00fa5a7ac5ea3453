import type { z } from 'zod'
import type { extensions } from '../../contract/areas/extensions.ts'
import type { ExtensionCatalogs } from '../catalogs/extension-catalogs.ts'
import type { CatalogVersion, Target } from '../catalogs/extension-catalog.ts'
import * as refusals from '../folder/refusals.ts'
import { planChanges } from '../plan/plan-changes.ts'
import type {
  BulkUpdate,
  InstalledExtension,
  Plan,
  PlanCatalogs,
  PlanGoal,
  WantedItem,
} from '../plan/plan.ts'
import { type ExtensionJar, type InstalledExtensions, nameOf } from './extension-jar.ts'
import { askCatalogs, type CatalogPorts } from './updates.ts'

export interface InstallTarget {
  version: CatalogVersion
  extensionId: string | null
}

export type PlanTarget = readonly WantedItem[] | Pick<BulkUpdate, 'except' | 'versions'>

/** Throws 422 unless it is either one extension or all. */
export function wantedOf({
  project,
  versionId,
  update,
  except = '',
  versions = '',
}: z.output<(typeof extensions.plan)['query']>): PlanTarget {
  if ((project === undefined) === (update === undefined)) throw refusals.oneWish()
  if (project !== undefined) return [{ project, versionId }]
  const listOf = (text: string) => text.split(',').filter((one) => one !== '')
  return { except: new Set(listOf(except)), versions: listOf(versions) }
}

/** Also lists unreachable catalogs. Throws 503 `extensions.no-catalog`. */
export async function planFor(
  of: InstalledExtensions,
  ports: CatalogPorts,
  wanted: PlanTarget,
  signal: AbortSignal,
): Promise<{ plan: Plan; unreached: string[] }> {
  const { all, unreached } = await askCatalogs(of, ports, signal)
  const installed = (await of.list()).map(installedView)
  const states = new Map(all.map((one) => [one.installed.id, one]))
  const wish: PlanGoal =
    'except' in wanted
      ? { kind: 'update all', states, ...wanted }
      : { kind: 'install', items: wanted, states }
  const catalogs = planCatalogs(ports.catalogs!.catalogs, of.target, signal)
  return { plan: await planChanges(wish, installed, catalogs), unreached }
}

/** Throws 409 `extensions.cannot`, `extensions.nothing-new`. */
export async function chosenFor(
  of: InstalledExtensions,
  ports: CatalogPorts,
  wanted: PlanTarget,
  signal: AbortSignal,
): Promise<InstallTarget[]> {
  const { plan } = await planFor(of, ports, wanted, signal)
  // Missing dependencies were shown in the plan; requested items are all or nothing.
  const missing = plan.steps.filter(({ change }) => change.action === 'cannot' && !change.neededBy)
  if (missing.length > 0) throw refusals.cannot(missing.map(({ change }) => change.name))
  const chosen = plan.steps.flatMap(({ change, version }) =>
    version ? [{ version, extensionId: change.extensionId ?? null }] : [],
  )
  if (chosen.length === 0) throw refusals.nothingNew()
  return chosen
}

const installedView = (one: ExtensionJar): InstalledExtension => ({
  id: one.id,
  name: nameOf(one),
  provides: one.facts ? [one.facts.id, ...one.facts.provides] : [],
  version: one.facts?.version ?? null,
  project: one.known.origin?.project ?? null,
  versionId: one.known.origin?.versionId ?? null,
  pinned: one.pinned,
  enabled: one.enabled,
})

const planCatalogs = (
  catalogs: Pick<ExtensionCatalogs, 'of' | 'lookAhead'>,
  target: Target,
  signal: AbortSignal,
): PlanCatalogs => ({
  versions: async (project) => catalogs.of(project).versions(project, target, signal),
  version: async (id) => catalogs.of(id).version(id, signal),
  lookAhead: (wanted) => catalogs.lookAhead(wanted, signal),
  nameOf: async (project) => (await catalogs.of(project).details(project, target, signal)).name,
})
