import { z } from 'zod'
import { Refusal } from '../../../../host/refusal.ts'
import type { Catalog, Version } from '../../catalog.ts'
import type { CatalogClient } from '../../../../extensions/requests/catalog-client.ts'
import { javaByTable } from '../minecraft-java.ts'
import {
  BuildNumber,
  changesOf,
  Commits,
  fileName,
  hex,
  Id,
  isoOf,
  listOf,
  safeFileUrl,
  Size,
} from '../../../../extensions/requests/shapes.ts'
import { channelOf, kindCatalog, newestFirst, reader } from './kind-catalog.ts'
import type { Mojang } from './mojang.ts'

type FillId = 'paper' | 'folia' | 'velocity'

interface FillProject {
  name: string
  javaOf: (version: string) => number
  /** All Velocity versions are called `-SNAPSHOT`; only builds have a channel. */
  snapshotsAreReleases: boolean
}

const PROJECTS: Record<FillId, FillProject> = {
  paper: { name: 'Paper', javaOf: javaByTable, snapshotsAreReleases: false },
  folia: { name: 'Folia', javaOf: javaByTable, snapshotsAreReleases: false },
  velocity: { name: 'Velocity', javaOf: () => 21, snapshotsAreReleases: true },
}

const LOOKED_AT = 4

const Versions = z.object({
  versions: listOf(
    z.object({
      version: z.object({
        id: Id,
        support: z.object({ status: z.string() }).nullish().catch(null),
        java: z
          .object({ version: z.object({ minimum: z.int().min(6).max(999) }) })
          .nullish()
          .catch(null),
      }),
    }),
  ),
})

const Builds = listOf(
  z.object({
    id: BuildNumber,
    time: z.string().nullish().catch(null),
    channel: z.string(),
    commits: Commits,
    downloads: z.object({
      'server:default': z.object({
        name: z.string(),
        checksums: z.object({ sha256: hex('sha256') }),
        size: Size,
        url: z.string(),
      }),
    }),
  }),
)

const isStable = (channel: string) => channel === 'STABLE' || channel === 'RECOMMENDED'

/** PaperMC's API. */
export function fill(client: CatalogClient, address: string, id: FillId, mojang: Mojang): Catalog {
  const { name, javaOf, snapshotsAreReleases } = PROJECTS[id]
  const read = reader(client, 'PaperMC', `${address}/v3/projects/${id}/versions`)
  const listed = async (signal: AbortSignal) =>
    (await read('', Versions, signal)).versions.map(({ version }) => version)
  const builds = async (version: string, signal: AbortSignal) =>
    (await read(`/${encodeURIComponent(version)}/builds`, Builds, signal))
      .map(({ id, time, channel, commits, downloads }) => ({
        id,
        channel: isStable(channel) ? ('release' as const) : ('experimental' as const),
        releasedAt: isoOf(time),
        ...changesOf(commits, 'message'),
        file: downloads['server:default'],
      }))
      .sort((a, b) => Number(b.id) - Number(a.id))
  /** Null if the check fails, which must not hide the list. */
  const hasStable = async (version: string, signal: AbortSignal): Promise<boolean | null> => {
    try {
      return (await builds(version, signal)).some(({ channel }) => channel === 'release')
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }
  return kindCatalog(
    {
      name,
      listed,
      builds,
      async versions(signal) {
        const all = await listed(signal)
        const versions: Version[] = all
          .map(({ id }) => ({
            id,
            channel: channelOf(snapshotsAreReleases ? id.replace(/-SNAPSHOT$/, '') : id),
          }))
          .sort(newestFirst)
        const dropped = new Set(
          all.flatMap(({ id, support }) => (support?.status === 'UNSUPPORTED' ? [id] : [])),
        )
        const releases = versions.filter(({ channel }) => channel === 'release')
        const hasSupport = releases.filter(({ id }) => !dropped.has(id))
        const looked = hasSupport.length > 0 ? hasSupport.slice(0, LOOKED_AT) : releases.slice(0, 1)
        for (const version of looked) {
          const stable = await hasStable(version.id, signal)
          if (stable === null) break
          if (stable) {
            version.recommended = true
            break
          }
          version.channel = 'experimental'
        }
        return versions
      },
      async release(version, { file }, signal) {
        const known = (await listed(signal)).find((one) => one.id === version)
        return {
          java: { major: known?.java?.version.minimum ?? javaOf(version), exact: false },
          file: {
            url: safeFileUrl(file.url, address, 'PaperMC'),
            name: fileName(file.name),
            size: file.size,
            checksum: file.checksums.sha256,
          },
        }
      },
    },
    mojang,
  )
}
