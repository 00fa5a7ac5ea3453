import { z } from 'zod'
import { hex, isoOf, listOf, Size } from '../requests/shapes.ts'
import { type CatalogVersion, type Dependency, nameOf } from './extension-catalog.ts'
import { remoteFile } from './places.ts'
import { UntrustedRecord, CountOrNull, line, lineOrNull, proseOrNull, some } from './tolerant.ts'

const Num = z.int().min(0).transform(String)
const Slug = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/)

export const HangarProject = z
  .object({
    id: Num.nullish().catch(null),
    name: line(120).pipe(z.string().min(1)),
    namespace: z.object({ owner: line(80), slug: Slug }),
    description: lineOrNull(500),
    stats: z.object({ downloads: CountOrNull }).nullish().catch(null),
    category: lineOrNull(40),
    createdAt: z.string().nullish().catch(null),
    lastUpdated: z.string().nullish().catch(null),
    avatarUrl: z.string().max(2000).nullish().catch(null),
    settings: z
      .object({
        tags: some(z.string().max(60), 20),
        license: z
          .object({ name: lineOrNull(120), type: lineOrNull(120) })
          .nullish()
          .catch(null),
      })
      .nullish()
      .catch(null),
  })
  // URLs accept both; only the number survives renaming.
  .transform((project) => ({ ...project, key: project.id ?? project.namespace.slug }))
export type HangarProject = z.output<typeof HangarProject>

const Pagination = z.object({ count: CountOrNull }).nullish().catch(null)

export const HangarProjects = z.object({ pagination: Pagination, result: listOf(HangarProject) })

const Download = z.object({
  fileInfo: z
    .object({ name: z.string().max(1000), sizeBytes: Size, sha256Hash: hex('sha256') })
    .nullish()
    .catch(null),
  externalUrl: z.string().max(2000).nullish().catch(null),
  downloadUrl: z.string().max(2000).nullish().catch(null),
})

const HangarDependency = z.object({
  name: lineOrNull(120),
  projectId: Num.nullish().catch(null),
  required: z.boolean().catch(false),
})

const PLATFORMS_MOST = 20

const byPlatform = <T extends z.ZodType>(item: T) =>
  UntrustedRecord.catch({}).transform((all) => {
    const known = Object.entries(all)
      .slice(0, PLATFORMS_MOST)
      .flatMap(([platform, one]): [string, z.output<T>][] => {
        const parsed = item.safeParse(one)
        return parsed.success ? [[platform, parsed.data]] : []
      })
    return new Map(known)
  })

export const HangarVersion = z.object({
  id: Num,
  projectId: Num.nullish().catch(null),
  name: line(120).pipe(z.string().min(1)),
  createdAt: z.string().nullish().catch(null),
  description: proseOrNull(20_000),
  channel: z
    .object({ name: z.string().max(60).catch(''), flags: some(z.string().max(40), 20) })
    .catch({ name: '', flags: [] }),
  downloads: byPlatform(Download),
  pluginDependencies: byPlatform(some(HangarDependency, 200)),
})
export type HangarVersion = z.output<typeof HangarVersion>

export const HangarVersions = z.object({ pagination: Pagination, result: listOf(HangarVersion) })

/** Authors name their channels freely. */
function channelOf({ channel: { name, flags } }: HangarVersion): CatalogVersion['channel'] {
  if (/snapshot|nightly|\bdev/i.test(name)) return 'snapshot'
  if (flags.includes('UNSTABLE') || /alpha|beta|\bpre|\brc\b|experimental/i.test(name)) return 'experimental'
  return 'release'
}

export const pageOf = ({ namespace: { owner, slug } }: HangarProject): string =>
  `https://hangar.papermc.io/${encodeURIComponent(owner)}/${slug}`

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol)

/** Hosts to download from; other files must be downloaded by hand. */
const FILE_HOSTS = ['hangarcdn.papermc.io']

/** Null: must be downloaded by hand. */
function fileOf(version: HangarVersion, platform: string, base: string): CatalogVersion['file'] {
  const { fileInfo, downloadUrl } = version.downloads.get(platform) ?? {}
  if (!fileInfo || !downloadUrl) return null
  const file = { name: fileInfo.name, size: fileInfo.sizeBytes, checksum: fileInfo.sha256Hash }
  return remoteFile({ url: downloadUrl, ...file }, { name: 'Hangar', hosts: FILE_HOSTS, base })
}

const dependencyOf = ({ name, projectId, required }: z.output<typeof HangarDependency>): Dependency => ({
  kind: required ? 'required' : 'optional',
  project: projectId ? nameOf('hangar', projectId) : null,
  versionId: null,
  name,
})

export function catalogVersionOf(
  version: HangarVersion,
  project: HangarProject,
  platform: string,
  base: string,
): CatalogVersion {
  const external = version.downloads.get(platform)?.externalUrl
  const page = `${pageOf(project)}/versions/${encodeURIComponent(version.name)}`
  return {
    project: nameOf('hangar', project.key),
    id: nameOf('hangar', version.id),
    projectName: project.name,
    page: pageOf(project),
    name: version.name,
    channel: channelOf(version),
    releasedAt: isoOf(version.createdAt) ?? null,
    changes: version.description,
    file: fileOf(version, platform, base),
    url: external && isWebAddress(external) ? external : page,
    dependencies: (version.pluginDependencies.get(platform) ?? []).map(dependencyOf),
  }
}

export function platformOfHash({ downloads }: HangarVersion, sha256: string): string | null {
  for (const [platform, { fileInfo }] of downloads) if (fileInfo?.sha256Hash.value === sha256) return platform
  return null
}
