import { z } from 'zod'
import type { Build, Catalogue, Release, Version } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { channelsByMark, chosenBuild, versionNotKnown } from './choice.ts'
import { CatalogueFault, refusalOf } from '../faults.ts'
import type { Mojang } from './mojang.ts'
import { fileName, Id, json, listOf } from '../shapes.ts'
import { compareVersions } from '../version-order.ts'

const NAME = 'Fabric'
/** Older loaders have no single-file server launcher. */
const FIRST_LOADER = '0.12'
const FIRST_INSTALLER = '0.8'

const LoaderVersions = listOf(z.object({ version: Id, stable: z.boolean().catch(false) }))
const Loaders = listOf(z.object({ loader: z.object({ version: Id, stable: z.boolean().catch(false) }) }))

export class Fabric implements Catalogue {
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #mojang: Mojang

  constructor(client: CatalogueClient, base: string, mojang: Mojang) {
    this.#client = client
    this.#base = `${base}/v2/versions`
    this.#mojang = mojang
  }

  /** Keeps the catalogue's order, which places weekly snapshots. */
  async versions(signal: AbortSignal): Promise<Version[]> {
    const games = await this.#get('game', LoaderVersions, signal)
    const recommended = games.find(({ stable }) => stable)?.version
    return games.map(({ version, stable }) => ({
      id: version,
      channel: stable ? ('release' as const) : ('snapshot' as const),
      ...(version === recommended && { recommended: true }),
    }))
  }

  async builds(version: string, signal: AbortSignal): Promise<Build[]> {
    if (!(await this.versions(signal)).some(({ id }) => id === version)) throw versionNotKnown(NAME)
    const answer = await this.#get(`loader/${encodeURIComponent(version)}`, Loaders, signal)
    const loaders = answer
      .map(({ loader }) => loader)
      .filter((loader) => compareVersions(loader.version, FIRST_LOADER) >= 0)
      .sort((a, b) => compareVersions(b.version, a.version))
    // Only the newest stable one is marked.
    const channels = channelsByMark(loaders, ({ stable }) => stable)
    return loaders.map((loader, index) => ({ id: loader.version, channel: channels[index]!, changes: [] }))
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    const { id: loader } = chosenBuild(await this.builds(version, signal), build, NAME, version)
    const installer = await this.#installer(signal)
    const parts = [version, loader, installer].map(encodeURIComponent)
    return {
      version,
      build: loader,
      java: { major: await this.#mojang.javaOf(version, signal), exact: false },
      file: {
        // Queries get a 400.
        url: `${this.#base}/loader/${parts.join('/')}/server/jar`,
        name: fileName(`fabric-server-mc.${version}-loader.${loader}-launcher.${installer}.jar`),
        size: null,
        checksum: null,
      },
      form: 'jar',
      holds: {
        entry: 'install.properties',
        properties: { 'game-version': version, 'fabric-loader-version': loader },
      },
    }
  }

  async #installer(signal: AbortSignal): Promise<string> {
    const all = (await this.#get('installer', LoaderVersions, signal))
      .filter(({ version }) => compareVersions(version, FIRST_INSTALLER) >= 0)
      .sort((a, b) => compareVersions(b.version, a.version))
    const chosen = all.find(({ stable }) => stable) ?? all[0]
    if (chosen) return chosen.version
    throw refusalOf(new CatalogueFault('missing', 'There is no installer.'), NAME)
  }

  #get<T extends z.ZodType>(path: string, schema: T, signal: AbortSignal): Promise<z.infer<T>> {
    return this.#client.get({ url: `${this.#base}/${path}`, name: NAME, parse: json(schema) }, signal)
  }
}
