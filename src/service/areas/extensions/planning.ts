import type { ExtensionsPorts } from './extensions.ts'
import type { ToInstall } from './installs.ts'
import { planChanges } from './plan/plan-changes.ts'
import { planCatalogs } from './plan/plan-catalogs.ts'
import type { InstalledExtension, Plan, WantedItem } from './plan/plan.ts'
import * as refusals from './refusals.ts'
import { nameOf, type Installed, type ServerExtensions } from './server-extensions.ts'
import { askCatalogs } from './updates.ts'

/** What somebody wants; null: the newest of all that are installed. */
export type WantedItems = readonly WantedItem[] | null

/** What would be done for a wish, and which catalogs could not be asked. Throws 503 `extensions.no-catalog`. */
export async function planFor(
  of: ServerExtensions,
  ports: Pick<ExtensionsPorts, 'catalogs'>,
  items: WantedItems,
  signal: AbortSignal,
): Promise<{ plan: Plan; unreached: string[] }> {
  const { all, unreached } = await askCatalogs(of, ports, signal)
  const installed = (await of.list()).map(installedView)
  const states = new Map(all.map((one) => [one.installed.id, one]))
  const wish =
    items === null ? ({ kind: 'update all', states } as const) : ({ kind: 'install', items, states } as const)
  const catalogs = planCatalogs(ports.catalogs!.catalogs, of.target, signal)
  return { plan: await planChanges(wish, installed, catalogs), unreached }
}

/** What has to be fetched for a wish. Throws 409 `extensions.cannot`, `extensions.nothing-new`. */
export async function chosenFor(
  of: ServerExtensions,
  ports: Pick<ExtensionsPorts, 'catalogs'>,
  items: WantedItems,
  signal: AbortSignal,
): Promise<ToInstall[]> {
  const { plan } = await planFor(of, ports, items, signal)
  // What is only needed and cannot be had was shown in the plan; what was asked for comes as a whole or not at all.
  const missing = plan.steps.filter(({ change }) => change.action === 'cannot' && !change.neededBy)
  if (missing.length > 0) throw refusals.cannot(missing.map(({ change }) => change.name))
  const chosen = plan.steps.flatMap(({ change, version }) =>
    version ? [{ version, extensionId: change.extensionId ?? null }] : [],
  )
  if (chosen.length === 0) throw refusals.nothingNew()
  return chosen
}

const installedView = (one: Installed): InstalledExtension => ({
  id: one.id,
  name: nameOf(one),
  provides: one.facts ? [one.facts.id, ...one.facts.provides] : [],
  version: one.facts?.version ?? null,
  project: one.known.origin?.project ?? null,
  versionId: one.known.origin?.versionId ?? null,
  pinned: one.pinned,
  enabled: one.enabled,
})
