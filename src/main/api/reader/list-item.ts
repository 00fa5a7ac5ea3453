import { z } from 'zod'
import { thingsOf } from '../../../contract/declarations/also-named.ts'
import { otherWords } from '../../../contract/declarations/operation.ts'
import { Findings } from './drift.ts'
import { isFields } from './fields.ts'
import { readerOf, unwrapped } from './reader.ts'
import { MISFIT, type Reader } from './reading.ts'
import { plain } from './scalars.ts'
import { isAboutOthers } from './wrapped.ts'

/** What a list's name says about its items: `folders` contains folders. */
export interface Said {
  field: string
  word: string
}

export const LOOKED_AT = 20

/** The item type of a list: recognizes matching lists and splits other containers. */
export class ListItem {
  readonly #reader: Reader
  readonly #schema: z.ZodType
  readonly #by: string | null
  readonly #inNames: (one: unknown) => unknown

  /** @param by field that identifies items */
  constructor(schema: z.ZodType, by: string | null, inNames: (one: unknown) => unknown = (one) => one) {
    this.#reader = readerOf(schema)
    this.#schema = schema
    this.#by = by
    this.#inNames = inNames
  }

  fits(one: unknown): boolean {
    return this.#read(one) !== MISFIT
  }

  fitsSome(list: readonly unknown[]): boolean {
    return list.slice(0, LOOKED_AT).some((one) => this.fits(one))
  }

  said(name: string): Said | undefined {
    return isAboutOthers(name) ? undefined : wordsOf(this.#schema).get(plain(name))
  }

  /** Adds what the list's name says, unless the item says it itself. */
  saidOf(one: unknown, { field, word }: Said): unknown {
    const read = this.#read(one)
    if (!isFields(read)) return one
    const own = read[field] ?? ''
    const isUnsaid = own === '' || (isFields(own) && own['raw'] === '')
    if (!isUnsaid) return one
    return { ...(isFields(one) ? one : read), [field]: word }
  }

  /** The key serves as a missing ID. Undefined if it isn't an item. `strict`: its own ID must equal the key. */
  under(key: string, one: unknown, strict: boolean): unknown {
    const by = this.#by
    if (by === null || !isFields(one) || this.#reader.knows(this.#inNames(one)) === 0) return undefined
    const read = this.#read(one)
    if (isFields(read)) return !strict || String(read[by]) === key ? one : undefined
    const keyed = { ...one, [by]: key }
    return this.fits(keyed) ? keyed : undefined
  }

  idOf(one: unknown): string | undefined {
    const read = this.#by === null ? undefined : this.#read(one)
    return isFields(read) ? String(read[this.#by as string]) : undefined
  }

  isCalled(name: string): boolean {
    return thingsOf(this.#schema).some((thing) => plain(thing) === plain(name))
  }

  #read(one: unknown): unknown {
    // An item may be a plain string; a whole answer may not.
    const findings = new Findings()
    return findings.within('items', () => this.#reader.read(this.#inNames(one), findings))
  }
}

/** Schemas are permanent, and each is used for every answer. */
const wordsBySchema = new WeakMap<z.ZodType, ReadonlyMap<string, Said>>()

function wordsOf(schema: z.ZodType): ReadonlyMap<string, Said> {
  const known = wordsBySchema.get(schema)
  if (known) return known
  const said = new Map<string, Said>()
  wordsBySchema.set(schema, said)
  if (!(schema instanceof z.ZodObject)) return said
  const fields: Readonly<Record<string, z.ZodType>> = (schema as z.ZodObject<Record<string, z.ZodType>>).shape
  for (const [field, of] of Object.entries(fields)) {
    const schema = unwrapped(of)
    const words = otherWords.get(schema)
    const members = words && schema instanceof z.ZodUnion ? (schema.options[0] as z.ZodEnum).options : []
    for (const word of members.map(String))
      for (const one of [word, ...(words?.[word] ?? [])])
        for (const name of [one, one.replace(/y$/, 'ie') + 's']) said.set(plain(name), { field, word })
  }
  return said
}
