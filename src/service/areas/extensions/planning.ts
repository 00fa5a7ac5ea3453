import type { ExtensionsPorts } from './extensions.ts'
import type { InstallTarget } from './installs.ts'
import { planChanges } from '../../extensions/plan/plan-changes.ts'
import { planCatalogs } from '../../extensions/plan/plan-catalogs.ts'
import type {
  InstalledExtension,
  Plan,
  BulkUpdate,
  WantedItem,
  PlanGoal,
} from '../../extensions/plan/plan.ts'
import * as refusals from './folder/refusals.ts'
import { nameOf, type ExtensionJar, type ServerExtensions } from './server-extensions.ts'
import { askCatalogs } from './updates.ts'

export type PlanTarget = readonly WantedItem[] | Pick<BulkUpdate, 'except' | 'versions'>

/** Also lists unreachable catalogs. Throws 503 `extensions.no-catalog`. */
export async function planFor(
  of: ServerExtensions,
  ports: Pick<ExtensionsPorts, 'catalogs'>,
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
  of: ServerExtensions,
  ports: Pick<ExtensionsPorts, 'catalogs'>,
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
