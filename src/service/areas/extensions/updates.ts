import type { z } from 'zod'
import type { extensions } from '../../../contract/areas/extensions.ts'
import { isoTime } from '../../clock.ts'
import type { CatalogVersion, ExtensionCatalog } from './catalogs/extension-catalog.ts'
import type { ExtensionsPorts } from './extensions.ts'
import * as refusals from './refusals.ts'
import type { Installed, ServerExtensions } from './server-extensions.ts'

/** Projects that are asked for at once. */
const AT_ONCE = 4

export type Updates = z.input<(typeof extensions.updates)['answer']['schema']>

/** Asks the catalogs what is installed, and which newer versions of it there are; `extensions.list` knows it from then on. */
export async function updatesOf(
  of: ServerExtensions,
  { catalogs, clock }: Pick<ExtensionsPorts, 'catalogs' | 'clock'>,
  signal: AbortSignal,
): Promise<Updates> {
  if (!catalogs) throw refusals.noCatalog()
  const installed = await of.list()
  const unreached = await identify(of, installed, catalogs.all, signal)
  const items: NonNullable<Updates['items']> = []
  const known = (await of.list()).filter((one) => one.known.origin)
  const ask = async () => {
    for (let one = known.shift(); one; one = known.shift()) {
      const { origin } = one.known
      const catalog = catalogs.all.find(({ id }) => origin?.project.startsWith(`${id}:`))
      if (!origin || !catalog || unreached.has(catalog.id)) continue
      try {
        const newest = newerOf(await catalog.versions(origin.project, of.target, signal), origin.versionId)
        const update = newest && { versionId: newest.id, version: newest.name }
        of.know(one.jar.mark, { update })
        if (update) items.push({ id: one.id, update })
      } catch (error) {
        signal.throwIfAborted()
        if (isOfCatalog(error)) unreached.add(catalog.id)
        else throw error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  of.work.saveKnown(new Set(installed.map(({ jar }) => jar.mark)))
  return { checkedAt: isoTime(clock.now()), items, unreached: [...unreached] }
}

/** Learns from the catalogs what the files are that nobody knew yet. Answers which of them did not answer. */
export async function identify(
  of: ServerExtensions,
  installed: readonly Installed[],
  catalogs: readonly ExtensionCatalog[],
  signal: AbortSignal,
): Promise<Set<string>> {
  await of.hash(installed, signal)
  const unreached = new Set<string>()
  for (const catalog of catalogs) {
    const unknown = installed.flatMap(({ jar }) => {
      const { hashes, origin } = of.work.known.get(jar.mark) ?? {}
      return hashes && !origin ? [{ mark: jar.mark, hashes }] : []
    })
    if (unknown.length === 0) break
    try {
      const found = await catalog.identify(
        unknown.map(({ hashes }) => hashes),
        signal,
      )
      for (const [at, version] of found.entries()) {
        const mark = unknown[at]?.mark
        if (!version || mark === undefined) continue
        of.know(mark, { origin: { project: version.project, versionId: version.id, version: version.name } })
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!isOfCatalog(error)) throw error
      unreached.add(catalog.id)
    }
  }
  return unreached
}

/** The newest that is at least as trustworthy as what is there; null where that is the newest. */
export function newerOf(versions: readonly CatalogVersion[], versionId: string): CatalogVersion | null {
  const own = versions.findIndex(({ id }) => id === versionId)
  const channels = ['release', 'snapshot', 'experimental']
  const least = own < 0 ? 0 : channels.indexOf(versions[own]!.channel)
  const newer = (own < 0 ? versions : versions.slice(0, own)).find(
    ({ channel }) => channels.indexOf(channel) <= least,
  )
  return newer ?? null
}

/** A catalog that cannot be asked, and not a mistake of ours. */
const isOfCatalog = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && [502, 503].includes(Number(error.status))
