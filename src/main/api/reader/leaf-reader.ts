import { z } from 'zod'
import { idResourceOf } from '../../../contract/declarations/also-named.ts'
import { fastPath } from './fast-path.ts'
import type { Findings } from './drift.ts'
import { type Kind, kindOf, type Scalar } from './scalars.ts'

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

/** Reads a scalar by its schema, or converts an equivalent of another type. */
export class LeafReader implements Reader {
  readonly #schema: z.ZodType
  readonly #scalar: Scalar | null
  readonly stands: (raw: unknown) => boolean
  readonly kind: Kind

  constructor(schema: z.ZodType, scalar: Scalar | null) {
    this.#schema = schema
    this.#scalar = scalar
    this.stands = fastPath(schema, scalar?.words)
    this.kind = scalar?.kind ?? 'object'
  }

  exact(raw: unknown): unknown {
    if (this.stands(raw)) return raw
    if (this.#schema instanceof z.ZodLiteral) return MISFIT
    const parsed = this.#schema.safeParse(raw)
    return parsed.success && !this.hides(raw) ? parsed.data : MISFIT
  }

  read(raw: unknown, findings: Findings): unknown {
    const exact = this.exact(raw)
    if (exact === MISFIT && this.#schema instanceof z.ZodLiteral) return MISFIT
    if (typeof raw === 'number' && exact === MISFIT && Number.isInteger(raw) && !Number.isSafeInteger(raw))
      findings.rounded = true
    const isLong = findings.long.size > 0 && findings.long.has(raw as string)
    if (exact !== MISFIT && !isLong) return exact
    const converted = exact === MISFIT ? this.#schema.safeParse(this.#scalar?.convert(raw)).data : exact
    if (converted === undefined) return MISFIT
    const found = isLong ? 'number' : kindOf(raw)
    findings.note(this.kind, found)
    const resource = idResourceOf(this.#schema)
    if (resource !== undefined && found === 'number') findings.numbers.push([resource, converted as string])
    return converted
  }

  hides = (raw: unknown) => this.#scalar?.words?.has(raw) === false && this.#scalar.convert(raw) !== undefined
  knows = () => 0
}
