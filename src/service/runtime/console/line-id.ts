import { parseLineId } from '../../../contract/rules/line-ids.ts'

/** A position in a server's console: the line `seq` of the epoch `epoch`. Both count from 1. */
export interface LinePosition {
  epoch: number
  seq: number
}

/** Longest number of an id, in digits: a double holds it exactly. */
const DIGITS_MOST = 15

/** Reads the id of a line of ours. Null where the text is none. */
export function positionOf(text: string): LinePosition | null {
  const id = text.length <= 2 * DIGITS_MOST + 1 ? parseLineId(text) : null
  if (!id || !/^\d{1,15}$/.test(id.epoch) || id.seq >= 10 ** DIGITS_MOST) return null
  return { epoch: Number(id.epoch), seq: id.seq }
}
