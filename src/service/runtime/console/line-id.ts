import { parseLineId } from '../../../contract/rules/line-ids.ts'

/** Both count from 1. */
export interface LinePosition {
  epoch: number
  seq: number
}

/** Exact in a double. */
const DIGITS_MOST = 15

export function positionOf(text: string): LinePosition | null {
  const id = text.length <= 2 * DIGITS_MOST + 1 ? parseLineId(text) : null
  if (!id || !/^\d{1,15}$/.test(id.epoch) || id.seq >= 10 ** DIGITS_MOST) return null
  return { epoch: Number(id.epoch), seq: id.seq }
}
