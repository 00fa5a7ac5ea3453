import { z } from 'zod'
import type { Catalog } from '../../catalog.ts'
import type { CatalogClient } from '../../../../extensions/requests/catalog-client.ts'
import {
  BuildNumber,
  changesOf,
  Commits,
  fileName,
  hex,
  Id,
  isoOf,
  listOf,
} from '../../../../extensions/requests/shapes.ts'
import { kindCatalog, reader, versionsByNumber } from './kind-catalog.ts'
import type { Mojang } from './mojang.ts'

const Versions = z.object({
  metadata: z.object({ current: z.string() }).nullish().catch(null),
  versions: listOf(Id),
})

const Builds = z.object({
  builds: z.object({
    all: listOf(
      z.object({
        build: BuildNumber,
        md5: hex('md5'),
        // Failed builds have no file.
        result: z.literal('SUCCESS').nullish(),
        timestamp: z.number().nullish().catch(null),
        commits: Commits,
      }),
    ),
  }),
})

/** Its catalog has MD5 checksums and no sizes. */
export function purpur(client: CatalogClient, address: string, mojang: Mojang): Catalog {
  const name = 'Purpur'
  const base = `${address}/v2/purpur`
  const read = reader(client, name, base)
  return kindCatalog(
    {
      name,
      async versions(signal) {
        const { versions, metadata } = await read('', Versions, signal)
        return versionsByNumber(versions, ({ id }) => id === metadata?.current)
      },
      async builds(version, signal) {
        const { builds } = await read(`/${encodeURIComponent(version)}?detailed=true`, Builds, signal)
        return builds.all
          .map(({ build, md5, timestamp, commits }) => ({
            id: build,
            channel: 'release' as const,
            releasedAt: isoOf(timestamp),
            ...changesOf(commits, 'description'),
            checksum: md5,
          }))
          .sort((a, b) => Number(b.id) - Number(a.id))
      },
      release: async (version, { id, checksum }) => ({
        file: {
          url: `${base}/${encodeURIComponent(version)}/${id}/download`,
          name: fileName(`purpur-${version}-${id}.jar`),
          size: null,
          checksum,
        },
      }),
    },
    mojang,
  )
}
