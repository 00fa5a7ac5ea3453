import { z } from 'zod'
import { isWithin } from '../../../contract/rules/json-bounds.ts'
import type { RemoteFile } from '../../software/catalog.ts'
import { fileName, hex, Id } from '../../../extensions/requests/shapes.ts'
import { mayBring, packPath, sameName } from '../pack-paths.ts'
import {
  broken,
  severalLoaders,
  shown,
  tooLarge,
  unsafe,
} from '../../../extensions/catalogs/pack-refusals.ts'

export const INDEX_FILE = 'modrinth.index.json'
/** Limit in bytes; an index has a few hundred per file. */
export const INDEX_BYTES = 8 * 1024 * 1024
const FILES_MOST = 5000
/** A file has about twenty values. Parsing eight million takes a second and 1 GB. */
const VALUES_MOST = FILES_MOST * 60
const DEPTH_MOST = 12
const FILE_BYTES_MOST = 1024 ** 3
const BYTES_MOST = 8 * 1024 ** 3

/** Hosts the pack format allows downloads from. */
const HOSTS = ['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com']
const REDIRECTED = [
  ...HOSTS,
  'objects.githubusercontent.com',
  'release-assets.githubusercontent.com',
  'codeload.github.com',
]

const SideSupport = z.enum(['required', 'optional', 'unsupported']).catch('required')

const File = z.object({
  path: z.string().max(2000),
  hashes: z.object({ sha1: hex('sha1'), sha512: hex('sha512') }),
  env: z.object({ client: SideSupport, server: SideSupport }).nullish().catch(null),
  downloads: z.array(z.string().max(2000)).min(1).max(20),
  fileSize: z.int().min(0).max(FILE_BYTES_MOST),
})

const Version = Id.optional()

const Index = z.object({
  formatVersion: z.literal(1),
  game: z.literal('minecraft'),
  versionId: z.string(),
  name: z.string(),
  files: z.array(z.unknown()),
  dependencies: z.object({
    minecraft: Id,
    forge: Version,
    neoforge: Version,
    'fabric-loader': Version,
    'quilt-loader': Version,
  }),
})

type SideSupport = z.output<typeof SideSupport>

export interface PackFile {
  path: string
  sha1: string
  sha512: string
  size: number
  client: SideSupport
  server: SideSupport
  /** In order of preference. */
  urls: string[]
}

export interface PackIndex {
  name: string
  version: string
  /** `id`: kind of software; `build`: loader version. */
  software: { id: string; version: string; build: string | null }
  files: PackFile[]
  refused: string[]
}

const LOADERS = {
  neoforge: 'neoforge',
  forge: 'forge',
  'fabric-loader': 'fabric',
  'quilt-loader': 'quilt',
} as const

/** Cleans untrusted text, including direction marks that would affect text next to it. */
const line = (text: string, most: number): string =>
  text
    .slice(0, most * 4)
    .replaceAll(/\p{Cc}+|[\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()

/**
 * Throws Refusal 422 `modpacks.broken`, `modpacks.unsafe`, `modpacks.too-large`, `modpacks.software`.
 * @param base the catalog's configured URL, also allowed for downloads
 */
export function readIndex(bytes: Buffer, base: string | null): PackIndex {
  const { name, versionId, files, dependencies } = indexOf(bytes)
  if (files.length > FILES_MOST) throw tooLarge('too-many-files', { most: FILES_MOST })
  const seen = new Set<string>()
  const refused: string[] = []
  const kept: PackFile[] = []
  let size = 0
  for (const one of files) {
    const parsed = File.safeParse(one)
    if (!parsed.success) throw broken('unknown-file', { at: pathOf(parsed.error) })
    const { hashes, env, downloads, fileSize } = parsed.data
    const path = packPath(parsed.data.path)
    if (seen.has(sameName(path))) throw broken('has-twice', { path: shown(path) })
    seen.add(sameName(path))
    if ((size += fileSize) > BYTES_MOST) throw tooLarge('too-many-bytes', { most: BYTES_MOST })
    const urls = downloads.filter((url) => mayFetch(url, base))
    if (urls.length === 0) throw unsafe('fetches', { path: shown(path), host: hostOf(downloads[0]!) })
    if (!mayBring(path)) {
      refused.push(path)
      continue
    }
    kept.push({
      ...{ path, urls, size: fileSize, sha1: hashes.sha1.value, sha512: hashes.sha512.value },
      ...{ client: env?.client ?? 'required', server: env?.server ?? 'required' },
    })
  }
  return {
    name: line(name, 120) || 'Modpack',
    version: line(versionId, 80),
    software: softwareOf(dependencies),
    files: kept,
    refused,
  }
}

export const isModestIndex = (bytes: Buffer): boolean =>
  isWithin({ values: VALUES_MOST, depth: DEPTH_MOST }, bytes)

function indexOf(bytes: Buffer): z.output<typeof Index> {
  if (!isModestIndex(bytes)) throw tooLarge('long-index')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw broken('no-json')
  }
  const parsed = Index.safeParse(value)
  if (parsed.success) return parsed.data
  throw broken('unknown-index', { at: pathOf(parsed.error) })
}

const pathOf = (error: z.ZodError): string => error.issues[0]?.path.join('.') || '.'

function softwareOf(dependencies: z.output<typeof Index>['dependencies']): PackIndex['software'] {
  const { minecraft: version } = dependencies
  const named = Object.entries(LOADERS).flatMap(([key, id]) => {
    const build = dependencies[key as keyof typeof LOADERS]
    return build === undefined ? [] : [{ id, version, build }]
  })
  if (named.length > 1) throw severalLoaders()
  return named[0] ?? { id: 'vanilla', version, build: null }
}

function mayFetch(address: string, base: string | null): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.username || url.password) return false
  if (base !== null && url.origin === new URL(base).origin) return true
  return url.protocol === 'https:' && url.port === '' && HOSTS.includes(url.hostname)
}

/** Null if not allowed. Drops the query, which may contain the pack author's credentials. */
export function addressForPlayers(address: string): string | null {
  if (!mayFetch(address, null)) return null
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'no address')

export const remoteFile = ({ path, sha512, size }: PackFile, url: string): RemoteFile => ({
  url,
  hosts: REDIRECTED,
  name: fileName(path),
  size,
  checksum: { algorithm: 'sha512', value: sha512 },
})

/** A file's Modrinth project, which stays the same across versions; null for other hosts. */
export function projectOf(urls: readonly string[]): string | null {
  for (const url of urls) {
    const key = /\/data\/([A-Za-z0-9_-]{1,80})\/versions\//.exec(url)?.[1]
    if (key !== undefined) return key
  }
  return null
}
