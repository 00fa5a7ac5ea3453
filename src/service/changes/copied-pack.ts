import { changedMeanwhile } from './change-words.ts'
import type { CopyRecords } from './copy-records.ts'

/**
 * What notes for a copy of a server, as it is now, that it has the same modpack, or waits for the same one. That throws 409
 * `server.changed` where the server no longer waits for it: what was sent for it may be gone.
 */
export function notesPackOf(
  from: CopyRecords,
  copiesOf: (serverId: string) => CopyRecords,
): (to: string) => void {
  const { pack, wantedPack } = from
  return (to) => {
    const copies = copiesOf(to)
    if (pack) copies.addPack(pack)
    if (pack) copies.packId = pack.id
    if (!wantedPack) return
    if (from.wantedPack?.sent?.importId !== wantedPack.sent?.importId) throw changedMeanwhile()
    copies.wantedPack = wantedPack
  }
}
