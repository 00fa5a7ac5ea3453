/** A place in a server's console: the line `seq` of the epoch `epoch`. Both count from 1. */
export interface Place {
  epoch: number
  seq: number
}

/** A place as it is written in answers: `epoch-seq`. */
export const lineId = (place: Place): string => `${place.epoch}-${place.seq}`

/** Reads a line id. Null where the text is none: whole numbers that a double holds exactly, joined by one `-`. */
export function parseLineId(text: string): Place | null {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text)
  return match ? { epoch: Number(match[1]), seq: Number(match[2]) } : null
}
