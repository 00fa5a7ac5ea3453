import { createHash } from 'node:crypto'
import type { CatalogServer } from './catalog-server.ts'
import { pluginJar } from '../../fixtures/extension-jar.ts'
import { answerAsHangar } from './hangar-answers.ts'
import { answerAsModrinth } from './modrinth-answers.ts'

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What another extension is to a version. */
export interface Need {
  /** Its project, as the contract names it (`modrinth:…`, `hangar:…`); null where it lies elsewhere. */
  on: string | null
  /** How it is called there; Hangar names each. */
  name?: string
  kind?: 'required' | 'optional' | 'incompatible' | 'embedded'
  /** This version of it, and no other. */
  version?: string
}

export interface VersionToOffer {
  name: string
  /** Bytes of the file; a jar of a Bukkit plugin with these names unless given. */
  jar?: Buffer
  /** ISO 8601. Each is an hour after the one before it unless given. */
  date?: string
  type?: 'release' | 'beta' | 'alpha' | 'snapshot'
  /** Versions of the game that it fits; those of the extension unless given. */
  games?: string[]
  loaders?: string[]
  needs?: Need[]
  changes?: string
  /** It is had elsewhere, by hand. Hangar has such. */
  external?: string
  /** The catalog tells another checksum than the file has. */
  wrongHash?: boolean
  /** Modrinth does not tell how large it is. */
  withoutSize?: boolean
  /** The catalog says that the file lies here. */
  liesAt?: string
}

export interface ExtensionToOffer {
  catalog: 'modrinth' | 'hangar'
  name: string
  /** Oldest first. */
  versions: VersionToOffer[]
  author?: string
  summary?: string
  description?: string
  downloads?: number
  /** When it was first published, ISO 8601; all on the same day unless given. */
  created?: string
  categories?: string[]
  license?: string
  /** `1.21.11` unless given. */
  games?: string[]
  /** Modrinth's loaders; `paper` unless given. Hangar: `velocity` makes it one of that, `folia` says that it fits Folia. */
  loaders?: string[]
  /** For clients alone. */
  clientOnly?: boolean
  /** A modpack: `jar` of its versions is the pack. */
  isPack?: boolean
  /** Bytes of its picture, or an address of it; null where it has none. */
  picture?: Buffer | string | null
}

/** A version as it stands in a catalog. */
export interface OfferedVersion extends Required<
  Omit<VersionToOffer, 'external' | 'wrongHash' | 'withoutSize' | 'liesAt'>
> {
  withoutSize: boolean
  /** As the contract names it. */
  id: string
  /** Without the catalog's name. */
  key: string
  external: string | null
  fileName: string
  url: string
  hashes: { sha1: string; sha256: string; sha512: string }
  /** What the catalog tells. */
  toldHashes: { sha1: string; sha256: string; sha512: string }
}

/** An extension as it stands in a catalog. */
export interface OfferedExtension extends Required<Omit<ExtensionToOffer, 'versions' | 'picture'>> {
  /** Its project, as the contract names it. */
  id: string
  /** Without the catalog's name. */
  key: string
  slug: string
  pictureUrl: string | null
  /** Newest last. */
  versions: OfferedVersion[]
}

const hash = (algorithm: string, bytes: Buffer | string) => createHash(algorithm).update(bytes).digest('hex')

/** What the hashes of a file are. */
export const hashesOf = (bytes: Buffer) => ({
  sha1: hash('sha1', bytes),
  sha256: hash('sha256', bytes),
  sha512: hash('sha512', bytes),
})

/** Eight letters and digits, as Modrinth names things. */
const modrinthKey = (text: string) =>
  Buffer.from(hash('sha1', text), 'hex').toString('base64').replaceAll(/\W/g, '').slice(0, 8)

const HOUR = 60 * 60_000

