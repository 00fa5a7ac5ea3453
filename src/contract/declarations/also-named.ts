import type { z } from 'zod'

/** Other names a field is known by at services that are not ours: field → names, the likeliest first. */
export type OtherNames = Readonly<Record<string, readonly string[]>>

const tables = new WeakMap<z.ZodType, OtherNames>()
const called = new WeakMap<z.ZodType, readonly string[]>()

/**
 * Notes under which other names a service may send fields of a schema. Names that differ in case and underscores alone
 * need no entry, nor do those that begin with what the thing is called, such as `server_id`. Answers the schema, so that
 * the table stands beside it.
 *
 * @param things what services call such a thing, before its fields' names and around it
 */
export function alsoNamed<S extends z.ZodObject>(
  schema: S,
  things: readonly string[],
  names: { readonly [Field in keyof S['shape']]?: readonly string[] } = {},
): S {
  tables.set(schema, names as OtherNames)
  called.set(schema, things)
  return schema
}

/** The table of a schema; empty where it has none. */
export const otherNamesOf = (schema: z.ZodType): OtherNames => tables.get(schema) ?? {}

/** What services call a thing of a schema. */
export const thingsOf = (schema: z.ZodType): readonly string[] => called.get(schema) ?? []

const takenApart = new WeakMap<z.ZodType, readonly string[]>()

/** Notes objects that a service may send taken apart: what is in them stands beside the other fields. Answers the schema. */
export function alsoApart<S extends z.ZodObject>(
  schema: S,
  fields: readonly (keyof S['shape'] & string)[],
): S {
  takenApart.set(schema, fields)
  return schema
}

/** The objects of a schema that may come taken apart. */
export const apartIn = (schema: z.ZodType): readonly string[] => takenApart.get(schema) ?? []

/** What a resource's own id is called where it is not `id`. */
export const ID_NAMES = ['_id', 'uuid', 'identifier', 'pk', 'slug'] as const

const texts = new WeakSet<z.ZodType>()

/** Marks a text that is never read from another kind of value, such as a token. Answers the schema. */
export function textAlone<S extends z.ZodType>(schema: S): S {
  texts.add(schema)
  return schema
}

export const isTextAlone = (schema: z.ZodType): boolean => texts.has(schema)

/** Where else the text of an answer that is a secret may stand. Names are compared without case, underscores and hyphens. */
export interface SecretPlaces {
  /** Objects that are about the signing-in itself. */
  within: readonly string[]
  /** Names that may mean something else, and count for a text that looks like a secret alone. */
  unsure: readonly string[]
  /** Headers, in lower case; looked at where the body has none. */
  headers: readonly string[]
}
const secrets = new WeakMap<z.ZodType, SecretPlaces>()

/** Notes where else the secret of an answer may stand. Answers the schema. */
export function secretAt<S extends z.ZodObject>(schema: S, places: SecretPlaces): S {
  secrets.set(schema, places)
  return schema
}

export const secretPlacesOf = (schema: z.ZodType): SecretPlaces | undefined => secrets.get(schema)

const lineNames = new WeakMap<z.ZodType, readonly string[]>()

/**
 * Marks what a list may hold as one text, a line for each, and under which names such a text stands, in lower case. Answers
 * the schema.
 */
export function lineByLine<S extends z.ZodObject>(schema: S, names: readonly string[]): S {
  lineNames.set(schema, names)
  return schema
}

/** Undefined where a list of such things never comes as one text. */
export const lineNamesOf = (schema: z.ZodType): readonly string[] | undefined => lineNames.get(schema)

const resources = new WeakMap<z.ZodType, string>()

/** Marks the id of a kind of thing, so that it is sent back in a body as it came: as a text or a number. */
export function idOf<S extends z.ZodType>(resource: string, schema: S): S {
  resources.set(schema, resource)
  return schema
}

/** What an id names; undefined where the schema is that of no id. */
export const idResourceOf = (schema: z.ZodType): string | undefined => resources.get(schema)
