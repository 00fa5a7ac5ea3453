import { z } from 'zod'
import { idResourceOf, otherNamesOf } from '../../../contract/areas/also-named.ts'
import { Findings } from './drift.ts'
import { type Fields, isFields, Names, own } from './fields.ts'
import { standing } from './as-it-stands.ts'
import { type Kind, kindOf, type Scalar, scalarOf } from './scalars.ts'

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

const readers = new WeakMap<z.ZodType, Reader>()

/** The reader of a schema. It is made once and derived from the schema alone. */
export function readerOf(schema: z.ZodType): Reader {
  let reader = readers.get(schema)
  if (!reader) readers.set(schema, (reader = makeReader(schema)))
  return reader
}

function makeReader(schema: z.ZodType): Reader {
  if (schema instanceof z.ZodObject) return new ObjectReader(schema)
  if (schema instanceof z.ZodArray) return new ArrayReader(readerOf(schema.element as z.ZodType))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return readerOf(schema.unwrap() as z.ZodType)
  const scalar = scalarOf(schema)
  if (!scalar && schema instanceof z.ZodUnion)
    return new UnionReader((schema.options as z.ZodType[]).map(readerOf))
  return new LeafReader(schema, scalar)
}

/** A value without fields: by its schema, else as one of another kind that says the same. */
class LeafReader implements Reader {
  readonly #schema: z.ZodType
  readonly #scalar: Scalar | null
  readonly stands: (raw: unknown) => boolean
  readonly kind: Kind