/**
 * Modrinth and Hangar on a server of catalogs, with files that can be downloaded:
 *
 *     const server = await CatalogServer.start()
 *     const catalogs = new ExtensionCatalogs(server)
 *     const vault = await catalogs.offer({ catalog: 'hangar', name: 'Vault', versions: [{ name: '1.7' }] })
 *     const shop = await catalogs.offer({
 *       catalog: 'modrinth',
 *       name: 'Shop',
 *       versions: [{ name: '1.0' }, { name: '2.0', needs: [{ on: library.id }] }],
 *     })
 *     // shop.id, shop.versions[1].id, .jar, .url, .hashes
 *
 * What is offered later is there at once. Faults are those of the server: `server.fail('/modrinth/v2/search', …)`,
 * `server.fail('/hangar/', { kind: 'status', status: 429, headers: { 'retry-after': '5' } })`, `server.fail('/modrinth/data/', …)`
 * for files; `wrongHash` is told of one version.
 */
export class ExtensionCatalogs {
  readonly #server: CatalogServer
  readonly #all: OfferedExtension[] = []

  constructor(server: CatalogServer) {
    this.#server = server
    const offered = (catalog: 'modrinth' | 'hangar') => this.#all.filter((one) => one.catalog === catalog)
    server.answerBelow('/modrinth/v2/', (asked) => answerAsModrinth(offered('modrinth'), asked))
    server.answerBelow('/hangar/api/v1/', (asked) => answerAsHangar(offered('hangar'), asked))
  }

  /** Puts an extension and the files of its versions into its catalog. */
  async offer(given: ExtensionToOffer): Promise<OfferedExtension> {
    const { catalog, name } = given
    const key = catalog === 'hangar' ? String(this.#all.length + 1) : modrinthKey(name + this.#all.length)
    const slug = catalog === 'hangar' ? name.replaceAll(' ', '-') : name.toLowerCase().replaceAll(' ', '-')
    const extension: OfferedExtension = {
      author: 'somebody',
      summary: `${name} in one sentence.`,
      description: `# ${name}\n\nWhat it does, at length.`,
      downloads: 1000,
      created: '2026-01-01T00:00:00.000Z',
      categories: [],
      license: 'MIT',
      games: ['1.21.11'],
      loaders: ['paper'],
      clientOnly: false,
      isPack: false,
      ...given,
      ...{ id: `${catalog}:${key}`, key, slug },
      pictureUrl: this.#picture(catalog, key, given.picture === undefined ? PICTURE : given.picture),
      versions: [],
    }
    this.#all.push(extension)
    for (const version of given.versions) await this.publish(extension, version)
    return extension
  }

  /** Puts another version of what is offered into its catalog. */
  async publish(extension: OfferedExtension, version: VersionToOffer): Promise<OfferedVersion> {
    const { catalog, name, games, loaders, versions } = extension
    const jar = version.jar ?? (await pluginJar({ name, version: version.name }))
    const count = versions.length
    const key =
      catalog === 'hangar'
        ? String(1000 * Number(extension.key) + count)
        : modrinthKey(`${extension.key} ${version.name} ${count}`)
    const fileName = `${name.replaceAll(' ', '')}-${version.name}.${extension.isPack ? 'mrpack' : 'jar'}`
    const path =
      catalog === 'hangar'
        ? `/hangar/plugins/${extension.author}/${extension.slug}/versions/${version.name}/${fileName}`
        : `/modrinth/data/${extension.key}/versions/${key}/${fileName}`
    const hashes = hashesOf(jar)
    const offered: OfferedVersion = {
      ...{ type: 'release', games, loaders, needs: [], changes: `What is new in ${version.name}.` },
      date: new Date(Date.UTC(2026, 3, 1) + count * HOUR).toISOString(),
      ...version,
      ...{ id: `${catalog}:${key}`, key, jar, fileName, hashes },
      external: version.external ?? null,
      withoutSize: version.withoutSize ?? false,
      url: version.liesAt ?? this.#server.put(encodeURI(path), jar),
      toldHashes: version.wrongHash ? hashesOf(Buffer.from('something else')) : hashes,
    }
    versions.push(offered)
    return offered
  }

  #picture(catalog: string, key: string, picture: Buffer | string | null): string | null {
    if (picture === null || typeof picture === 'string') return picture
    return this.#server.put(`/${catalog}/pictures/${key}.png`, picture)
  }
}
