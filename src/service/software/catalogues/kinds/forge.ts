import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'
import type { Build, Catalogue, Release, Version } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { channelsByMark, chosenBuild, versionNotKnown } from './choice.ts'
import { mavenFile, mavenVersions } from './maven.ts'
import type { Mojang } from './mojang.ts'
import { json } from '../shapes.ts'
import { channelOf, compareVersions, newestFirst } from '../version-order.ts'

const NAME = 'Forge'
const ARTIFACT = '/net/minecraftforge/forge'
/** Older versions have no installer. */
const FIRST = '1.5.2'

const Promotions = z.object({ promos: z.record(z.string(), z.string().catch('')) })

interface ForgeVersion {
  id: string
  minecraft: string
  /** As in the address: old versions repeat the Minecraft version. */
  full: string
}

/** `1.21.1-52.0.1` or `1.7.10-10.13.4.1614-1.7.10`; null for others, and without an installer. */
function listedOf(full: string): ForgeVersion | null {
  const match = /^(\d+(?:\.\d+)+(?:_pre\d+)?)-(\d+(?:\.\d+)+)(?:-.*)?$/.exec(full)
  if (!match || compareVersions(match[1]!, FIRST) < 0) return null
  // Forge spells pre-releases with `_`.
  return { minecraft: match[1]!.replace('_', '-'), id: match[2]!, full }
}

export class Forge implements Catalogue {
  readonly #client: CatalogueClient
  readonly #bases: { promotions: string; maven: string }
  readonly #mojang: Mojang

  constructor(client: CatalogueClient, bases: { promotions: string; maven: string }, mojang: Mojang) {
    this.#client = client
    this.#bases = bases
    this.#mojang = mojang
  }

  async versions(signal: AbortSignal): Promise<Version[]> {
    const [all, promos] = await Promise.all([this.#all(signal), this.#promotions(signal)])
    const versions: Version[] = [...new Set(all.map(({ minecraft }) => minecraft))]
      .map((id) => ({ id, channel: channelOf(id) }))
      .sort(newestFirst)
    const releases = versions.filter(({ channel }) => channel === 'release')
    const newest = releases.find(({ id }) => promos[`${id}-recommended`] !== undefined) ?? releases[0]
    if (newest) newest.recommended = true
    return versions
  }

  async builds(version: string, signal: AbortSignal): Promise<Build[]> {
    return (await this.#builds(version, signal)).map(({ full: _, ...build }) => build)
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    const { id, full } = chosenBuild(await this.#builds(version, signal), build, NAME, version)
    const url = `${this.#bases.maven}${ARTIFACT}/${full}/forge-${full}-installer.jar`
    return {
      version,
      build: id,
      java: { major: await this.#mojang.javaOf(version, signal), exact: true },
      file: await mavenFile(this.#client, url, NAME, signal),
      form: 'installer',
    }
  }

  async #builds(version: string, signal: AbortSignal): Promise<(Build & { full: string })[]> {
    const [all, promos] = await Promise.all([this.#all(signal), this.#promotions(signal)])
    const builds = all.filter(({ minecraft }) => minecraft === version).sort(newestFirst)
    if (builds.length === 0) throw versionNotKnown(NAME)
    const recommended = promos[`${version}-recommended`]
    const channels = channelsByMark(builds, ({ id }) => id === recommended)
    return builds.map(({ id, full }, index) => ({ id, channel: channels[index]!, changes: [], full }))
  }

  async #all(signal: AbortSignal): Promise<ForgeVersion[]> {
    const url = `${this.#bases.maven}${ARTIFACT}/maven-metadata.xml`
    const all = await this.#client.get({ url, name: NAME, parse: mavenVersions }, signal)
    return all.map(listedOf).filter((one) => one !== null)
  }

  /** Empty if unavailable: builds can be chosen without it. */
  async #promotions(signal: AbortSignal): Promise<Record<string, string>> {
    const url = `${this.#bases.promotions}${ARTIFACT}/promotions_slim.json`
    try {
      return (await this.#client.get({ url, name: NAME, parse: json(Promotions) }, signal)).promos
    } catch (error) {
      if (error instanceof Refusal) return {}
      throw error
    }
  }
}
