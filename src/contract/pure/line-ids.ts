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

/** Whether two ids name the same line. */
export const sameLine = (a: LineId, b: LineId | null): boolean => a.epoch === b?.epoch && a.seq === b.seq
