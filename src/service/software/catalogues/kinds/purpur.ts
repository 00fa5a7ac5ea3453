import { z } from 'zod'
import type { Build, Catalogue, Checksum, Release, Version } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { chosenBuild, versionNotKnown } from './choice.ts'
import type { Mojang } from './mojang.ts'
import {
  BuildNumber,
  changesOf,
  moreChanges,
  Commits,
  messagesOf,
  fileName,
  hex,
  Id,
  isoOf,
  json,
  listOf,
} from '../shapes.ts'
import { channelOf, newestFirst } from '../version-order.ts'

const NAME = 'Purpur'

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

/** Its catalogue has MD5 checksums and no sizes. */
export class Purpur implements Catalogue {
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #mojang: Mojang

  constructor(client: CatalogueClient, base: string, mojang: Mojang) {
    this.#client = client
    this.#base = `${base}/v2/purpur`
    this.#mojang = mojang
  }

  async versions(signal: AbortSignal): Promise<Version[]> {
    const parse = json(Versions)
    const listed = await this.#client.get({ url: this.#base, name: NAME, parse }, signal)
    const versions: Version[] = listed.versions
      .map((id) => ({ id, channel: channelOf(id) }))
      .sort(newestFirst)
    const current = versions.find(({ id }) => id === listed.metadata?.current)
    const newest = current ?? versions.find(({ channel }) => channel === 'release')
    if (newest) newest.recommended = true
    return versions
  }

  async builds(version: string, signal: AbortSignal): Promise<Build[]> {
    return (await this.#builds(version, signal)).map(({ checksum: _, ...build }) => build)
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    const { id, checksum } = chosenBuild(await this.#builds(version, signal), build, NAME, version)
    return {
      version,
      build: id,
      java: { major: await this.#mojang.javaOf(version, signal), exact: false },
      file: {
        url: `${this.#base}/${encodeURIComponent(version)}/${id}/download`,
        name: fileName(`purpur-${version}-${id}.jar`),
        size: null,
        checksum,
      },
      form: 'jar',
    }
  }

  async #builds(version: string, signal: AbortSignal): Promise<(Build & { checksum: Checksum })[]> {
    if (!(await this.versions(signal)).some(({ id }) => id === version)) throw versionNotKnown(NAME)
    const url = `${this.#base}/${encodeURIComponent(version)}?detailed=true`
    const { builds } = await this.#client.get({ url, name: NAME, parse: json(Builds) }, signal)
    return builds.all
      .map(({ build, md5, timestamp, commits }) => ({
        id: build,
        channel: 'release' as const,
        releasedAt: isoOf(timestamp),
        changes: changesOf(messagesOf(commits, 'description')),
        ...moreChanges(commits),
        checksum: md5,
      }))
      .sort((a, b) => Number(b.id) - Number(a.id))
  }
}
