import type { z } from 'zod'

/** Field names used by other services: field → names, the likeliest first. */
export type OtherNames = Readonly<Record<string, readonly string[]>>

const tables = new WeakMap<z.ZodType, OtherNames>()
const called = new WeakMap<z.ZodType, readonly string[]>()

/**
 * Registers alternative field names for a schema and returns it. Case, underscores and prefixes such as `server_` are
 * handled without entries.
 *
 * @param things what services call the object itself, as prefix or wrapper
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

export const otherNamesOf = (schema: z.ZodType): OtherNames => tables.get(schema) ?? {}

export const thingsOf = (schema: z.ZodType): readonly string[] => called.get(schema) ?? []

const takenApart = new WeakMap<z.ZodType, readonly string[]>()

/** Registers objects whose fields a service may send flattened into their parent. Returns the schema. */
export function alsoApart<S extends z.ZodObject>(
  schema: S,
  fields: readonly (keyof S['shape'] & string)[],
): S {
  takenApart.set(schema, fields)
  return schema
}

export const apartIn = (schema: z.ZodType): readonly string[] => takenApart.get(schema) ?? []

/** Alternatives for a resource's `id`. */
export const ID_NAMES = ['_id', 'uuid', 'identifier', 'pk', 'slug'] as const

const texts = new WeakSet<z.ZodType>()

/** Marks a text that must not be converted from another type, such as a token. Returns the schema. */
export function textAlone<S extends z.ZodType>(schema: S): S {
  texts.add(schema)
  return schema
}

export const isTextAlone = (schema: z.ZodType): boolean => texts.has(schema)

/** Where else a secret may be found. Names ignore case, underscores and hyphens. */
export interface SecretPlaces {
  /** Objects about signing in. */
  within: readonly string[]
  /** Ambiguous names; they count only if the text looks like a secret. */
  unsure: readonly string[]
  /** Lower case; used if the body contains none. */
  headers: readonly string[]
}
const secrets = new WeakMap<z.ZodType, SecretPlaces>()

/** Returns the schema. */
export function secretAt<S extends z.ZodObject>(schema: S, places: SecretPlaces): S {
  secrets.set(schema, places)
  return schema
}

export const secretPlacesOf = (schema: z.ZodType): SecretPlaces | undefined => secrets.get(schema)

const lineNames = new WeakMap<z.ZodType, readonly string[]>()

/** Allows a list to be sent as one text, one item per line, under these names (lower case). Returns the schema. */
export function lineByLine<S extends z.ZodObject>(schema: S, names: readonly string[]): S {
  lineNames.set(schema, names)
  return schema
}

/** Undefined if the list is never sent as text. */
export const lineNamesOf = (schema: z.ZodType): readonly string[] | undefined => lineNames.get(schema)

const resources = new WeakMap<z.ZodType, string>()

/** Marks a resource's id, so that a body sends it back in its original type, text or number. */
export function idOf<S extends z.ZodType>(resource: string, schema: S): S {
  resources.set(schema, resource)
  return schema
}

/** Undefined if the schema isn't an id. */
export const idResourceOf = (schema: z.ZodType): string | undefined => resources.get(schema)
