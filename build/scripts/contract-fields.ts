import { z } from 'zod'
import * as access from '../../src/contract/areas/access.ts'
import * as account from '../../src/contract/areas/account.ts'
import { ID_NAMES, otherNamesOf } from '../../src/contract/declarations/also-named.ts'
import * as consoles from '../../src/contract/areas/console.ts'
import * as errors from '../../src/contract/declarations/errors.ts'
import { ExtensionProblem } from '../../src/contract/areas/values/extension-problem.ts'
import * as extensions from '../../src/contract/areas/extensions.ts'
import * as fileValues from '../../src/contract/areas/values/file-values.ts'
import * as notifications from '../../src/contract/areas/notifications.ts'
import * as players from '../../src/contract/areas/players.ts'
import * as promocodes from '../../src/contract/areas/promocodes.ts'
import * as schedules from '../../src/contract/areas/schedule-values.ts'
import * as serverConfig from '../../src/contract/areas/server-config.ts'
import * as serverProperties from '../../src/contract/areas/values/server-properties.ts'
import * as serverWork from '../../src/contract/areas/values/server-work.ts'
import * as servers from '../../src/contract/areas/servers.ts'
import * as software from '../../src/contract/areas/software.ts'

/** Details that hardly any other service has: their fields are left to the OpenAPI document. */
const details = new Set<unknown>([
  ...[serverWork.InstallProgress, serverWork.FailedWork, ExtensionProblem, fileValues.Omission],
  ...[fileValues.DetectedEncoding, notifications.NotificationValues],
])

/** Where the schemas that answers share get their names: a schema is called what its module exports it as. */
const modules: Readonly<Record<string, unknown>>[] = [
  ...[access, account, consoles, errors, extensions, fileValues, notifications],
  ...[players, promocodes, schedules, serverConfig, serverProperties, servers, software],
]
const names = new Map<unknown, string>(
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      value instanceof z.ZodObject && !details.has(value) ? [[value, name] as const] : [],
    ),
  ),
)

/** A schema without what lets its value be absent. */
const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema

const fieldsIn = (schema: z.ZodObject) =>
  Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const inner = unwrapped(field)
    return { name, shown: code(inner === field ? name : `${name}?`), inner }
  })

export const code = (text: string): string => `\`${text}\``

/** The names of fields on one line, with what they are made of in parentheses. */
export function namesIn(schema: z.ZodType, except: ReadonlySet<string> = new Set()): string {
  const inner = unwrapped(schema)
  if (!(inner instanceof z.ZodObject)) return ''
  return fieldsIn(inner)
    .filter(({ name }) => !except.has(name))
    .map(({ shown, inner: field }) => shown + inParentheses(partsOf(field)))
    .join(', ')
}

const inParentheses = (text: string): string => (text === '' ? '' : ` (${text})`)

/** The words of `conflict` are in the page's text, since many requests take it. */
function partsOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodObject) return names.has(field) ? typeOf(field) : namesIn(field)
  if (field instanceof z.ZodEnum) return field === fileValues.Conflict ? '' : wordsOf(field)
  if (!(field instanceof z.ZodArray)) return ''
  const parts = partsOf(unwrapped(field.element))
  return parts === '' ? 'list' : `list of ${parts}`
}

/** The words of a choice; of a long one the first. */
function wordsOf({ options }: z.ZodEnum): string {
  const shown = options.length > WORDS_MOST ? options.slice(0, WORDS_MOST - 2) : options
  const rest = options.length - shown.length
  return shown.map((word) => code(String(word))).join(' ') + (rest > 0 ? ` and ${rest} more` : '')
}
const WORDS_MOST = 8

/** What a value is: the name of a shared schema, the words of a choice, or a kind such as `time`. */
export function typeOf(schema: z.core.$ZodType): string {
  const inner = unwrapped(schema)
  const name = names.get(inner)
  if (name !== undefined) return code(name)
  if (inner instanceof z.ZodArray) return `list of ${typeOf(inner.element).replace(/^[a-z]+$/, '$&s')}`
  if (inner instanceof z.ZodEnum) return wordsOf(inner)
  if (inner instanceof z.ZodLiteral) return code(String(inner.value))
  if (inner instanceof z.ZodRecord) return 'map'
  if (inner instanceof z.ZodObject) return 'object'
  if (inner instanceof z.ZodUnion) return unionOf(inner.options)
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodNumber) return 'number'
  return inner instanceof z.ZodISODateTime ? 'time' : 'string'
}

/** Of an enum that outlives alpha changes the known words. */
function unionOf([first, ...others]: readonly z.core.$ZodType[]): string {
  if (first instanceof z.ZodEnum) return wordsOf(first)
  return [first, ...others].flatMap((one) => (one ? [typeOf(one)] : [])).join(' or ')
}

/** The shared schemas that a value is made of, each before those within it. */
export function sharedIn(schema: z.core.$ZodType): z.ZodObject[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) return sharedIn(inner.element)
  if (!(inner instanceof z.ZodObject) || details.has(inner)) return []
  const within = fieldsIn(inner).flatMap(({ inner: field }) => sharedIn(field))
  return names.has(inner) ? [inner, ...within] : within
}

/** A list of fields: types other than string, other names, and below the fields of objects without a name. */
export function fieldList(schema: z.ZodObject, indent = ''): string[] {
  const rows: { names: string[]; is: string; isPlain: boolean; below: string[] }[] = []
  for (const { name, shown, inner } of fieldsIn(schema)) {
    const type = typeOf(inner)
    const others = namesBeside(schema, name)
    const is =
      (type === 'string' ? '' : `: ${type}`) +
      (others.length > 0 ? ` (or ${others.map(code).join(' ')})` : '')
    const object = inner instanceof z.ZodArray ? unwrapped(inner.element) : inner
    const isListed = object instanceof z.ZodObject && !names.has(object) && !details.has(object)
    const below = isListed ? fieldList(object, `${indent}  `) : []
    const isPlain = others.length === 0 && below.length === 0
    const alike = isPlain && rows.find((row) => row.isPlain && row.is === is)
    if (alike) alike.names.push(shown)
    else rows.push({ names: [shown], is, isPlain, below })
  }
  return rows.flatMap(({ names, is, below }) => [`${indent}- ${names.join(', ')}${is}`, ...below])
}

/** Other names of a field, but for those that all IDs have. */
function namesBeside(schema: z.ZodObject, field: string): string[] {
  const others = new Set(otherNamesOf(schema)[field])
  if (field === 'id') for (const name of ID_NAMES) others.delete(name)
  return [...others]
}
