import type { z } from 'zod'

/** Field names used by other services: field → names, the likeliest first. */
type OtherNames = Readonly<Record<string, readonly string[]>>

const tables = new WeakMap<z.ZodType, OtherNames>()

/** No entry needed for other case or underscores. */
export function alsoNamed<S extends z.ZodObject>(
  schema: S,
  names: { readonly [Field in keyof S['shape']]?: readonly string[] },
): S {
  tables.set(schema, names as OtherNames)
  return schema
}

export const otherNamesOf = (schema: z.ZodType): OtherNames => tables.get(schema) ?? {}

export const ID_NAMES = ['_id', 'uuid', 'identifier', 'pk', 'slug'] as const

const texts = new WeakSet<z.ZodType>()

/** Marks a text that must not be converted from another type, such as a token. Returns the schema. */
export function textAlone<S extends z.ZodType>(schema: S): S {
  texts.add(schema)
  return schema
}

export const isTextAlone = (schema: z.ZodType): boolean => texts.has(schema)

const resources = new WeakMap<z.ZodType, string>()

/** Marks a resource's id, so that a body sends it back in its original type, text or number. */
export function idOf<S extends z.ZodType>(resource: string, schema: S): S {
  resources.set(schema, resource)
  return schema
}

export const idResourceOf = (schema: z.ZodType): string | undefined => resources.get(schema)
