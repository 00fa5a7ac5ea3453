import type { Findings } from './drift.ts'
import type { Kind } from './scalars.ts'

/** The value doesn't fit and can't be converted. */
export const MISFIT = Symbol('misfit')

/** Reads values tolerantly (contract.md, "Tolerance"): an unreadable optional field counts as not given. */
export interface Reader {
  readonly kind: Kind
  read(raw: unknown, findings: Findings): unknown
  /** Whether the value matches the contract unchanged. Cheapest check, asked first: nearly all values do. */
  stands(raw: unknown): boolean
  /** The value without fields unknown to the contract, if it matches; else MISFIT. */
  exact(raw: unknown): unknown
  /** Whether `raw` may contain, under another name, something the schema's parser dropped. */
  hides(raw: unknown): boolean
  /** Number of known fields in `raw`, under any name. */
  knows(raw: unknown): number
}
