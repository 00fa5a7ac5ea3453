/** A line's id, `epoch-seq`, taken apart. Within an epoch `seq` counts up by one. */
export interface LineId {
  epoch: string
  seq: number
}

/** Takes an id apart; null where it is not of the form `epoch-seq`. */
export function parseLineId(id: string): LineId | null {
  const dash = id.lastIndexOf('-')
  const seq = Number(id.slice(dash + 1))
  return dash > 0 && dash < id.length - 1 && Number.isSafeInteger(seq) && seq >= 0
    ? { epoch: id.slice(0, dash), seq }
    : null
}

export const formatLineId = ({ epoch, seq }: LineId): string => `${epoch}-${seq}`

/** Whether two ids name the same line. */
export function sameLine(a: LineId, b: LineId | null): boolean {
  return b !== null && a.epoch === b.epoch && a.seq === b.seq
}
