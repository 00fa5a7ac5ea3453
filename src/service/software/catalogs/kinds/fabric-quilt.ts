import { z } from 'zod'
import type { Catalog, Version } from '../../catalog.ts'
import type { CatalogClient } from '../../../../extensions/requests/catalog-client.ts'
import { CatalogFault, refusalOf } from '../../../../extensions/requests/faults.ts'
import { fileName, Id, listOf, safeFileUrl } from '../../../../extensions/requests/shapes.ts'
import { compareVersions } from '../../../../contract/rules/version-order.ts'
import { channelOf, channelsByMark, kindCatalog, reader } from './kind-catalog.ts'
import { mavenInstaller } from './maven.ts'
import type { Mojang } from './mojang.ts'

const VersionEntry = z.object({ version: Id })
const Marked = VersionEntry.extend({ stable: z.boolean().catch(false) })
const AllMarked = listOf(Marked)
const FabricLoaders = listOf(z.object({ loader: Marked }))
const QuiltLoaders = listOf(VersionEntry)
const QuiltInstallers = listOf(VersionEntry.extend({ url: z.string() }))

/** Older Fabric loaders have no single-file server launcher. */
const FIRST_LOADER = '0.12'
const FIRST_INSTALLER = '0.8'

export function fabric(client: CatalogClient, address: string, mojang: Mojang): Catalog {
  const name = 'Fabric'
  const base = `${address}/v2/versions/`
  const read = reader(client, name, base)
  return kindCatalog(
    {
      name,
      versions: async (signal) => gameVersions(await read('game', AllMarked, signal)),
      async builds(version, signal) {
        const all = await read(`loader/${encodeURIComponent(version)}`, FabricLoaders, signal)
        const loaders = newestFirst(all.map(({ loader }) => loader)).filter(isFrom(FIRST_LOADER))
        // Only the newest stable one is marked.
        const channels = channelsByMark(loaders, ({ stable }) => stable)
        return loaders.map(({ version: id }, index) => ({ id, channel: channels[index]!, changes: [] }))
      },
      async release(version, { id: loader }, signal) {
        const installers = (await read('installer', AllMarked, signal)).filter(isFrom(FIRST_INSTALLER))
        const installer = newestOf(installers, ({ stable }) => stable, name).version
        return {
          file: {
            // Queries get a 400.
            url: `${base}loader/${[version, loader, installer].map(encodeURIComponent).join('/')}/server/jar`,
            name: fileName(`fabric-server-mc.${version}-loader.${loader}-launcher.${installer}.jar`),
            size: null,
            checksum: null,
          },
          holds: {
            entry: 'install.properties',
            properties: { 'game-version': version, 'fabric-loader-version': loader },
          },
        }
      },
    },
    mojang,
  )
}

/** No server files; an installer creates one per version of game and loader. */
export function quilt(client: CatalogClient, address: string, mojang: Mojang): Catalog {
  const name = 'Quilt'
  const read = reader(client, name, `${address}/v3/versions/`)
  return kindCatalog(
    {
      name,
      versions: async (signal) => gameVersions(await read('game', AllMarked, signal)),
      // Each loader supports all versions of the game.
      builds: async (_, signal) =>
        newestFirst(await read('loader', QuiltLoaders, signal)).map((loader) => ({
          id: loader.version,
          channel: isFinished(loader) ? 'release' : 'experimental',
          changes: [],
        })),
      async release(_, _loader, signal) {
        const { url } = newestOf(await read('installer', QuiltInstallers, signal), isFinished, name)
        return mavenInstaller(client, safeFileUrl(url, address, name), name, signal)
      },
    },
    mojang,
  )
}

type VersionEntry = z.output<typeof VersionEntry>

/** Keeps the catalog's order, which places weekly snapshots. */
function gameVersions(games: readonly z.output<typeof Marked>[]): Version[] {
  const recommended = games.find(({ stable }) => stable)
  return games.map(({ version, stable }) => ({
    id: version,
    channel: stable ? 'release' : 'snapshot',
    ...(version === recommended?.version && { recommended: true }),
  }))
}

const isFinished = ({ version }: VersionEntry): boolean => channelOf(version) === 'release'

const isFrom =
  (first: string) =>
  ({ version }: VersionEntry) =>
    compareVersions(version, first) >= 0

const newestFirst = <T extends VersionEntry>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => compareVersions(b.version, a.version))

/** The newest stable one, else the newest. */
function newestOf<T extends VersionEntry>(all: readonly T[], isStable: (one: T) => boolean, name: string): T {
  const sorted = newestFirst(all)
  const newest = sorted.find(isStable) ?? sorted[0]
  if (newest) return newest
  throw refusalOf(new CatalogFault('missing', 'There is no installer.'), name)
}
