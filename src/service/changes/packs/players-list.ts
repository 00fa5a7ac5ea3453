import type { z } from 'zod'
import { PACK_FILES_MOST, type PlayersList } from '../../../contract/areas/modpacks.ts'
import { addressForPlayers } from './pack-index.ts'
import type { PackRecord } from '../pack-record.ts'
import type { Packs } from './packs.ts'

export interface PlayedPack {
  serverId: string
  pack: PackRecord
  loader: string
}

/** Lists the versions the server has now, without what the user removed or disabled. */
export async function playersList(
  packs: Pick<Packs, 'known' | 'now'>,
  { serverId, pack, loader }: PlayedPack,
  signal: AbortSignal,
): Promise<z.input<typeof PlayersList>> {
  const brought = new Map(pack.files.map(({ path, sha1 }) => [path, sha1]))
  const now = await packs.now(serverId, pack, signal)
  const wanted: (PackRecord['players'][number] & { isAnother: boolean })[] = []
  for (const file of pack.players.slice(0, PACK_FILES_MOST)) {
    const sha1 = brought.get(file.path)
    const there = sha1 === undefined ? file : await now.inPlaceOf({ ...file, sha1, urls: [file.url] })
    if (there)
      wanted.push({
        ...{ ...file, path: there.path, sha512: there.sha512 },
        isAnother: there.sha512 !== file.sha512,
      })
  }
  const hashes = wanted.map(({ sha512 }) => sha512)
  const known = await packs.known(hashes, signal)
  const { version: minecraft, build } = pack.software
  return {
    ...{ name: pack.name, version: pack.version, url: pack.url, minecraft },
    loader: build === null ? null : `${loader} ${build}`,
    items: wanted.map(({ path, sha512, url, optional, isAnother }) => {
      const file = path.split('/').at(-1)!
      const about = known.get(sha512)
      return {
        ...{ name: about?.name ?? file, version: about?.version ?? null, file, optional },
        // The pack's URL is wrong for another version.
        url: about?.url ?? (isAnother ? null : addressForPlayers(url)),
      }
    }),
  }
}
