import { z } from 'zod'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { type Fields, isFields, own } from './fields.ts'
import type { RequestInput } from '../requests/request.ts'

/** One operation's names at one service, from an API profile. Paths are dotted. */
export interface Shape {
  items?: string | undefined
  envelope?: string | undefined
  /** Contract field → path, relative to the item or value. */
  answer?: Readonly<Record<string, string>> | undefined
  /** Contract field of the query or body → service's name. */
  request?: Readonly<Record<string, string>> | undefined
}

export function at(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (!isFields(found)) return undefined
    found = own(found, name)
  }
  return found
}

/** Separates a list's path from a field of its items. */
const EACH = '.[].'

/** Adds the contract's names to a value; unresolved paths leave it unchanged. */
export function inContractNames(raw: unknown, names: Shape['answer']): unknown {
  if (!names || !isFields(raw)) return raw
  const result: Record<string, unknown> = { ...raw }
  for (const [name, path] of Object.entries(names)) {
    const each = name.indexOf(EACH)
    if (each >= 0) {
      const [list, rest] = [name.slice(0, each), name.slice(each + EACH.length)]
      const items = at(result, list)
      if (Array.isArray(items))
        put(
          result,
          list,
          items.map((item) => inContractNames(item, { [rest]: path })),
        )
    } else {
      const found = at(raw, path)
      if (found !== undefined) put(result, name, found)
    }
  }
  return result
}

export function inServiceNames(given: RequestInput, names: Shape['request']): RequestInput {
  if (!names) return given
  const query = given.query && Object.entries(given.query).map(([name, value]) => [named(names, name), value])
  const renamed = (fields: Fields) => {
    let rest: Record<string, unknown> = { ...fields }
    const moved: Record<string, unknown> = {}
    for (const [name, wanted] of Object.entries(names)) {
      const value = at(fields, name)
      if (value === undefined) continue
      rest = without(rest, name.split('.'))
      put(moved, wanted, value)
    }
    return merged(rest, moved)
  }
  return {
    ...given,
    ...(query && { query: Object.fromEntries(query) as NonNullable<RequestInput['query']> }),
    ...(isFields(given.body) && { body: renamed(given.body) }),
  }
}

const named = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(names, name) ? (names[name] as string) : name

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() as string
  let node = target
  for (const name of names) {
    const below = own(node, name)
    const copy: Record<string, unknown> = isFields(below) ? { ...below } : {}
    define(node, name, copy)
    node = copy
  }
  define(node, last, value)
}

/** Assignment would break on a field called `__proto__`. */
const define = (node: object, name: string, value: unknown): void =>
  void Object.defineProperty(node, name, { value, enumerable: true, writable: true, configurable: true })

function without(fields: Fields, [name = '', ...rest]: string[]): Record<string, unknown> {
  const others = Object.entries(fields).filter(([other]) => other !== name)
  const below = own(fields, name)
  const left = rest.length > 0 && isFields(below) ? without(below, rest) : {}
  return Object.fromEntries(Object.keys(left).length > 0 ? [...others, [name, left]] : others)
}

function merged(one: Fields, other: Fields): Record<string, unknown> {
  const result: Record<string, unknown> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const there = own(one, name)
    define(result, name, isFields(there) && isFields(value) ? merged(there, value) : value)
  }
  return result
}

export function answerFields({ answer }: Operation): string[] {
  if (answer.kind === 'list') return fieldsOf(answer.item)
  return answer.kind === 'json' ? fieldsOf(answer.schema) : []
}

export function requestFields({ query, body, carries }: Operation): string[] {
  return [...new Set([...[query, body].flatMap((schema) => (schema ? fieldsOf(schema) : [])), ...carries])]
}

function fieldsOf(schema: z.ZodType): string[] {
  const inner = unwrapped(schema)
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const below = unwrapped(field)
    const items = below instanceof z.ZodArray ? unwrapped(below.element as z.ZodType) : null
    const deeper = items
      ? fieldsOf(items).map((one) => name + EACH + one)
      : fieldsOf(below).map((one) => `${name}.${one}`)
    return [name, ...deeper]
  })
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType)
  return schema
}
