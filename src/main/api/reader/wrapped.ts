import { type Fields, isFields, own } from './fields.ts'
import { plain } from './scalars.ts'

/** What one value or a list may be wrapped in. */
export const ENVELOPES = ['data', 'result'] as const
/** What a thing's fields may lie in, while its id and its type stand beside that. */
const ATTRIBUTES = 'attributes'
/** Objects and lists that are about something else than the answer's subject. */
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

/** What stands beside the only object of an answer and says nothing of the thing in it. */
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

/** Whether what stands under this name beside a thing says nothing of it. */
export const isBeside = (name: string): boolean => BESIDE.has(plain(name).replace(/^_+/, ''))

/** What has more names than this is around nothing, and each of them would be looked at many times. */
const NAMES_MOST = 200

/** A value that was found deeper than where it was looked for. */
export interface Wrapped {
  name: string
  value: Fields
  /** What stands around it belongs to it: an id, for instance. */
  merged: boolean
}

/**
 * Where the fields of a thing may lie instead, when they are not where they should be: under `attributes`, in an envelope,
 * under what the thing is called, else in the only object there is, where nothing else beside it is of the thing. Null
 * where there is none that holds more of it.
 *
 * @param knows how many of its fields an object holds
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
  // Beside a name that nobody knows it may as well be the owner of the thing, or where it runs.
  const isAlone = Object.keys(raw).every(
    (name) => name === only.name || isAboutOthers(name) || isBeside(name),
  )
  return isAlone ? { ...only, merged: false } : null
}

/** An object, or the only one of a list. */
function onlyObject(value: unknown): Fields | undefined {
  const one = Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value
  return isFields(one) ? one : undefined
}
