import type { PackRecord } from './pack-record.ts'
import type { CopyRecord } from './copy-records.ts'
import { gone, type SoftwareChoice } from './change-words.ts'
import { type DimensionMove, moveDimensions } from './dimension-moves.ts'
import { finishPack, removeFormer, swap, type SettleContext } from './settle.ts'
import type { TouchedFiles } from './touched-files.ts'

export interface ReadyChange {
  copy: CopyRecord
  /** Nothing existed before: the copy is of an empty folder, so the previous copies stay. */
  isFromNothing: boolean
  to: SoftwareChoice
  license: { by: string; at: number } | null
  brought: PackRecord | null
  moves: readonly DimensionMove[]
  touched: Pick<TouchedFiles, 'requireUnchanged'>
  place: (() => void) | undefined
  /** Record for copying the current files if the change is undone. */
  aside: () => CopyRecord
}

/** Synchronous. If it throws, either nothing has changed or the journal is still open. */
export function carryOut(settling: SettleContext, ready: ReadyChange): void {
  const { serverId, store, records, copies, changed } = settling
  const { copy, to, license, brought, moves } = ready
  ready.touched.requireUnchanged()
  const [former, wanted] = [copies.list, copies.wantedPack]
  const coming = brought && { id: brought.id, remove: brought.removed }
  if (brought) copies.addPack(brought)
  const more = { ...(coming && { pack: coming }), ...(moves.length > 0 && { moves: [...moves] }) }
  copies.journal = { kind: 'change', copy, to, ...more }
  const row = store.servers.setSoftware(serverId, { id: to.id, version: to.version }, license)
  if (!row) throw gone()
  changed(row)
  records.promote(serverId)
  copies.add(copy)
  try {
    if (coming) finishPack(settling, coming)
    moveDimensions(settling.files, moves)
    ready.place?.()
    // Even without a pack: choosing other software cancels a wanted pack.
    copies.wantedPack = null
    copies.journal = null
  } catch (error) {
    takeBack(settling, ready, error)
    copies.list = former
    copies.wantedPack = wanted
    throw error
  }
  removeFormer(settling.files.root, copy, settling)
  if (ready.isFromNothing) copies.list = former
}

/** If this fails too, the journal stays open. */
function takeBack(settling: SettleContext, { copy, aside }: ReadyChange, why: unknown): void {
  try {
    swap(settling, copy, aside())
  } catch (error) {
    throw new AggregateError([why, error], 'a change could not be taken back', { cause: error })
  }
}
