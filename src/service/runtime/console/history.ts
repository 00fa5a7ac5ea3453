import type { z } from 'zod'
import type { Line } from '../../../contract/areas/console.ts'
import type { ConsoleLog } from './console-log.ts'
import { positionOf } from './line-id.ts'
import type { LinePosition } from './line-id.ts'

/** Soft limit: a page includes the line that exceeds it. Lines can have 16 KiB. */
const PAGE_BYTES = 1024 * 1024
const STEP_LINES = 500

type LineInput = z.input<typeof Line> & { id: string }

/** Oldest line first. `nextCursor` continues in the same direction; null at the end. */
interface HistoryPage {
  items: LineInput[]
  nextCursor: string | null
}

/** Missing lines are skipped. */
export async function linesAfter(
  log: ConsoleLog,
  after: LinePosition,
  limit: number,
  mostBytes = PAGE_BYTES,
): Promise<HistoryPage> {
  const cursor = log.cursor(after)
  const items: LineInput[] = []
  let bytes = 0
  while (items.length < limit && bytes < mostBytes) {
    const piece = await cursor.read(limit - items.length)
    if (!piece) break
    if (piece.kind !== 'lines') continue
    bytes += piece.bytes.length
    items.push(...parse(piece.bytes))
  }
  return { items, nextCursor: cursor.ready ? (items.at(-1)?.id ?? null) : null }
}

export async function linesBefore(
  log: ConsoleLog,
  before: LinePosition | null,
  limit: number,
): Promise<HistoryPage> {
  const newest = { epoch: log.epoch, seq: log.last + 1 }
  let end = before && isBefore(before, newest) ? before : newest
  const pages: LineInput[][] = []
  let missing = limit
  let bytes = 0
  let more: boolean
  for (;;) {
    const count = heldBefore(log, end, Math.min(missing, STEP_LINES))
    if (count > 0) {
      const start = { epoch: end.epoch, seq: end.seq - count }
      const page = await linesAfter(log, { epoch: start.epoch, seq: start.seq - 1 }, count, Infinity)
      const lines = page.items.filter((line) => isBefore(positionOf(line.id)!, end))
      bytes += lines.reduce((sum, { text }) => sum + text.length, 0)
      pages.unshift(lines)
      missing -= count
      end = start
    }
    const previous = heldBefore(log, end, 1) > 0 ? end : endBefore(log, end)
    more = previous !== null
    if (!previous || missing <= 0 || bytes >= PAGE_BYTES) break
    end = previous
  }
  const items = pages.flat()
  return { items, nextCursor: more ? (items[0]?.id ?? null) : null }
}

const parse = (bytes: Buffer): LineInput[] => JSON.parse(`[${bytes.toString()}]`) as LineInput[]

const isBefore = (a: LinePosition, b: LinePosition): boolean =>
  a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq)

function heldBefore(log: ConsoleLog, end: LinePosition, limit: number): number {
  if (end.epoch !== log.epoch) return log.archive.storedBefore(end, limit)
  const inRing = Math.max(0, end.seq - log.ringFirst)
  if (inRing >= limit) return limit
  return inRing + log.archive.storedBefore({ epoch: end.epoch, seq: end.seq - inRing }, limit - inRing)
}

/** Exclusive end of the nearest stored lines before a gap, possibly in an earlier epoch. */
function endBefore(log: ConsoleLog, position: LinePosition): LinePosition | null {
  const hole = log.archive.endBefore(position)
  if (hole !== null) return { epoch: position.epoch, seq: hole }
  for (const epoch of log.archive.epochs().reverse()) {
    if (epoch >= position.epoch) continue
    const end = log.archive.endBefore({ epoch, seq: Infinity })
    if (end !== null) return { epoch, seq: end }
  }
  return null
}
