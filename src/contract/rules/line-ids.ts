/** The id of a console line, `epoch-seq`, taken apart. Within an epoch `seq` counts up by one. */
export interface LineId {
  epoch: string
  seq: number
}

/** Takes an id apart; null where it is not of the form `epoch-seq`. An epoch is any text, as other services have it. */
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

/**
 * Where a console stands when lines from `from` on come, after a gap up to `ahead` was told: what a gap says is gone counts
 * as far as the lines go on behind it. A gap alone moves nothing: it may be wrong, and no line is taken for seen for it.
 */
export function standsAt(last: LineId | null, ahead: LineId | null, from: LineId): LineId | null {
  if (ahead?.epoch !== from.epoch) return last
  const seq = Math.min(ahead.seq, from.seq - 1)
  return last?.epoch === from.epoch && last.seq >= seq ? last : { epoch: from.epoch, seq }
}

/** Whether two ids name the same line. */
export const sameLine = (a: LineId, b: LineId | null): boolean => a.epoch === b?.epoch && a.seq === b.seq