  constructor(schema: z.ZodType, scalar: Scalar | null) {
    this.#schema = schema
    this.#scalar = scalar
    this.stands = standing(schema, scalar?.words)
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

/** The first of several shapes that fits. */
class UnionReader implements Reader {
  readonly #options: readonly Reader[]
  readonly kind: Kind

  constructor(options: readonly Reader[]) {
    this.#options = options
    this.kind = options[0]?.kind ?? 'object'
  }

  stands(raw: unknown): boolean {
    for (const option of this.#options) {
      if (option.stands(raw)) return true
      // What an earlier one can make something of is that.
      if (option.read(raw, new Findings()) !== MISFIT) return false
    }
    return false
  }

  exact = (raw: unknown) => this.read(raw, new Findings())

  read(raw: unknown, findings: Findings): unknown {
    for (const option of this.#options) {
      const value = option.read(raw, findings)
      if (value !== MISFIT) return value
    }
    return MISFIT
  }

  hides = () => false
  knows = (raw: unknown) => Math.max(...this.#options.map((option) => option.knows(raw)))
}

/** A list within a value. Only the items that do not fit are left out. */
class ArrayReader implements Reader {
  readonly kind = 'list'
  readonly #item: Reader

  constructor(item: Reader) {
    this.#item = item
  }

  stands(raw: unknown): boolean {
    if (!Array.isArray(raw)) return false
    for (const one of raw) if (!this.#item.stands(one)) return false
    return true
  }

  exact = (raw: unknown) => {
    if (this.stands(raw)) return raw
    if (!Array.isArray(raw)) return MISFIT
    const items = raw.map((one) => this.#item.exact(one))
    return items.includes(MISFIT) ? MISFIT : items
  }

  read(raw: unknown, findings: Findings): unknown {
    if (!Array.isArray(raw)) return MISFIT
    const items: unknown[] = []
    for (const [index, one] of raw.entries()) {
      findings.within(String(index), () => {
        const value = this.#item.read(one, findings)
        if (value === MISFIT) findings.note(this.#item.kind, kindOf(one))
        else items.push(value)
      })
    }
    return items
  }

  hides = (raw: unknown) => Array.isArray(raw) && raw.some((one) => this.#item.hides(one))
  knows = (raw: unknown) => (Array.isArray(raw) ? 1 : 0)
}

interface Field {
  name: string
  required: boolean
  /** Whether its schema wants it to be there, if only as `null`, and whether it takes `null`. */
  needed: boolean
  nullable: boolean
  synonyms: readonly string[]
  reader: Reader
}

class ObjectReader implements Reader {
  readonly kind = 'object'
  readonly #schema: z.ZodObject
  readonly #fields: readonly Field[]
  readonly #declared: ReadonlyMap<string, Field>
  /** How many fields the schema wants to be there; null where it asks for more than its fields say. */
  readonly #needed: number | null
  /** The fields whose values can hide something themselves. */
  readonly #deep: readonly Field[]

  constructor(schema: z.ZodObject) {
    this.#schema = schema
    const synonyms = otherNamesOf(schema)
    this.#fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
      name,
      required: !(field instanceof z.ZodOptional || field instanceof z.ZodNullable),
      needed: !(field instanceof z.ZodOptional),
      nullable: field.safeParse(null).data === null,
      synonyms: synonyms[name] ?? [],
      reader: readerOf(field),
    }))
    this.#declared = new Map(this.#fields.map((field) => [field.name, field]))
    const { catchall, checks = [] } = schema.def
    this.#needed = catchall || checks.length > 0 ? null : this.#fields.filter(({ needed }) => needed).length
    this.#deep = this.#fields.filter(({ name }) => canHide(schema.shape[name] as z.ZodType))
  }

  stands(raw: unknown): boolean {
    if (!isFields(raw)) return false
    let needed = 0
    for (const name in raw) {
      const field = this.#declared.get(name)
      if (field === undefined) return false
      const value = raw[name]
      if (value === null ? !field.nullable : !field.reader.stands(value)) return false
      if (field.needed) needed++
    }
    return needed === this.#needed
  }

  exact(raw: unknown): unknown {
    if (this.stands(raw)) return raw
    const strict = this.#schema.safeParse(raw)
    if (!strict.success) return MISFIT
    const { data } = strict
    // Counting is quicker than looking at each: the parser leaves out what it does not know, and nothing else.
    if (Object.keys(raw as Fields).length !== Object.keys(data).length && this.#mayBeElsewhere(raw as Fields))
      return MISFIT
    for (const { name, reader } of this.#deep) if (reader.hides((raw as Fields)[name])) return MISFIT
    return data
  }

  read(raw: unknown, findings: Findings): unknown {
    if (!isFields(raw)) return MISFIT
    // Of long integers it is told that they are no texts, which the schema cannot see.
    const exact = findings.long.size > 0 ? MISFIT : this.exact(raw)
    return exact === MISFIT ? this.#tolerate(raw, findings) : exact
  }

  hides(raw: unknown): boolean {
    if (!isFields(raw)) return false
    if (this.#mayBeElsewhere(raw)) return true
    for (const { name, reader } of this.#deep) if (reader.hides(raw[name])) return true
    return false
  }

  /** Whether there is a foreign name, and a field that it could hold. */
  #mayBeElsewhere(raw: Fields): boolean {
    for (const name in raw)
      if (!this.#declared.has(name)) return this.#fields.some((field) => own(raw, field.name) === undefined)
    return false
  }

  knows(raw: unknown): number {
    if (!isFields(raw)) return 0
    const names = new Names(raw, this.#declared)
    return this.#fields.filter(
      ({ name, synonyms }) => own(raw, name) !== undefined || !names.of(name, synonyms).next().done,
    ).length
  }

  #tolerate(raw: Fields, findings: Findings): unknown {
    const names = new Names(raw, this.#declared)
    const value: Record<string, unknown> = {}
    for (const field of this.#fields) {
      const found = findings.within(field.name, () => {
        const one = readField(raw, names, field, findings)
        if (one === MISFIT && field.required) findings.misfit = findings.here
        return one
      })
      if (found !== MISFIT) value[field.name] = found
      else if (field.required) return MISFIT
    }
    return value
  }
}

/** Whether a value of this schema can be passed over in part by the schema's own parser. */
function canHide(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return canHide(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return canHide(schema.element as z.ZodType)
  return schema instanceof z.ZodObject || scalarOf(schema)?.words !== undefined
}

/** A field under its own name, else under one that means the same. MISFIT where none holds what fits. */
function readField(raw: Fields, names: Names, field: Field, findings: Findings): unknown {
  const { name, reader, synonyms } = field
  const exact = own(raw, name)
  if (exact !== undefined) {
    const value = reader.read(exact, findings)
    if (value !== MISFIT) return value
  }
  for (const other of names.of(name, synonyms)) {
    const given = own(raw, other)
    if (given === undefined) continue
    const value = findings.under(other, () => {
      const read = reader.read(given, findings)
      if (read !== MISFIT) findings.note(reader.kind, kindOf(given))
      return read
    })
    if (value !== MISFIT) return value
  }
  if (exact !== undefined || field.required) findings.note(reader.kind, kindOf(exact))
  return MISFIT
}
