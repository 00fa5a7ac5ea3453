import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'
import type { Build, Catalogue, Release, Version } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { chosenBuild, versionNotKnown } from './choice.ts'
import { mavenFile } from './maven.ts'
import type { Mojang } from './mojang.ts'
import { Id, json, listOf } from '../shapes.ts'
import { channelOf, newestFirst } from '../version-order.ts'

const NAME = 'NeoForge'
/** For this version NeoForge was still published under Forge's name. */
const AS_FORGE = '1.20.1'
/** Its first own version is for 1.20.2. */
const FIRST = 20
/** Since Minecraft counts by years, NeoForge has a fourth number. */
const FIRST_YEAR = 26

const VersionList = z.object({ versions: listOf(Id) })

/** `21.1.n` → 1.21.1, `21.0.n` → 1.21, `26.1.0.n` → 26.1, `26.1.0.0-alpha.1+snapshot-1` → 26.1-snapshot-1. */
export function minecraftOfNeoForge(version: string): string | null {
  const joke = /^0\.(\d\dw\d\d[a-z0-9]+)\.\d+/.exec(version)?.[1]
  if (joke !== undefined) return joke
  const match = /^(\d+)\.(\d+)\.(\d+)(?:\.(\d+))?(?:-[A-Za-z0-9.-]+)?(?:\+([A-Za-z0-9.-]+))?$/.exec(version)
  if (!match) return null
  const [, first = '', second = '', third = '', fourth, of] = match
  if (Number(first) < FIRST) return null
  const isByYear = Number(first) >= FIRST_YEAR
  if (isByYear !== (fourth !== undefined)) return null
  if (!isByYear) return Number(second) === 0 ? `1.${first}` : `1.${first}.${second}`
  const release = Number(third) === 0 ? `${first}.${second}` : `${first}.${second}.${third}`
  return of === undefined ? release : `${release}-${of}`
}

interface NeoForgeBuild extends Build {
  minecraft: string
  /** Artifact path and version. */
  artifact: 'forge' | 'neoforge'
  artifactVersion: string
}

export class NeoForge implements Catalogue {
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #mojang: Mojang

  constructor(client: CatalogueClient, base: string, mojang: Mojang) {
    this.#client = client
    this.#base = base
    this.#mojang = mojang
  }

  async versions(signal: AbortSignal): Promise<Version[]> {
    const proven = new Map<string, boolean>()
    for (const { minecraft, channel } of await this.#all(signal))
      proven.set(minecraft, proven.get(minecraft) === true || channel === 'release')
    const versions: Version[] = [...proven].map(([id, isProven]) => {
      const channel = channelOf(id)
      return { id, channel: channel === 'release' && !isProven ? 'experimental' : channel }
    })
    versions.sort(newestFirst)
    const newest = versions.find(({ channel }) => channel === 'release')
    if (newest) newest.recommended = true
    return versions
  }

  async builds(version: string, signal: AbortSignal): Promise<Build[]> {
    return (await this.#builds(version, signal)).map(({ id, channel, changes }) => ({ id, channel, changes }))
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    const chosen = chosenBuild(await this.#builds(version, signal), build, NAME, version)
    const { artifact, artifactVersion: name } = chosen
    const path = `${encodeURIComponent(name)}/${artifact}-${encodeURIComponent(name)}-installer.jar`
    const url = `${this.#base}/releases/net/neoforged/${artifact}/${path}`
    return {
      version,
      build: chosen.id,
      // The Forge era needs the exact Java, like Forge.
      java: { major: await this.#mojang.javaOf(version, signal), exact: artifact === 'forge' },
      file: await mavenFile(this.#client, url, NAME, signal),
      form: 'installer',
    }
  }

  async #builds(version: string, signal: AbortSignal): Promise<NeoForgeBuild[]> {
    const builds = (await this.#all(signal)).filter(({ minecraft }) => minecraft === version)
    if (builds.length === 0) throw versionNotKnown(NAME)
    return builds.sort(newestFirst)
  }

  async #all(signal: AbortSignal): Promise<NeoForgeBuild[]> {
    const [own, asForge] = await Promise.all([
      this.#list('neoforge', signal),
      // A mirror may lack this old artifact.
      this.#list('forge', signal).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === 'software.catalogue-missing') return []
        throw error
      }),
    ])
    const named = own.flatMap((id) => {
      const minecraft = minecraftOfNeoForge(id)
      return minecraft === null ? [] : [buildOf('neoforge', id, minecraft, id)]
    })
    const former = asForge
      .filter((name) => name.startsWith(`${AS_FORGE}-`))
      .map((name) => buildOf('forge', name.slice(AS_FORGE.length + 1), AS_FORGE, name))
    return [...named, ...former]
  }

  async #list(artifact: string, signal: AbortSignal): Promise<string[]> {
    const url = `${this.#base}/api/maven/versions/releases/net/neoforged/${artifact}`
    return (await this.#client.get({ url, name: NAME, parse: json(VersionList) }, signal)).versions
  }
}

const buildOf = (
  artifact: NeoForgeBuild['artifact'],
  id: string,
  minecraft: string,
  artifactVersion: string,
): NeoForgeBuild => ({
  id,
  channel: channelOf(id) === 'release' ? 'release' : 'experimental',
  changes: [],
  ...{ minecraft, artifact, artifactVersion },
})
