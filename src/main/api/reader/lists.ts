import { type Fields, isFields, own } from './fields.ts'
import { type Paging, PagingSigns } from './paging.ts'
import { at } from '../shape.ts'
import { plain } from './scalars.ts'
import { ENVELOPES, isAboutOthers } from './wrapped.ts'

/** A list as it was found in an answer. */
export interface FoundList extends Paging {
  raw: readonly unknown[]
  /** The name it stood under, where it is none of the contract's. */
  as?: string
}

/** Where to look for a list, and what else is known of it. */
export interface WhereList {
  /** Where a profile says that it is; looked for first. */
  place?: string | undefined
  /** Items of it that were read before and are not in the answer. */
  before?: number
  /** What the headers say of its pages. */
  headers?: Fields | undefined
}

/** Where a list stands, in this order; the resource's own names come after. */
const LIST_NAMES = ['items', 'data', 'results']
/** What frameworks call a list, of whatever it is. */
const FRAMES = ['content', 'edges', 'nodes', 'list', 'records', 'rows']
/** What frameworks put around a list. */
const AROUND = [...ENVELOPES, 'results', 'response', '_embedded']
/** A list is looked for within so many objects. */
const DEPTH_MOST = 4

/** Where a list was found. */
interface Place {
  raw: readonly unknown[]
  path: readonly string[]
}

/**
 * Finds the list in an answer: bare, or under a name of the contract, of a framework or of the resource, within what such
 * a name stands for too, else the only list there is. An empty one under a name that nobody knows proves nothing. Null
 * where there is none.
 */
export function findList(
  value: unknown,
  resources: readonly string[],
  { place, before = 0, headers = {} }: WhereList = {},
): FoundList | null {
  const placed = place === undefined ? undefined : at(value, place)
  const found: Place | null =
    place !== undefined && Array.isArray(placed)
      ? { raw: placed as unknown[], path: place.split('.') }
      : listIn(value, new Set([...LIST_NAMES, ...FRAMES, ...resources].map(plain)), DEPTH_MOST)
  if (!found) return null
  const { raw, path } = found
  const signs = new PagingSigns(before + raw.length).look(headers)
  for (const [depth, name] of path.entries()) {
    const around = depth === 0 ? value : at(value, path.slice(0, depth).join('.'))
    if (isFields(around)) signs.look(around, name)
  }
  const as = path.join('.')
  return { raw, ...signs.verdict(), ...(as !== '' && as !== 'items' && raw !== placed && { as }) }
}

function listIn(value: unknown, known: ReadonlySet<string>, depth: number): Place | null {
  if (Array.isArray(value)) return { raw: value as unknown[], path: [] }
  if (!isFields(value) || depth === 0) return null
  return namedList(value, known) ?? within(value, known, depth) ?? onlyList(value)
}

function namedList(value: Fields, known: ReadonlySet<string>): Place | null {
  const lists = Object.keys(value).filter((name) => Array.isArray(own(value, name)))
  const order = [...known]
  const name = lists
    .filter((one) => known.has(plain(one)))
    .sort((a, b) => order.indexOf(plain(a)) - order.indexOf(plain(b)))[0]
  return name === undefined ? null : { raw: own(value, name) as unknown[], path: [name] }
}

/** Within an object of a known name, else within the only object there is that holds a list of something. */
function within(value: Fields, known: ReadonlySet<string>, depth: number): Place | null {
  const inner = (name: string): Place | null => {
    const object = own(value, name)
    const found = isFields(object) ? listIn(object, known, depth - 1) : null
    return found && { raw: found.raw, path: [name, ...found.path] }
  }
  const names = Object.keys(value).filter((name) => !isAboutOthers(name))
  const around = new Set(AROUND.map(plain))
  for (const name of names.filter((one) => around.has(plain(one)) || known.has(plain(one)))) {
    const found = inner(name)
    if (found) return found
  }
  const [only, ...others] = names.map(inner).filter((found) => found && found.raw.length > 0)
  return only && others.length === 0 && onlyList(value) === null ? only : null
}

function onlyList(value: Fields): Place | null {
  const lists = Object.keys(value).filter((name) => Array.isArray(own(value, name)) && !isAboutOthers(name))
  const [only, ...others] = lists
  if (only === undefined || others.length > 0) return null
  const raw = own(value, only) as unknown[]
  return raw.length > 0 ? { raw, path: [only] } : null
}
