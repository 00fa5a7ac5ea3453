import { refusal, type Refusal } from '../../host/refusal.ts'
import type { CatalogEntry, Runtime } from '../runtime/types.ts'

interface Fields {
  id: string
  version: string
}

/** Throws 422. */
export async function chosenSoftware(
  runtime: Pick<Runtime, 'catalog' | 'versions'>,
  software: { id: string; version: string },
  fields: Fields,
): Promise<CatalogEntry> {
  const entry = runtime.catalog().find(({ id }) => id === software.id)
  if (!entry) throw refusal(422, 'software.not-known').at(fields.id)
  const versions = await runtime.versions(software.id)
  if (!versions.some(({ id }) => id === software.version))
    throw refusal(422, 'software.version-not-known', { software: entry.name }).at(fields.version)
  return entry
}

/** Throws 422. @param field name in the request */
export async function requireBuild(
  runtime: Pick<Runtime, 'software'>,
  { id, version, build }: { id: string; version: string; build?: string | undefined },
  field: string,
  signal: AbortSignal,
): Promise<void> {
  if (build === undefined) return
  const builds = (await runtime.software(id)?.builds?.(version, signal)) ?? []
  if (builds.some((one) => one.id === build)) return
  throw refusal(422, 'software.build-not-known.here').at(field)
}

export function licenseNeeded({ name, url }: NonNullable<CatalogEntry['license']>): Refusal {
  return refusal(422, 'software.license', { license: name, url }).at('acceptLicense')
}
