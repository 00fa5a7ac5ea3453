import { z } from 'zod'
import { Refusal } from '../../../../host/refusal.ts'
import type { Build, Catalog } from '../../catalog.ts'
import type { CatalogClient } from '../../../../extensions/requests/catalog-client.ts'
import { Id, listOf } from '../../../../extensions/requests/shapes.ts'
import { compareVersions } from '../../../../contract/rules/version-order.ts'
import {
  channelOf,
  channelsByMark,
  kindCatalog,
  newestFirst,
  reader,
  versionsByNumber,
} from './kind-catalog.ts'
import { mavenInstaller, mavenVersions } from './maven.ts'
import type { Mojang } from './mojang.ts'

interface Artifact {
  id: string
  minecraft: string
  /** As in the address: old Forge versions repeat the Minecraft version. */
  full: string
}

const buildsFor = <T extends Artifact>(all: readonly T[], version: string): T[] =>
  all.filter(({ minecraft }) => minecraft === version).sort(newestFirst)

const installerAddress = (folder: string, artifact: string, full: string): string =>
  `${folder}/${artifact}/${encodeURIComponent(full)}/${artifact}-${encodeURIComponent(full)}-installer.jar`

/** Older versions of Forge have no installer. */
const FIRST_FORGE = '1.5.2'

const Promotions = z.object({ promos: z.record(z.string(), z.string().catch('')) })

/** `1.21.1-52.0.1` or `1.7.10-10.13.4.1614-1.7.10`; null for others, and without an installer. */
function forgeArtifact(full: string): Artifact | null {
  const match = /^(\d+(?:\.\d+)+(?:_pre\d+)?)-(\d+(?:\.\d+)+)(?:-.*)?$/.exec(full)
  if (!match || compareVersions(match[1]!, FIRST_FORGE) < 0) return null
  // Forge spells pre-releases with `_`.
  return { minecraft: match[1]!.replace('_', '-'), id: match[2]!, full }
}

export function forge(
  client: CatalogClient,
  address: { promotions: string; maven: string },
  mojang: Mojang,
): Catalog {
  const name = 'Forge'
  const folder = '/net/minecraftforge'
  const read = reader(client, name, address.promotions)
  const listed = async (signal: AbortSignal): Promise<Artifact[]> => {
    const url = `${address.maven}${folder}/forge/maven-metadata.xml`
    const all = await client.get({ url, name, parse: mavenVersions }, signal)
    return all.map(forgeArtifact).filter((one) => one !== null)
  }
  /** Empty if unavailable: builds can be chosen without it. */
  const promotions = async (signal: AbortSignal): Promise<Record<string, string>> => {
    try {
      return (await read(`${folder}/forge/promotions_slim.json`, Promotions, signal)).promos
    } catch (error) {
      if (error instanceof Refusal) return {}
      throw error
    }
  }
  return kindCatalog(
    {
      name,
      async versions(signal) {
        const [all, promos] = await Promise.all([listed(signal), promotions(signal)])
        return versionsByNumber(
          new Set(all.map(({ minecraft }) => minecraft)),
          ({ id, channel }) => channel === 'release' && promos[`${id}-recommended`] !== undefined,
        )
      },
      async builds(version, signal) {
        const [all, promos] = await Promise.all([listed(signal), promotions(signal)])
        const builds = buildsFor(all, version)
        const channels = channelsByMark(builds, ({ id }) => id === promos[`${version}-recommended`])
        return builds.map((one, index) => ({ ...one, channel: channels[index]!, changes: [] }))
      },
      release: async (version, { full }, signal) => ({
        java: { major: await mojang.javaOf(version, signal), exact: true },
        ...(await mavenInstaller(
          client,
          installerAddress(address.maven + folder, 'forge', full),
          name,
          signal,
        )),
      }),
    },
    mojang,
  )
}

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

interface NeoForgeBuild extends Build, Artifact {
  artifact: 'forge' | 'neoforge'
}

export function neoforge(client: CatalogClient, address: string, mojang: Mojang): Catalog {
  const name = 'NeoForge'
  const read = reader(client, name, `${address}/api/maven/versions/releases/net/neoforged/`)
  const listed = async (signal: AbortSignal): Promise<NeoForgeBuild[]> => {
    const [own, asForge] = await Promise.all([
      read('neoforge', VersionList, signal),
      // A mirror may lack this old artifact.
      read('forge', VersionList, signal).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === 'software.catalogue-missing') return { versions: [] }
        throw error
      }),
    ])
    const build = (artifact: NeoForgeBuild['artifact'], id: string, minecraft: string, full: string) => {
      const channel = channelOf(id) === 'release' ? ('release' as const) : ('experimental' as const)
      return { id, channel, changes: [], minecraft, artifact, full }
    }
    return [
      ...own.versions.flatMap((id) => {
        const minecraft = minecraftOfNeoForge(id)
        return minecraft === null ? [] : [build('neoforge', id, minecraft, id)]
      }),
      ...asForge.versions
        .filter((full) => full.startsWith(`${AS_FORGE}-`))
        .map((full) => build('forge', full.slice(AS_FORGE.length + 1), AS_FORGE, full)),
    ]
  }
  return kindCatalog(
    {
      name,
      async versions(signal) {
        const all = await listed(signal)
        const finished = new Set(all.flatMap((one) => (one.channel === 'release' ? [one.minecraft] : [])))
        return versionsByNumber(new Set(all.map(({ minecraft }) => minecraft)), undefined, (id) =>
          channelOf(id) === 'release' && !finished.has(id) ? 'experimental' : channelOf(id),
        )
      },
      builds: async (version, signal) => buildsFor(await listed(signal), version),
      async release(version, { artifact, full }, signal) {
        const folder = `${address}/releases/net/neoforged`
        return {
          // The Forge era needs the exact Java, like Forge.
          java: { major: await mojang.javaOf(version, signal), exact: artifact === 'forge' },
          ...(await mavenInstaller(client, installerAddress(folder, artifact, full), name, signal)),
        }
      },
    },
    mojang,
  )
}
