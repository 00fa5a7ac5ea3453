import { createHash } from 'node:crypto'
import type { CatalogServer } from './catalog-server.ts'

const hash = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex')

/** Bytes that stand for a jar where a test runs none. */
export const bytesOf = (text: string): Buffer => Buffer.from(`the bytes of ${text}`)

export interface VanillaVersion {
  id: string
  type?: 'release' | 'snapshot' | 'old_beta' | 'old_alpha'
  releaseTime?: string
  /** The Java it wants; null where its file does not tell. */
  java?: number | null
  /** Null: a version without a server. */
  jar?: Buffer | null
}

/** Mojang's manifest and the file of each version, newest first. */
export function offerVanilla(server: CatalogServer, versions: VanillaVersion[]): void {
  const entries = versions.map(({ id, type = 'release', releaseTime, java = 21, jar }, index) => {
    const bytes = jar === undefined ? bytesOf(id) : jar
    const path = `/mojang/v1/objects/${hash('sha1', Buffer.from(id))}/server.jar`
    const details = {
      id,
      type,
      downloads: {
        client: { sha1: '0'.repeat(40), size: 1, url: `${server.origin}/mojang/client.jar` },
        ...(bytes && {
          server: { sha1: hash('sha1', bytes), size: bytes.length, url: server.put(path, bytes) },
        }),
      },
      ...(java !== null && { javaVersion: { component: 'java-runtime', majorVersion: java } }),
    }
    const text = JSON.stringify(details)
    const sha1 = hash('sha1', Buffer.from(text))
    const url = server.put(`/mojang/v1/packages/${sha1}/${encodeURIComponent(id)}.json`, text)
    const time = releaseTime ?? new Date(Date.UTC(2026, 0, 100 - index)).toISOString()
    return { id, type, url, time, releaseTime: time, sha1, complianceLevel: 1 }
  })
  const latest = { release: versions.find(({ type = 'release' }) => type === 'release')?.id, snapshot: '' }
  server.put('/mojang/mc/game/version_manifest_v2.json', { latest, versions: entries })
}

export interface FillVersion {
  id: string
  java?: number
  status?: 'SUPPORTED' | 'DEPRECATED' | 'UNSUPPORTED'
  builds?: {
    id: number
    channel?: 'ALPHA' | 'BETA' | 'STABLE' | 'RECOMMENDED'
    commits?: string[]
    jar?: Buffer
    time?: string
  }[]
}

/** Versions of Paper, Folia or Velocity and their builds, newest first. */
export function offerFill(
  server: CatalogServer,
  project: 'paper' | 'folia' | 'velocity',
  versions: FillVersion[],
): void {
  const base = `/paper/v3/projects/${project}/versions`
  server.put(base, {
    versions: versions.map(({ id, java = 21, status = 'SUPPORTED', builds = [] }) => ({
      version: {
        id,
        support: { status, end: null },
        java: { version: { minimum: java }, flags: { recommended: ['-XX:+UseG1GC'] } },
      },
      builds: builds.map((build) => build.id),
    })),
  })
  for (const { id: version, builds = [] } of versions) {
    const answer = builds.map(({ id, channel = 'STABLE', commits = [], jar, time }) => {
      const bytes = jar ?? bytesOf(`${project} ${version} ${id}`)
      const sha256 = hash('sha256', bytes)
      const name = `${project}-${version}-${id}.jar`
      const url = server.put(`/paper/v1/objects/${sha256}/${name}`, bytes)
      return {
        id,
        time: time ?? '2026-05-01T10:00:00.000Z',
        channel,
        commits: commits.map((message, index) => ({
          sha: hash('sha1', Buffer.from(`${message}${index}`)),
          time: '2026-05-01T09:00:00Z',
          message,
        })),
        downloads: { 'server:default': { name, checksums: { sha256 }, size: bytes.length, url } },
      }
    })
    server.put(`${base}/${version}/builds`, answer)
  }
}

export interface PurpurVersion {
  id: string
  builds: { build: string; commits?: string[]; result?: string; jar?: Buffer }[]
}

/** Versions of Purpur and their builds, oldest first. */
export function offerPurpur(server: CatalogServer, versions: PurpurVersion[], current?: string): void {
  const base = '/purpur/v2/purpur'
  server.put(base, {
    project: 'purpur',
    metadata: { current: current ?? versions.at(-1)?.id },
    versions: versions.map(({ id }) => id),
  })
  for (const { id, builds } of versions) {
    const all = builds.map(({ build, commits = [], result = 'SUCCESS', jar }) => {
      const bytes = jar ?? bytesOf(`purpur ${id} ${build}`)
      server.put(`${base}/${id}/${build}/download`, bytes)
      return {
        ...{
          project: 'purpur',
          version: id,
          build,
          result,
          timestamp: Date.UTC(2026, 4, 1),
          duration: 90_000,
        },
        commits: commits.map((description) => ({ author: 'A', description, hash: 'f00', timestamp: 1 })),
        md5: hash('md5', bytes),
      }
    })
    server.put(`${base}/${id}?detailed=true`, { builds: { latest: builds.at(-1)?.build, all } })
  }
}

