import type { z } from 'zod'
import { refusal, type Refusal } from '../../../../host/refusal.ts'
import type { Build, Catalog, Channel, Release, Version } from '../../catalog.ts'
import type { CatalogClient } from '../../../../extensions/requests/catalog-client.ts'
import { json } from '../../../../extensions/requests/shapes.ts'
import type { Mojang } from './mojang.ts'
import { compareVersions } from '../../../../contract/rules/version-order.ts'

/** What differs between the catalogs of server software. */
interface KindDescription<B extends Build> {
  name: string
  versions: (signal: AbortSignal) => Promise<Version[]>
  /** Default: `versions`. */
  listed?: (signal: AbortSignal) => Promise<{ id: string }[]>
  /** Of a listed version, newest first. */
  builds(version: string, signal: AbortSignal): Promise<B[]>
  /** Defaults: a jar, and the Java that Mojang names for the version. */
  release(
    version: string,
    build: B,
    signal: AbortSignal,
  ): Promise<Pick<Release, 'file'> & Partial<Pick<Release, 'form' | 'holds' | 'java'>>>
}

export function kindCatalog<B extends Build>(kind: KindDescription<B>, mojang: Mojang): Catalog {
  const buildsOf = async (version: string, signal: AbortSignal): Promise<B[]> => {
    const listed = await (kind.listed ?? kind.versions)(signal)
    if (!listed.some(({ id }) => id === version)) throw versionNotKnown(kind.name)
    return kind.builds(version, signal)
  }
  return {
    versions: kind.versions,
    builds: async (version, signal) =>
      (await buildsOf(version, signal)).map(({ id, channel, releasedAt, changes, moreChanges }) => ({
        ...{ id, channel, changes },
        ...(releasedAt !== undefined && { releasedAt }),
        ...(moreChanges !== undefined && { moreChanges }),
      })),
    async release(version, wanted, signal) {
      const build = chosenBuild(await buildsOf(version, signal), wanted, kind.name, version)
      const release = await kind.release(version, build, signal)
      const java = release.java ?? { major: await mojang.javaOf(version, signal), exact: false }
      return { version, build: build.id, form: 'jar', ...release, java }
    },
  }
}

/** Reads JSON below a base address. */
export const reader =
  (client: CatalogClient, name: string, base: string) =>
  <T extends z.ZodType>(path: string, schema: T, signal: AbortSignal): Promise<z.infer<T>> =>
    client.get({ url: base + path, name, parse: json(schema) }, signal)

export function versionNotKnown(software: string): Refusal {
  return refusal(422, 'software.version-not-known', { software }).at('software.version')
}

/** Default: the newest stable build, else the newest. @param builds newest first */
export function chosenBuild<B extends Build>(
  builds: readonly B[],
  wanted: string | null,
  software: string,
  version: string,
): B {
  const found =
    wanted === null
      ? (builds.find(({ channel }) => channel === 'release') ?? builds[0])
      : builds.find(({ id }) => id === wanted)
  if (found) return found
  if (wanted === null) throw refusal(422, 'software.no-build', { software, version }).at('software.version')
  throw refusal(422, 'software.build-not-known', { software, version, build: wanted }).at('software.build')
}

/** The marked build and older ones are releases, newer ones aren't. @param builds newest first */
export function channelsByMark<T>(
  builds: readonly T[],
  isMarked: (build: T) => boolean,
): ('release' | 'experimental')[] {
  const marked = builds.findIndex(isMarked)
  return builds.map((_, index) => (marked >= 0 && index >= marked ? 'release' : 'experimental'))
}

/** Newest first; recommends the preferred one, else the newest release. */
export function versionsByNumber(
  ids: Iterable<string>,
  isPreferred: (version: Version) => boolean = () => false,
  channel: (id: string) => Channel = channelOf,
): Version[] {
  const versions: Version[] = [...ids].map((id) => ({ id, channel: channel(id) })).sort(newestFirst)
  const recommended = versions.find(isPreferred) ?? versions.find((one) => one.channel === 'release')
  if (recommended) recommended.recommended = true
  return versions
}

export const newestFirst = (a: { id: string }, b: { id: string }): number => compareVersions(b.id, a.id)

export const channelOf = (id: string): Channel => (/^\d+(\.\d+)+$/.test(id) ? 'release' : 'snapshot')
