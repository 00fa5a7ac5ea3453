import { z } from 'zod'
import { otherNamesOf } from '../../../contract/declarations/also-named.ts'
import { mayBeUnsaid } from '../../../contract/declarations/operation.ts'
import { Findings } from './drift.ts'
import { type Fields, isFields, Names, own } from './fields.ts'
import { LeafReader, MISFIT, type Reader } from './leaf-reader.ts'
import { type Kind, kindOf, scalarOf } from './scalars.ts'

const readers = new WeakMap<z.ZodType, Reader>()

/** Cached; depends on the schema alone. */
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
      // An earlier option that can read the value wins.
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
  /** The schema requires it, or at least `null`, and may accept `null`. */
  needed: boolean
  nullable: boolean
  synonyms: readonly string[]
  reader: Reader
  /** If missing, it is shown as unknown. */
  unsaid: boolean
}

class ObjectReader implements Reader {
  readonly kind = 'object'
  readonly #schema: z.ZodObject
  readonly #fields: readonly Field[]
  readonly #declared: ReadonlyMap<string, Field>
  /** Number of required fields; null if the schema demands more than its fields. */
  readonly #needed: number | null
  /** Fields whose values may contain misnamed ones. */
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
      unsaid: mayBeUnsaid.has(field),
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
    // The parser drops only unknown fields, so comparing counts is enough and faster.
    if (Object.keys(raw as Fields).length !== Object.keys(data).length && this.#mayBeElsewhere(raw as Fields))
      return MISFIT
    for (const { name, reader } of this.#deep) if (reader.hides((raw as Fields)[name])) return MISFIT
    return data
  }

  read(raw: unknown, findings: Findings): unknown {
    if (!isFields(raw)) return MISFIT
    // The schema can't see that a long integer isn't a string.
    const exact = findings.long.size > 0 ? MISFIT : this.exact(raw)
    return exact === MISFIT ? this.#tolerate(raw, findings) : exact
  }

  hides(raw: unknown): boolean {
    if (!isFields(raw)) return false
    if (this.#mayBeElsewhere(raw)) return true
    for (const { name, reader } of this.#deep) if (reader.hides(raw[name])) return true
    return false
  }

  #mayBeElsewhere(raw: Fields): boolean {
    for (const name in raw)
      if (!this.#declared.has(name)) return this.#fields.some((field) => own(raw, field.name) === undefined)
    return false
  }

  knows(raw: unknown): number {
    if (!isFields(raw)) return 0
    const names = new Names(raw, this.#declared)
    return this.#fields.filter(
      ({ name, synonyms }) => own(raw, name) !== undefined || names.of(name, synonyms).length > 0,
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

/** Strips optional and nullable. */
export const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema

/** Whether the schema's parser may silently drop a part of the value. */
function canHide(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return canHide(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return canHide(schema.element as z.ZodType)
  return schema instanceof z.ZodObject || scalarOf(schema)?.words !== undefined
}

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
  return field.unsaid ? { kind: 'unknown', raw: '' } : MISFIT
}
