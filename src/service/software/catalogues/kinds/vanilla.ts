import { refusal } from '../../../base/refusal.ts'
import type { Build, Catalogue, Channel, Release, Version } from '../../catalogue.ts'
import { chosenBuild } from './choice.ts'
import type { Mojang } from './mojang.ts'
import { javaByTable } from '../minecraft-java.ts'
import { fileName, isoOf, safeFileUrl } from '../shapes.ts'

/** Never had server downloads. */
const WITHOUT_SERVER = new Set(['old_alpha', 'old_beta'])

const channelOfType = (type: string): Channel =>
  type === 'release' ? 'release' : type === 'snapshot' ? 'snapshot' : 'experimental'

/** One build per version. */
export class Vanilla implements Catalogue {
  readonly #mojang: Mojang

  constructor(mojang: Mojang) {
    this.#mojang = mojang
  }

  async versions(signal: AbortSignal): Promise<Version[]> {
    const { latest, versions } = await this.#mojang.manifest(signal)
    return versions
      .filter(({ type }) => !WITHOUT_SERVER.has(type))
      .map(({ id, type, releaseTime }) => ({
        id,
        channel: channelOfType(type),
        ...(id === latest?.release && { recommended: true }),
        releasedAt: isoOf(releaseTime),
      }))
      .sort((a, b) => (b.releasedAt ?? '').localeCompare(a.releasedAt ?? ''))
  }

  async builds(): Promise<Build[]> {
    return []
  }

  async release(version: string, build: string | null, signal: AbortSignal): Promise<Release> {
    if (build !== null) chosenBuild([], build, 'Vanilla', version)
    const { downloads, javaVersion } = await this.#mojang.details(version, signal)
    const { server } = downloads
    if (!server) throw refusal(422, 'software.no-server', { version }).at('software.version')
    return {
      version,
      build: null,
      java: { major: javaVersion?.majorVersion ?? javaByTable(version), exact: false },
      file: {
        url: safeFileUrl(server.url, this.#mojang.base, 'Mojang'),
        name: fileName(`minecraft_server.${version}.jar`),
        size: server.size,
        checksum: server.sha1,
      },
      form: 'jar',
    }
  }
}
