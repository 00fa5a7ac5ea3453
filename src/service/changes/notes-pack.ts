import { changedMeanwhile } from './change-words.ts'
import type { CopyRecords } from './copy-records.ts'

/** The returned function throws 409 `server.changed` if the server no longer wants the pack. */
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
