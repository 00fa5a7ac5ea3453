import { Refusal } from '../refusal.ts'
import type { CatalogueEntry, Runtime } from '../runtime/types.ts'

/** The fields of a request in which software and version stand. */
interface Fields {
  id: string
  version: string
}

/** The catalog's entry of what somebody chose. Throws 422 where there is no such software or version. */
export async function chosenSoftware(
  runtime: Pick<Runtime, 'catalogue' | 'versions'>,
  software: { id: string; version: string },
  fields: Fields,
): Promise<CatalogueEntry> {
  const entry = runtime.catalogue().find(({ id }) => id === software.id)
  if (!entry) {
    const message = 'This service does not offer this software. Choose one from its catalog.'
    throw new Refusal(422, 'software.not-known', message, { fields: { [fields.id]: [message] } })
  }
  const versions = await runtime.versions(software.id)
  if (!versions.some(({ id }) => id === software.version)) {
    const message = `This version of ${entry.name} is not offered. Choose one from the list.`
    throw new Refusal(422, 'software.version-not-known', message, { fields: { [fields.version]: [message] } })
  }
  return entry
}

/** Throws 422 where a build was chosen and the version has no such build. @param field where it stands in the request */
export async function requireBuild(
  runtime: Pick<Runtime, 'software'>,
  { id, version, build }: { id: string; version: string; build?: string | undefined },
  field: string,
  signal: AbortSignal,
): Promise<void> {
  if (build === undefined) return
  const builds = (await runtime.software(id)?.builds?.(version, signal)) ?? []
  if (builds.some((one) => one.id === build)) return
  const message = 'This version has no such build. Choose one from the list.'
  throw new Refusal(422, 'software.build-not-known', message, { fields: { [field]: [message] } })
}

/** What is said where a license has to be accepted first. */
export function licenseNeeded({ name, url }: NonNullable<CatalogueEntry['license']>): Refusal {
  const message = `To run this software, accept the ${name} first: ${url}`
  return new Refusal(422, 'software.license', message, { fields: { acceptLicense: [message] } })
}
