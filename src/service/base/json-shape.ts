import { isWithin } from '../../contract/rules/json-bounds.ts'

/**
 * Whether JSON holds no more values, and is no deeper, than is taken. It is looked at before it is parsed: a megabyte of
 * commas is half a million values, each of which would be checked and complained about by itself.
 */
export const isModest = (bytes: Uint8Array, mostValues: number, mostDepth: number): boolean =>
  isWithin({ values: mostValues, depth: mostDepth }, bytes)
