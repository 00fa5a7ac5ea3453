import { refusal } from '../../../../host/refusal.ts'
import type { Catalog, Channel } from '../../catalog.ts'
import { chosenBuild } from './kind-catalog.ts'
import type { Mojang } from './mojang.ts'
import { javaByTable } from '../minecraft-java.ts'
import { fileName, isoOf, safeFileUrl } from '../../../../extensions/requests/shapes.ts'

/** Never had server downloads. */
const WITHOUT_SERVER = new Set(['old_alpha', 'old_beta'])

const channelOfType = (type: string): Channel =>
  type === 'release' ? 'release' : type === 'snapshot' ? 'snapshot' : 'experimental'

/** One build per version. */
export const vanilla = (mojang: Mojang): Catalog => ({
  async versions(signal) {
    const { latest, versions } = await mojang.manifest(signal)
    return versions
      .filter(({ type }) => !WITHOUT_SERVER.has(type))
      .map(({ id, type, releaseTime }) => ({
        id,
        channel: channelOfType(type),
        ...(id === latest?.release && { recommended: true }),
        releasedAt: isoOf(releaseTime),
      }))
      .sort((a, b) => (b.releasedAt ?? '').localeCompare(a.releasedAt ?? ''))
  },
  builds: async () => [],
  async release(version, build, signal) {
    if (build !== null) chosenBuild([], build, 'Vanilla', version)
    const { downloads, javaVersion } = await mojang.details(version, signal)
    const { server } = downloads
    if (!server) throw refusal(422, 'software.no-server', { version }).at('software.version')
    return {
      version,
      build: null,
      java: { major: javaVersion?.majorVersion ?? javaByTable(version), exact: false },
      file: {
        url: safeFileUrl(server.url, mojang.base, 'Mojang'),
        name: fileName(`minecraft_server.${version}.jar`),
        size: server.size,
        checksum: server.sha1,
      },
      form: 'jar',
    }
  },
})
