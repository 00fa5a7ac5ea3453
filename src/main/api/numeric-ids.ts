import { z } from 'zod'
import { idResourceOf } from '../../contract/declarations/also-named.ts'
import type { Answer, Page } from '../../contract/declarations/operation.ts'

export type NumericId = readonly [resource: string, id: string]

/** Ids remembered per resource, enough for a long list. */
export const IDS_MOST = 20_000

/** Persists which ids are numbers, so cached items can be acted on before they are read again. */
export interface StoredIds {
  read(): Promise<readonly NumericId[]>
  change(added: readonly NumericId[], gone: readonly NumericId[]): void
}

const keptNowhere: StoredIds = { read: async () => [], change: () => {} }

/** Remembers which ids are numbers: the panel uses strings, but request bodies need the original type. */
export class NumericIds {
  readonly #numbers = new Map<string, Set<string>>()
  readonly #kept: StoredIds
  #loading: Promise<void> | null = null

  constructor(kept: StoredIds = keptNowhere) {
    this.#kept = kept
  }

  /** Records ids that arrived as numbers; given the answer, also forgets those that were strings. */
  take(numbers: readonly NumericId[], answer?: Answer, value?: unknown): void {
    const schema = answer && idSchemaOf(answer)
    if (numbers.length === 0 && !schema) return
    const came = schema && answer.kind === 'list' ? (value as Page<unknown> | undefined)?.items : value
    void this.#loaded().then(() => {
      const gone = schema ? this.#forget(schema, came, numbers) : []
      const added = numbers.filter(([resource, id]) => !this.#numbers.get(resource)?.has(id))
      for (const [resource, id] of numbers) this.#add(resource, id)
      if (added.length > 0 || gone.length > 0) this.#kept.change(added, gone)
    })
  }

  /** The latest type of an id wins. */
  #forget(schema: z.ZodType, came: unknown, numbers: readonly NumericId[]): NumericId[] {
    const gone: NumericId[] = []
    if (this.#numbers.size === 0) return gone
    const still = new Set(numbers.map((id) => id.join('\n')))
    const look = (resource: string, id: string) => {
      const isText = !still.has([resource, id].join('\n'))
      if (isText && this.#numbers.get(resource)?.delete(id)) gone.push([resource, id])
      return id
    }
    for (const one of Array.isArray(came) ? (came as unknown[]) : [came]) mapIds(schema, one, look)
    return gone
  }

  #add(resource: string, id: string): void {
    let ids = this.#numbers.get(resource)
    if (!ids) this.#numbers.set(resource, (ids = new Set()))
    ids.delete(id)
    ids.add(id)
    if (ids.size <= IDS_MOST) return
    for (const oldest of ids) return void ids.delete(oldest)
  }

  async sent(schema: z.ZodType | undefined, body: unknown): Promise<unknown> {
    if (!schema || !holdsIds(schema)) return body
    await this.#loaded()
    if (this.#numbers.size === 0) return body
    return mapIds(schema, body, (resource, id) =>
      /^-?\d+$/.test(id) && this.#numbers.get(resource)?.has(id) ? rawNumber(id) : id,
    )
  }

  /** If the stored ids can't be loaded, they are learned from answers. */
  #loaded(): Promise<void> {
    return (this.#loading ??= this.#kept.read().then(
      (ids) => {
        for (const [resource, id] of ids) this.#add(resource, id)
      },
      () => undefined,
    ))
  }
}

/** Undefined if the answer contains no ids that are sent back. */
function idSchemaOf(answer: Answer): z.ZodType | undefined {
  const schema = answer.kind === 'list' ? answer.item : answer.kind === 'json' ? answer.schema : undefined
  return schema && holdsIds(schema) ? schema : undefined
}

function mapIds(schema: z.ZodType, value: unknown, map: (resource: string, id: string) => unknown): unknown {
  const resource = idResourceOf(schema)
  if (resource !== undefined) return typeof value === 'string' ? map(resource, value) : value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return mapIds(schema.unwrap() as z.ZodType, value, map)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one) => mapIds(schema.element as z.ZodType, one, map))
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const shape = schema.shape as Record<string, z.ZodType | undefined>
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const field = Object.hasOwn(shape, name) ? shape[name] : undefined
        return [name, field ? mapIds(field, one, map) : one]
      }),
    )
  }
  return value
}

/** Keeps all digits, even of integers a double would round. */
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
