/** Console line id, `epoch-seq`. Within an epoch `seq` increases by one. */
export interface LineId {
  epoch: string
  seq: number
}

/** Null if it isn't `epoch-seq`. Other services may use any text as epoch. */
export function parseLineId(id: string): LineId | null {
  const dash = id.lastIndexOf('-')
  const digits = id.slice(dash + 1)
  const seq = Number(digits)
  return dash > 0 && /^\d+$/.test(digits) && Number.isSafeInteger(seq)
    ? { epoch: id.slice(0, dash), seq }
    : null
}

export const formatLineId = ({ epoch, seq }: { epoch: string | number; seq: number }): string =>
  `${epoch}-${seq}`

/** A gap up to `ahead` is believed only as far as lines continue after it; alone it may be wrong and moves nothing. */
export function standsAt(last: LineId | null, ahead: LineId | null, from: LineId): LineId | null {
  if (ahead?.epoch !== from.epoch) return last
  const seq = Math.min(ahead.seq, from.seq - 1)
  return last?.epoch === from.epoch && last.seq >= seq ? last : { epoch: from.epoch, seq }
}

export const sameLine = (a: LineId, b: LineId | null): boolean => a.epoch === b?.epoch && a.seq === b.seq
