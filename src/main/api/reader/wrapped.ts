import { type Fields, isFields, own } from './fields.ts'
import { plain } from './scalars.ts'

export const ENVELOPES = ['data', 'result'] as const
/** Contains the fields of a thing, beside its id and type. */
const ATTRIBUTES = 'attributes'
const ABOUT_OTHERS = new Set([
  'error',
  'errors',
  'warnings',
  'messages',
  'links',
  'meta',
  'metadata',
  'pagination',
  'paging',
  'pageinfo',
  'pageable',
  'relationships',
  'included',
])

/** Names beside a wrapped object that say nothing about it. */
const BESIDE = new Set([
  'status',
  'statuscode',
  'success',
  'ok',
  'code',
  'message',
  'msg',
  'type',
  'object',
  'kind',
  'typename',
  'cursor',
  'time',
  'timestamp',
  'version',
  'apiversion',
  'requestid',
  'traceid',
])

export const isAboutOthers = (name: string): boolean => ABOUT_OTHERS.has(plain(name).replace(/^[.$@]+/, ''))

export const isBeside = (name: string): boolean => BESIDE.has(plain(name).replace(/^_+/, ''))

/** An object with more names isn't a wrapper, and each name would be checked repeatedly. */
const NAMES_MOST = 200

export interface Wrapped {
  name: string
  value: Fields
  /** The wrapper's fields belong to it, such as an id. */
  merged: boolean
}

/**
 * Fields under `attributes`, in an envelope, under the thing's name, or in the only object. Null unless that
 * contains more known fields.
 * @param knows counts an object's known fields
 */
export function wrappedIn(
  raw: Fields,
  things: readonly string[],
  declared: { has(name: string): boolean },
  knows: (fields: Fields) => number,
): Wrapped | null {
  if (Object.keys(raw).length > NAMES_MOST) return null
  const around = knows(raw)
  const objects = Object.keys(raw).flatMap((name) => {
    const value = declared.has(name) || isAboutOthers(name) ? undefined : onlyObject(own(raw, name))
    return value ? [{ name, value }] : []
  })
  const attributes = objects.find(({ name }) => plain(name) === ATTRIBUTES)
  if (attributes) {
    const { [attributes.name]: _inner, ...beside } = raw
    return { name: attributes.name, value: { ...beside, ...attributes.value }, merged: true }
  }
  const named = new Set<string>([...ENVELOPES, ...things].map(plain))
  const inside = objects.find(({ name, value }) => named.has(plain(name)) && knows(value) > around)
  if (inside) return { ...inside, merged: false }
  const [only, ...others] = objects
  if (!only || others.length > 0 || around > 0) return null
  // Under an unknown name it may be the thing's owner or host.
  const isAlone = Object.keys(raw).every(
    (name) => name === only.name || isAboutOthers(name) || isBeside(name),
  )
  return isAlone ? { ...only, merged: false } : null
}

function onlyObject(value: unknown): Fields | undefined {
  const one = Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value
  return isFields(one) ? one : undefined
}
