import { z } from 'zod'
import {
  apartIn,
  isTextAlone,
  otherNamesOf,
  type SecretPlaces,
  secretPlacesOf,
  thingsOf,
} from '../../../contract/declarations/also-named.ts'
import { type Flags, flagsOf } from '../../../contract/declarations/operation.ts'
import { Findings } from './drift.ts'
import { type Fields, isFields, Names, own } from './fields.ts'
import { LeafReader } from './leaf-reader.ts'
import { MISFIT, type Reader } from './reading.ts'
import { type Kind, kindOf, scalarOf } from './scalars.ts'
import { withSecret } from './secret.ts'
import { wrappedIn } from './wrapped.ts'

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
  flags: Flags | undefined
  /** Its fields may be flattened into the parent. */
  isApart: boolean
}

const WRAPPERS_MOST = 4

class ObjectReader implements Reader {
  readonly kind = 'object'
  readonly #schema: z.ZodObject
  readonly #fields: readonly Field[]
  readonly #declared: ReadonlyMap<string, Field>
  /** Number of required fields; null if the schema demands more than its fields. */
  readonly #needed: number | null
  /** Fields whose values may contain misnamed ones. */
  readonly #deep: readonly Field[]
  readonly #things: readonly string[]
  /** The token field; if missing, it is looked for in the few known places. */
  readonly #secret: Field | undefined
  readonly #places: SecretPlaces | undefined
  /** The only required field, if not an object: a bare string stands for it. */
  readonly #only: Field | undefined

  constructor(schema: z.ZodObject) {
    this.#schema = schema
    const synonyms = otherNamesOf(schema)
    const apart = apartIn(schema)
    this.#fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
      name,
      required: !(field instanceof z.ZodOptional || field instanceof z.ZodNullable),
      needed: !(field instanceof z.ZodOptional),
      nullable: field.safeParse(null).data === null,
      synonyms: synonyms[name] ?? [],
      reader: readerOf(field),
      flags: flagsOf.get(unwrapped(field)),
      isApart: apart.includes(name),
    }))
    this.#things = thingsOf(schema)
    this.#secret = this.#fields.find(({ name }) => isTextAlone(schema.shape[name] as z.ZodType))
    this.#places = secretPlacesOf(schema)
    const required = this.#fields.filter((field) => field.required && !field.flags?.unsaid)
    this.#only = required.length === 1 && required[0]?.reader instanceof LeafReader ? required[0] : undefined
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
    if (!isFields(raw)) return this.#inPlace(raw, findings)
    // The schema can't see that a long integer isn't a string.
    const exact = findings.long.size > 0 ? MISFIT : this.exact(raw)
    return exact === MISFIT ? this.#find(raw, findings, WRAPPERS_MOST) : exact
  }

  /** A string or number in place of the object becomes its only required field. */
  #inPlace(raw: unknown, findings: Findings): unknown {
    // A whole answer that is a string may mean anything, such as `OK`.
    if (!this.#only || findings.here === '' || !this.#only.reader.stands(raw)) return MISFIT
    const value = this.#tolerate({ [this.#only.name]: raw }, findings)
    if (value !== MISFIT) findings.note('object', kindOf(raw))
    return value
  }

  #find(raw: Fields, findings: Findings, depth: number): unknown {
    if (this.#secret) return this.#findSecret(raw, this.#secret, findings)
    const wrapped =
      depth > 0 ? wrappedIn(raw, this.#things, this.#declared, (fields) => this.knows(fields)) : null
    if (!wrapped) return this.#tolerate(raw, findings)
    const { name, value, merged } = wrapped
    const here = this.#fields.some(({ required }) => required) ? this.#tolerate(raw, findings.anew()) : MISFIT
    if (here !== MISFIT) return this.#tolerate(raw, findings)
    if (!merged || findings.here !== '') findings.note('object', 'object', name)
    return merged
      ? this.#find(value, findings, depth - 1)
      : findings.within(name, () => this.#find(value, findings, depth - 1))
  }

  #findSecret(raw: Fields, field: Field, findings: Findings): unknown {
    const holds = (fields: Fields) => this.#tolerate(fields, findings.anew()) !== MISFIT
    const found = this.#places && !holds(raw) ? withSecret(raw, field.name, this.#places, holds) : null
    // A profile can't name the place where it was found.
    if (found)
      findings.within(field.name, () => findings.note(field.reader.kind, kindOf(own(raw, field.name))))
    return this.#tolerate(found ?? raw, findings)
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
    const names = new Names(raw, this.#declared, this.#things)
    return this.#fields.filter(
      ({ name, synonyms }) => own(raw, name) !== undefined || !names.of(name, synonyms).next().done,
    ).length
  }

  /** A flattened value; MISFIT if incomplete. */
  apart(raw: Fields): unknown {
    const value = this.#tolerate(raw, new Findings())
    return isFields(value) && this.#fields.every(({ name }) => own(value, name) !== undefined)
      ? value
      : MISFIT
  }

  #tolerate(raw: Fields, findings: Findings): unknown {
    const names = new Names(raw, this.#declared, this.#things)
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
  if (field.isApart && !isFields(exact) && reader instanceof ObjectReader) {
    const value = reader.apart(raw)
    if (value !== MISFIT) {
      findings.note(reader.kind, kindOf(exact))
      return value
    }
  }
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
  const { flags } = field
  if (!flags || !(reader instanceof LeafReader)) return MISFIT
  const said = reader.flagged(names, flags)
  return said === MISFIT && flags.unsaid && field.required ? { kind: 'unknown', raw: '' } : said
}
