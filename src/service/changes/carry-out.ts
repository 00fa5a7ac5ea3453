import type { PackRecord } from './pack-record.ts'
import type { CopyRecord } from './copy-records.ts'
import { gone, type SoftwareChoice } from './change-words.ts'
import { type DimensionMove, moveDimensions } from './dimension-moves.ts'
import { finishPack, removeFormer, swap, type Settling } from './settle.ts'
import type { TouchedFiles } from './touched-files.ts'

/** A change of which everything is ready. */
export interface ReadyChange {
  /** What leads back. */
  copy: CopyRecord
  /** There was nothing before: the copy is of an empty folder, and the one before it goes on leading back. */
  isFromNothing: boolean
  to: SoftwareChoice
  license: { by: string; at: number } | null
  /** The modpack that comes with it. */
  brought: PackRecord | null
  /** Folders of the world that lie elsewhere with it. */
  moves: readonly DimensionMove[]
  /** Nobody has changed meanwhile what is replaced or removed. */
  touched: Pick<TouchedFiles, 'requireUnchanged'>
  /** Moves what is installed into its place. */
  place: (() => void) | undefined
  /** What is there when it has to be taken back. */
  aside: () => CopyRecord
}

/**
 * Decides a change and carries it out; nothing waits in between, so nothing of this process comes between its steps. Throws;
 * then everything is as it was, or the journal is open.
 */
export function carryOut(settling: Settling, ready: ReadyChange): void {
  const { serverId, store, records, copies, changed } = settling
  const { copy, to, license, brought, moves } = ready
  ready.touched.requireUnchanged()
  const [former, wanted] = [copies.current, copies.wantedPack]
  const coming = brought && { id: brought.id, remove: brought.removed }
  if (brought) copies.addPack(brought)
  const more = { ...(coming && { pack: coming }), ...(moves.length > 0 && { moves: [...moves] }) }
  copies.journal = { kind: 'change', copy, to, ...more }
  const row = store.servers.setSoftware(serverId, { id: to.id, version: to.version }, license)
  if (!row) throw gone()
  changed(row)
  records.promote(serverId)
  copies.current = copy
  try {
    if (coming) finishPack(settling, coming)
    moveDimensions(settling.files, moves)
    ready.place?.()
    // Also where no pack came: whoever chose other software since does not wait for it any more.
    copies.wantedPack = null
    copies.journal = null
  } catch (error) {
    takeBack(settling, ready, error)
    copies.current = former
    copies.wantedPack = wanted
    throw error
  }
  removeFormer(settling.files.root, copy, settling)
  if (ready.isFromNothing) copies.current = former
}

/** Takes back what was decided. Where that fails too, the journal is still open. */
function takeBack(settling: Settling, { copy, aside }: ReadyChange, why: unknown): void {
  try {
    swap(settling, copy, aside())
  } catch (error) {
    throw new AggregateError([why, error], 'a change could not be taken back', { cause: error })
  }
}
