import { isWithin } from '../../contract/rules/json-bounds.ts'

/** Checks JSON before parsing: a megabyte of commas would be half a million values to validate and report. */
export const isModest = (bytes: Uint8Array, mostValues: number, mostDepth: number): boolean =>
  isWithin({ values: mostValues, depth: mostDepth }, bytes)

/** Throws SyntaxError, also where it is made of more. */
export function parseModest(text: string, mostValues: number, mostDepth: number): unknown {
  if (!isModest(Buffer.from(text), mostValues, mostDepth))
    throw new SyntaxError('It is made of too many values.')
  return JSON.parse(text)
}
