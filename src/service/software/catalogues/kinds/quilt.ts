import { z } from 'zod'
import type { Build, Catalogue, Release, Version } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { chosenBuild, versionNotKnown } from './choice.ts'
import { CatalogueFault, refusalOf } from '../faults.ts'
import { mavenFile } from './maven.ts'
import type { Mojang } from './mojang.ts'
import { Id, json, listOf, safeFileUrl } from '../shapes.ts'
import { channelOf, compareVersions } from '../version-order.ts'

const NAME = 'Quilt'

const Games = listOf(z.object({ version: Id, stable: z.boolean().catch(false) }))
const Loaders = listOf(z.object({ version: Id }))
const Installers = listOf(z.object({ version: Id, url: z.string() }))

/** No server files; an installer creates one per version of game and loader. */
export class Quilt implements Catalogue {
  readonly #client: CatalogueClient
  readonly #base: string
  readonly #mojang: Mojang

  constructor(client: CatalogueClient, base: string, mojang: Mojang) {
    this.#client = client
    this.#base = base
    this.#mojang = mojang
  }

  /** Keeps the catalogue's order, which places weekly snapshots. */
  async versions(signal: AbortSignal): Promise<Version[]> {
    const games = await this.#get('game', Games, signal)
    const recommended = games.find(({ stable }) => stable)?.version
    return games.map(({ version, stable }) => ({
      id: version,
      channel: stable ? ('release' as const) : ('snapshot' as const),
      ...(version === recommended && { recommended: true }),
    }))
  }

  /** Loader versions; each supports all game versions. */
  async builds(version: string, signal: AbortSignal): Promise<Build[]> {
    if (!(await this.versions(signal)).some(({ id }) => id === version)) throw versionNotKnown(NAME)
    const loaders = await this.#get('loader', Loaders, signal)
    return loaders
      .sort((a, b) => compareVersions(b.version, a.version))
      .map(({ version: id }) => ({
        id,
        channel: channelOf(id) === 'release' ? ('release' as const) : ('experimental' as const),
        changes: [],
      }))
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    const { id: loader } = chosenBuild(await this.builds(version, signal), build, NAME, version)
    const installers = await this.#get('installer', Installers, signal)
    const newest = installers.sort((a, b) => compareVersions(b.version, a.version))
    const installer = newest.find((one) => channelOf(one.version) === 'release') ?? newest[0]
    if (!installer) throw refusalOf(new CatalogueFault('missing', 'There is no installer.'), NAME)
    const url = safeFileUrl(installer.url, this.#base, NAME)
    return {
      version,
      build: loader,
      java: { major: await this.#mojang.javaOf(version, signal), exact: false },
      file: await mavenFile(this.#client, url, NAME, signal),
      form: 'installer',
    }
  }

  #get<T extends z.ZodType>(path: string, schema: T, signal: AbortSignal): Promise<z.infer<T>> {
    const url = `${this.#base}/v3/versions/${path}`
    return this.#client.get({ url, name: NAME, parse: json(schema) }, signal)
  }
}
