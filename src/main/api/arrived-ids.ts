import { z } from 'zod'
import { idResourceOf } from '../../contract/areas/also-named.ts'

/** Ids remembered of one kind of thing: as many as a long list holds. */
const MOST = 20_000

/**
 * Which ids a service sends as numbers. The panel compares all ids as texts; in the body of a request each goes back as it
 * came. In paths and queries both look the same.
 */
export class ArrivedIds {
  readonly #numbers = new Map<string, Set<string>>()

  /** Takes the ids that an answer held as numbers, by what they name. */
  take(found: Iterable<readonly [resource: string, id: string]>): void {
    for (const [resource, id] of found) {
      let ids = this.#numbers.get(resource)
      if (!ids) this.#numbers.set(resource, (ids = new Set()))
      ids.delete(id)
      ids.add(id)
      if (ids.size > MOST) for (const oldest of ids) return void ids.delete(oldest)
    }
  }

  /** A body as it goes out: the same, with the ids in it as they came. */
  sent(schema: z.ZodType | undefined, body: unknown): unknown {
    return schema && this.#numbers.size > 0 && holdsIds(schema) ? this.#sent(schema, body) : body
  }

  #sent(schema: z.ZodType, value: unknown): unknown {
    const resource = idResourceOf(schema)
    if (resource !== undefined) {
      const isNumber = typeof value === 'string' && this.#numbers.get(resource)?.has(value)
      return isNumber && /^-?\d+$/.test(value) ? rawNumber(value) : value
    }
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
      return this.#sent(schema.unwrap() as z.ZodType, value)
    if (schema instanceof z.ZodArray && Array.isArray(value))
      return value.map((one) => this.#sent(schema.element as z.ZodType, one))
    if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
      const shape = schema.shape as Record<string, z.ZodType | undefined>
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => {
          const field = Object.hasOwn(shape, name) ? shape[name] : undefined
          return [name, field ? this.#sent(field, one) : one]
        }),
      )
    }
    return value
  }
}

/** The very digits, also where a double would round them. */
const rawNumber = (digits: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)

const known = new WeakMap<z.ZodType, boolean>()

function holdsIds(schema: z.ZodType): boolean {
  let holds = known.get(schema)
  if (holds === undefined) known.set(schema, (holds = lookForIds(schema)))
  return holds
}

function lookForIds(schema: z.ZodType): boolean {
  if (idResourceOf(schema) !== undefined) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return holdsIds(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return holdsIds(schema.element as z.ZodType)
  return schema instanceof z.ZodObject && Object.values(schema.shape).some(holdsIds)
}