/** Fabric: versions of the game and of the loader, newest first; `jars` by `GAME/LOADER`. */
export function offerFabric(
  server: CatalogServer,
  {
    games,
    loaders,
    installers = [{ version: '1.1.0', stable: true }],
    jars = {},
  }: {
    games: { version: string; stable: boolean }[]
    loaders: { version: string; stable: boolean }[]
    installers?: { version: string; stable: boolean }[]
    jars?: Record<string, Buffer>
  },
): void {
  const base = '/fabric/v2/versions'
  const maven = (name: string) => ({ maven: `net.fabricmc:${name}` })
  server.put(`${base}/game`, games)
  server.put(`${base}/installer`, installers.map((one) => ({ ...one, ...maven('fabric-installer'), url: '' }))) // prettier-ignore
  for (const { version } of games) {
    const answer = loaders.map((loader) => ({
      loader: { separator: '.', build: 1, ...maven('fabric-loader'), ...loader },
      intermediary: { ...maven('intermediary'), version, stable: true },
    }))
    server.put(`${base}/loader/${version}`, answer)
  }
  for (const [key, jar] of Object.entries(jars))
    for (const { version } of installers) server.put(`${base}/loader/${key}/${version}/server/jar`, jar)
}

/** A file of a Maven repository with its checksums beside it. Answers its address. */
export function offerMaven(
  server: CatalogServer,
  path: string,
  jar: Buffer,
  beside = ['sha256', 'sha1'],
): string {
  for (const algorithm of beside) server.put(`${path}.${algorithm}`, hash(algorithm, jar))
  return server.put(path, jar)
}

/** Quilt: versions of the game and of the loader, newest first, and its installers. */
export function offerQuilt(
  server: CatalogServer,
  games: { version: string; stable: boolean }[],
  loaders: string[],
  installers: { version: string; jar?: Buffer; beside?: string[] }[],
): void {
  const base = '/quilt/v3/versions'
  server.put(`${base}/game`, games)
  server.put(
    `${base}/loader`,
    loaders.map((version) => ({ separator: '.', build: 1, maven: 'org.quiltmc:quilt-loader', version })),
  )
  const listed = installers.map(({ version, jar, beside }) => {
    const path = `/quilt/repository/release/org/quiltmc/quilt-installer/${version}/quilt-installer-${version}.jar`
    const url = offerMaven(server, path, jar ?? bytesOf(`Quilt's installer ${version}`), beside)
    return { url, maven: 'org.quiltmc:quilt-installer', version }
  })
  server.put(`${base}/installer`, listed)
}

/** NeoForge: its builds, oldest first, and what it made as Forge; `jars` by version. */
export function offerNeoForge(
  server: CatalogServer,
  versions: string[],
  { asForge, jars = {} }: { asForge?: string[]; jars?: Record<string, Buffer> } = {},
): void {
  const lists = { neoforge: versions, ...(asForge && { forge: asForge }) }
  for (const [artifact, all] of Object.entries(lists)) {
    server.put(`/neoforge/api/maven/versions/releases/net/neoforged/${artifact}`, {
      isSnapshot: false,
      versions: all,
    })
    for (const version of all) {
      const name = encodeURIComponent(version)
      const path = `/neoforge/releases/net/neoforged/${artifact}/${name}/${artifact}-${name}-installer.jar`
      offerMaven(server, path, jars[version] ?? bytesOf(`NeoForge ${version}`))
    }
  }
}

/** Forge: its builds, newest first, as `MINECRAFT-FORGE`, and its promotions. */
export function offerForge(
  server: CatalogServer,
  versions: string[],
  promos: Record<string, string>,
  jars: Record<string, Buffer> = {},
): void {
  const artifact = '/net/minecraftforge/forge'
  server.put(`/forge${artifact}/promotions_slim.json`, { homepage: 'https://forge.example/', promos })
  const listed = versions.map((version) => `      <version>${version}</version>`).join('\n')
  server.put(
    `/forgeMaven${artifact}/maven-metadata.xml`,
    `<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>net.minecraftforge</groupId>
  <artifactId>forge</artifactId>
  <versioning>
    <release>${versions[0]}</release>
    <latest>${versions[0]}</latest>
    <versions>
${listed}
    </versions>
  </versioning>
</metadata>
`,
  )
  for (const version of versions) {
    const path = `/forgeMaven${artifact}/${version}/forge-${version}-installer.jar`
    offerMaven(server, path, jars[version] ?? bytesOf(`Forge ${version}`))
  }
}
