import type { FileEntry } from '../../contract/bridge/values.ts'
import type { Transfer, TransferItem, TransferState } from '../../contract/bridge/transfer-values.ts'
import { away } from '../base/backoff.ts'
import type { TransferQueue } from './queue/queue.ts'
import type { ItemRow, TransferRow } from './store/rows.ts'

export interface ConflictQuestion {
  item: ItemRow
  theirs: FileEntry | null
}

export function summary(row: TransferRow, queue: TransferQueue, asked: ConflictQuestion | null): Transfer {
  const delay = row.state === 'active' ? queue.delay(row.id) : null
  const rate = queue.rate(row.id)
  return {
    id: row.id,
    kind: row.kind,
    state: stateOf(row, queue),
    name: row.name,
    others: row.others,
    server: { connectionId: row.connectionId, serverId: row.serverId },
    from:
      row.fromConnectionId === null
        ? null
        : { connectionId: row.fromConnectionId, serverId: row.fromServerId ?? '' },
    folder: row.folder,
    files: row.files,
    filesDone: row.done,
    filesFailed: row.failed,
    filesSkipped: row.skipped,
    bytes: row.bytes,
    bytesDone: row.bytesDone,
    rate,
    secondsLeft: secondsFor(row.bytesLeft, rate),
    problem: row.problem ?? delay?.problem ?? null,
    asking: asked && {
      itemId: String(asked.item.id),
      path: asked.item.path,
      size: asked.item.size,
      theirs: { size: asked.theirs?.size ?? null, modifiedAt: asked.theirs?.modifiedAt ?? null },
    },
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  }
}

function stateOf(row: TransferRow, queue: TransferQueue): TransferState {
  if (row.state !== 'active') return row.state
  const delay = queue.delay(row.id)
  const running = queue.isRunning(row.id)
  if (delay && !running) return away.has(delay.problem.code) ? 'offline' : 'waiting'
  if (row.asking > 0) return 'asking'
  if (running) return 'running'
  return row.gathering > 0 && row.open === 0 ? 'gathering' : 'waiting'
}

const secondsFor = (bytes: number, rate: number | null) => (rate ? Math.ceil(bytes / rate) : null)

export function itemView(item: ItemRow, queue: TransferQueue): TransferItem {
  const rate = queue.itemRate(item)
  return {
    id: String(item.id),
    path: item.path,
    kind: item.kind,
    size: item.size,
    bytesDone: item.bytesDone,
    rate,
    secondsLeft: secondsFor(item.size - item.bytesDone, rate),
    state: item.state,
    finalPath: item.finalPath,
    problem: item.problem,
  }
}
