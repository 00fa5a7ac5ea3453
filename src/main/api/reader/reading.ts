import type { Findings } from './drift.ts'
import type { Kind } from './scalars.ts'

/** The value does not fit, and nothing can be made of it. */
export const MISFIT = Symbol('misfit')

/**
 * Reads values of one schema tolerantly (contract.md, "Tolerance"): what a view cannot do without is required, all else
 * that is missing or of another kind is "not given".
 */
export interface Reader {
  readonly kind: Kind
  /** The value as the schema has it, or MISFIT. */
  read(raw: unknown, findings: Findings): unknown
  /**
   * Whether the value keeps to the contract as it stands, so that nothing has to be left out, converted or looked for. Nearly
   * all do, so this is the cheapest question and the first.
   */
  stands(raw: unknown): boolean
  /** The value where it keeps to the contract, if need be without what the contract does not know; else MISFIT. */
  exact(raw: unknown): unknown
  /** Whether something that the schema's own parser passed over could stand in `raw` under another name. */
  hides(raw: unknown): boolean
  /** How many of the fields that this reads `raw` holds, under whatever name. */
  knows(raw: unknown): number
}
