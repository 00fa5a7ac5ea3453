import type { z } from 'zod'

/** Field names used by other services: field → names, the likeliest first. */
export type OtherNames = Readonly<Record<string, readonly string[]>>

const tables = new WeakMap<z.ZodType, OtherNames>()
const called = new WeakMap<z.ZodType, readonly string[]>()

/** No entry needed for other case, underscores or a prefix such as `server_`. `things`: names of the object. */
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
  within: readonly string[]
  /** Ambiguous names; they count only if the text looks like a secret. */
  unsure: readonly string[]
  headers: readonly string[]
}
const secrets = new WeakMap<z.ZodType, SecretPlaces>()

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

export const idResourceOf = (schema: z.ZodType): string | undefined => resources.get(schema)
