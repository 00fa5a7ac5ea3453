import { z } from 'zod'
import type { SearchOrder } from '../../contract/areas/extensions.ts'
import { hex, isoOf, listOf, Size } from '../requests/shapes.ts'
import type { RemoteFile } from '../requests/remote-file.ts'
import { type CatalogVersion, type Dependency, nameOf } from './extension-catalog.ts'
import { remoteFile } from './places.ts'
import { UntrustedRecord, CountOrNull, line, lineOrNull, proseOrNull, some } from './tolerant.ts'

const Key = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/)
const KeyOrNull = Key.nullish().catch(null)
const Title = line(120).pipe(z.string().min(1))

const File = z.object({
  hashes: z.object({
    sha512: hex('sha512').nullish().catch(null),
    sha1: hex('sha1').nullish().catch(null),
  }),
  url: z.string().max(2000),
  filename: z.string().max(1000),
  primary: z.boolean().catch(false),
  size: Size,
})

const ModrinthDependency = z.object({
  project_id: KeyOrNull,
  version_id: KeyOrNull,
  file_name: lineOrNull(200),
  dependency_type: z.enum(['required', 'optional', 'incompatible', 'embedded']),
})

export const ModrinthVersion = z.object({
  id: Key,
  project_id: Key,
  name: lineOrNull(120),
  version_number: lineOrNull(120),
  version_type: z.string().catch('release'),
  date_published: z.string().nullish().catch(null),
  changelog: proseOrNull(20_000),
  dependencies: some(ModrinthDependency, 200),
  files: some(File, 50),
})
export type ModrinthVersion = z.output<typeof ModrinthVersion>

export const ModrinthVersions = listOf(ModrinthVersion)

/** More than are ever requested at once. */
const HASHES_MOST = 1000

export const VersionsByHash = UntrustedRecord.transform((all) => {
  const known = Object.entries(all)
    .slice(0, HASHES_MOST)
    .flatMap(([hash, one]): [string, ModrinthVersion][] => {
      const parsed = ModrinthVersion.safeParse(one)
      return parsed.success ? [[hash.toLowerCase(), parsed.data]] : []
    })
  return new Map(known)
})

export const ModrinthProject = z.object({
  id: Key,
  title: Title,
  project_type: z.string().max(60).catch('plugin'),
  body: proseOrNull(100_000),
  license: z
    .object({ id: lineOrNull(80), name: lineOrNull(120) })
    .nullish()
    .catch(null),
  icon_url: z.string().max(2000).nullish().catch(null),
})
export type ModrinthProject = z.output<typeof ModrinthProject>

export const ModrinthTitles = listOf(
  z.object({
    id: Key,
    title: Title,
    icon_url: z.string().max(2000).nullish().catch(null),
    server_side: z.string().max(60).nullish().catch(null),
  }),
)

export const ModrinthHits = z.object({
  total_hits: CountOrNull,
  hits: listOf(
    z.object({
      project_id: Key,
      project_type: z.string().max(60).catch('plugin'),
      title: Title,
      author: lineOrNull(80),
      description: lineOrNull(500),
      categories: some(line(40), 30),
      downloads: CountOrNull,
      date_modified: z.string().nullish().catch(null),
      date_created: z.string().nullish().catch(null),
      icon_url: z.string().max(2000).nullish().catch(null),
      server_side: z.string().nullish().catch(null),
    }),
  ),
})

/** Without a query there is no relevance. */
export const indexOf = (query: string, sort: SearchOrder): string =>
  sort === 'relevance' && query.trim() === '' ? 'downloads' : sort

const CHANNELS: Record<string, CatalogVersion['channel']> = { beta: 'experimental', alpha: 'experimental' }

export const pageOf = (project: string, type = 'project'): string =>
  `https://modrinth.com/${/^[a-z]{1,20}$/.test(type) ? type : 'project'}/${project}`

const FILE_HOSTS = ['cdn.modrinth.com']

/** The primary file, else the first jar. Null if none can be downloaded safely. */
function fileOf({ files }: ModrinthVersion, base: string): RemoteFile | null {
  const file =
    files.find(({ primary }) => primary) ??
    files.find(({ filename }) => filename.endsWith('.jar')) ??
    files[0]
  const checksum = file?.hashes.sha512 ?? file?.hashes.sha1
  if (!file || !checksum) return null
  const { url, filename: name, size } = file
  return remoteFile({ url, name, size, checksum }, { name: 'Modrinth', hosts: FILE_HOSTS, base })
}

const dependencyOf = ({
  project_id,
  version_id,
  file_name,
  dependency_type,
}: z.output<typeof ModrinthDependency>): Dependency => ({
  kind: dependency_type,
  project: project_id ? nameOf('modrinth', project_id) : null,
  versionId: version_id ? nameOf('modrinth', version_id) : null,
  name: file_name,
})

/** @param title the project's; falls back to the version's name */
export function catalogVersionOf(
  version: ModrinthVersion,
  title: string | null,
  base: string,
): CatalogVersion {
  const { id, project_id, version_number, changelog } = version
  const name = version_number ?? version.name ?? id
  return {
    project: nameOf('modrinth', project_id),
    id: nameOf('modrinth', id),
    page: pageOf(project_id),
    projectName: title ?? version.name ?? name,
    name,
    channel: CHANNELS[version.version_type] ?? 'release',
    releasedAt: isoOf(version.date_published) ?? null,
    changes: changelog,
    file: fileOf(version, base),
    url: `${pageOf(project_id)}/version/${id}`,
    dependencies: version.dependencies.map(dependencyOf),
  }
}
