import type { z } from 'zod'
import type { extensions } from '../../contract/areas/extensions.ts'
import type { Clock } from '../../host/clock.ts'
import type { CatalogVersion } from '../catalogs/extension-catalog.ts'
import type { ExtensionCatalogs } from '../catalogs/extension-catalogs.ts'
import type { Origin } from '../folder/known-jar.ts'
import * as refusals from '../folder/refusals.ts'
import type { ExtensionJar, InstalledExtensions } from './extension-jar.ts'

/** Null: none are asked. */
export interface CatalogPorts {
  catalogs: { catalogs: Pick<ExtensionCatalogs, 'of' | 'updates' | 'lookAhead'> } | null
}

export interface ExtensionVersions {
  installed: ExtensionJar
  current: CatalogVersion | null
  newest: CatalogVersion | null
}

/**
 * Looks up installed extensions and their updates; `extensions.list` shows them afterwards. Throws 503
 * `extensions.no-catalog`.
 */
export async function askCatalogs(
  of: InstalledExtensions,
  { catalogs }: CatalogPorts,
  signal: AbortSignal,
): Promise<{ all: ExtensionVersions[]; unreached: string[] }> {
  if (!catalogs) throw refusals.noCatalog()
  await of.hash(await of.list(), signal)
  const installed = await of.list()
  const files = installed.flatMap((one) => {
    const { hashes } = one.known
    return hashes ? [{ hashes, one }] : []
  })
  const { items, unreached } = await catalogs.catalogs.updates(files, of.target, signal)
  const found = new Map(items.map(({ file, current, newest }) => [file.one.id, { current, newest }]))
  for (const { file, current, newest } of items) {
    // Keep what was known if a catalog does not answer.
    if (!current) continue
    const update = newest && { versionId: newest.id, version: newest.name }
    of.know(file.one.jar.mark, { origin: originOf(current), update })
  }
  of.saveKnown(new Set(installed.map(({ jar }) => jar.mark)))
  return {
    all: installed.map((one) => ({
      installed: one,
      ...(found.get(one.id) ?? { current: null, newest: null }),
    })),
    unreached,
  }
}

export async function updatesOf(
  of: InstalledExtensions,
  ports: CatalogPorts & { clock: Pick<Clock, 'now'> },
  signal: AbortSignal,
): Promise<z.input<(typeof extensions.updates)['answer']['schema']>> {
  const { all, unreached } = await askCatalogs(of, ports, signal)
  const items = all.flatMap(({ installed: { id }, newest }) =>
    newest ? [{ id, update: { versionId: newest.id, version: newest.name } }] : [],
  )
  return { checkedAt: new Date(ports.clock.now()).toISOString(), items, unreached }
}

export const originOf = ({ project, id: versionId, name: version, page }: CatalogVersion): Origin => ({
  ...{ project, versionId, version, page: page ?? null },
})
