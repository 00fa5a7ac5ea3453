import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'
import type { Build, Catalogue, Channel, Release, RemoteFile, Version } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { chosenBuild, versionNotKnown } from './choice.ts'
import { javaByTable } from '../minecraft-java.ts'
import {
  Commits,
  messagesOf,
  BuildNumber,
  changesOf,
  moreChanges,
  fileName,
  hex,
  Id,
  isoOf,
  json,
  listOf,
  safeFileUrl,
  Size,
} from '../shapes.ts'
import { channelOf, newestFirst } from '../version-order.ts'

export interface FillProject {
  id: 'paper' | 'folia' | 'velocity'
  name: string
  javaOf: (version: string) => number
  /** All Velocity versions are called `-SNAPSHOT`; only builds have a channel. */
  snapshotsAreReleases: boolean
}

export const FILL_PROJECTS: Record<FillProject['id'], FillProject> = {
  paper: { id: 'paper', name: 'Paper', javaOf: javaByTable, snapshotsAreReleases: false },
  folia: { id: 'folia', name: 'Folia', javaOf: javaByTable, snapshotsAreReleases: false },
  velocity: { id: 'velocity', name: 'Velocity', javaOf: () => 21, snapshotsAreReleases: true },
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

type FillBuild = Build & { file: z.infer<typeof Builds>[number]['downloads']['server:default'] }

const isStable = (channel: string) => channel === 'STABLE' || channel === 'RECOMMENDED'

export class Fill implements Catalogue {
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #project: FillProject

  constructor(client: CatalogueClient, base: string, project: FillProject) {
    this.#client = client
    this.#base = base
    this.#project = project
  }

  async versions(signal: AbortSignal): Promise<Version[]> {
    const listed = await this.#versions(signal)
    const versions: Version[] = listed
      .map(({ id }) => ({ id, channel: this.#channelOf(id) }))
      .sort(newestFirst)
    const dropped = new Set(
      listed.flatMap(({ id, support }) => (support?.status === 'UNSUPPORTED' ? [id] : [])),
    )
    const releases = versions.filter(({ channel }) => channel === 'release')
    const [first] = releases
    const hasSupport = releases.filter(({ id }) => !dropped.has(id))
    for (const version of (hasSupport.length > 0 ? hasSupport : first ? [first] : []).slice(0, LOOKED_AT)) {
      const stable = await this.#hasStable(version.id, signal)
      if (stable === null) break
      if (stable) {
        version.recommended = true
        break
      }
      version.channel = 'experimental'
    }
    return versions
  }

  async builds(version: string, signal: AbortSignal): Promise<Build[]> {
    await this.#listed(version, signal)
    return (await this.#builds(version, signal)).map(({ file: _, ...build }) => build)
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    const { java } = await this.#listed(version, signal)
    const { name } = this.#project
    const { id, file } = chosenBuild(await this.#builds(version, signal), build, name, version)
    const remote: RemoteFile = {
      url: safeFileUrl(file.url, this.#base, 'PaperMC'),
      name: fileName(file.name),
      size: file.size,
      checksum: file.checksums.sha256,
    }
    const major = java?.version.minimum ?? this.#project.javaOf(version)
    return { version, build: id, java: { major, exact: false }, file: remote, form: 'jar' }
  }

  #channelOf(id: string): Channel {
    return channelOf(this.#project.snapshotsAreReleases ? id.replace(/-SNAPSHOT$/, '') : id)
  }

  /** Null if the check fails, which must not hide the list. */
  async #hasStable(version: string, signal: AbortSignal): Promise<boolean | null> {
    try {
      return (await this.#builds(version, signal)).some(({ channel }) => channel === 'release')
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  async #listed(version: string, signal: AbortSignal) {
    const found = (await this.#versions(signal)).find(({ id }) => id === version)
    if (found) return found
    throw versionNotKnown(this.#project.name)
  }

  async #versions(signal: AbortSignal) {
    const url = `${this.#base}/v3/projects/${this.#project.id}/versions`
    const { versions } = await this.#client.get({ url, name: 'PaperMC', parse: json(Versions) }, signal)
    return versions.map(({ version }) => version)
  }

  async #builds(version: string, signal: AbortSignal): Promise<FillBuild[]> {
    const url = `${this.#base}/v3/projects/${this.#project.id}/versions/${encodeURIComponent(version)}/builds`
    const builds = await this.#client.get({ url, name: 'PaperMC', parse: json(Builds) }, signal)
    return builds
      .map(({ id, time, channel, commits, downloads }) => ({
        id,
        channel: isStable(channel) ? ('release' as const) : ('experimental' as const),
        releasedAt: isoOf(time),
        changes: changesOf(messagesOf(commits, 'message')),
        ...moreChanges(commits),
        file: downloads['server:default'],
      }))
      .sort((a, b) => Number(b.id) - Number(a.id))
  }
}
