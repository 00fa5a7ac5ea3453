import { isWithin } from '../../contract/rules/json-bounds.ts'

/** Checks JSON before parsing: a megabyte of commas would be half a million values to validate and report. */
export const isModest = (bytes: Uint8Array, mostValues: number, mostDepth: number): boolean =>
  isWithin({ values: mostValues, depth: mostDepth }, bytes)
