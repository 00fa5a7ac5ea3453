import { type Fields, isFields, own } from './fields.ts'
import { type Paging, PagingSigns } from './paging.ts'
import type { ListItem, Said } from './list-item.ts'
import { at } from '../shape.ts'
import { kindOf, plain } from './scalars.ts'
import { ENVELOPES, isAboutOthers } from './wrapped.ts'

/** A list as it was found in an answer. */
export interface FoundList extends Paging {
  raw: readonly unknown[]
  /** The name it stood under, where it is none of the contract's. */
  as?: string
  /** It was no one list: several, or an object of items by their IDs. */
  isApart?: boolean
}

/** Where to look for a list, and what else is known of it. */
export interface WhereList {
  /** Where a profile says that it is; looked for first. */
  place?: string | undefined
  /** Items of it that were read before and are not in the answer. */
  before?: number
  /** What the headers say of its pages. */
  headers?: Fields | undefined
  /** What it holds. */
  item?: ListItem | undefined
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
  /** Null where there are items, and not all that stands among them can be one. */
  raw: readonly unknown[] | null
  path: readonly string[]
  /** Names of the lists it was put together from. */
  parts?: readonly string[]
  isApart?: boolean
}

/** What is looked for. */
interface Sought {
  known: ReadonlySet<string>
  item: ListItem | undefined
}

/**
 * Finds the list in an answer: bare, or under a name of the contract, of a framework or of the resource, within what such
 * a name stands for too, else the only list there is. An empty one under a name that nobody knows proves nothing. Lists
 * that are called by what their items are make one, and so does an object of items by their IDs. Beside another list of
 * such things none is complete. Null where there is none.
 */
export function findList(
  value: unknown,
  resources: readonly string[],
  { place, before = 0, headers = {}, item }: WhereList = {},
): FoundList | null {
  const placed = place === undefined ? undefined : at(value, place)
  const sought = { known: new Set([...LIST_NAMES, ...FRAMES, ...resources].map(plain)), item }
  const found: Place | null =
    place !== undefined && Array.isArray(placed)
      ? { raw: placed as unknown[], path: place.split('.') }
      : listIn(value, sought, DEPTH_MOST)
  if (!found?.raw) return null
  const { raw, path, parts = [], isApart = false } = found
  const signs = new PagingSigns(before + raw.length).look(headers)
  let others = parts.length === 1
  for (const [depth, name] of path.entries()) {
    const around = depth === 0 ? value : at(value, path.slice(0, depth).join('.'))
    if (!isFields(around)) continue
    signs.look(around, name)
    others ||= raw !== placed && hasOthers(around, new Set([name, ...parts]), raw, sought)
  }
  const verdict = signs.verdict()
  const complete = verdict.complete && (!others || signs.saysAll)
  const as = path.join('.')
  const isElsewhere = as !== '' && as !== 'items' && raw !== placed
  return { raw, ...verdict, complete, ...(isElsewhere && { as }), ...(isApart && { isApart }) }
}

function listIn(value: unknown, sought: Sought, depth: number): Place | null {
  if (Array.isArray(value)) return { raw: value as unknown[], path: [] }
  if (!isFields(value) || depth === 0) return null
  return (
    partedList(value, sought) ??
    namedList(value, sought.known) ??
    byIds(value, sought) ??
    within(value, sought, depth) ??
    onlyList(value)
  )
}

/** Lists that are called by what their items are, such as `folders` and `files`. One alone leaves open where others are. */
function partedList(value: Fields, { known, item }: Sought): Place | null {
  if (!item) return null
  const parts: { name: string; list: unknown[]; said: Said }[] = []
  for (const name of Object.keys(value)) {
    const [list, said] = [own(value, name), item.said(name)]
    if (!Array.isArray(list)) continue
    if (said && (list.length === 0 || item.fitsSome(list))) parts.push({ name, list, said })
    else if (known.has(plain(name))) return null
  }
  const names = parts.map(({ name }) => name)
  if (names.every((name) => known.has(plain(name)))) return null
  const raw = parts.flatMap(({ list, said }) => list.map((one) => item.saidOf(one, said)))
  if (raw.length === 0 && !names.some((name) => known.has(plain(name)))) return null
  return { raw, path: names.slice(0, 1), parts: names, isApart: true }
}

/** An object of items by their IDs, under a known name. */
function byIds(value: Fields, { known, item }: Sought): Place | null {
  if (!item) return null
  const isGeneral = (name: string) => [...LIST_NAMES, ...FRAMES].some((one) => plain(one) === plain(name))
  for (const name of Object.keys(value)) {
    const all = own(value, name)
    if (!known.has(plain(name)) || !isFields(all)) continue
    const entries = Object.entries(all).filter(([, one]) => one !== null)
    const isWrapper = ([key, one]: [string, unknown]) =>
      Array.isArray(one) || known.has(plain(key)) || isAboutOthers(key) || item.isCalled(key)
    if (entries.some(isWrapper)) continue
    const raw = entries.map(([key, one]) => item.under(key, one, isGeneral(name)))
    const missing = raw.filter((one) => one === undefined).length
    if (missing === raw.length) continue
    return { raw: missing === 0 ? raw : null, path: [name], isApart: true }
  }
  return null
}

/** Whether more things of a list that was found may stand beside it. */
function hasOthers(
  around: Fields,
  taken: ReadonlySet<string>,
  raw: readonly unknown[],
  sought: Sought,
): boolean {
  const { item, known } = sought
  if (!item) return false
  return Object.keys(around).some((name) => {
    if (taken.has(name) || isAboutOthers(name)) return false
    const beside = own(around, name)
    const isSought = Array.isArray(beside) || known.has(plain(name)) || item.said(name) !== undefined
    const list = isSought ? listIn(beside, sought, DEPTH_MOST)?.raw : null
    if (!list || list.length === 0) return false
    const isAlike = raw.length === 0 ? isFields(list[0]) : kindOf(list[0]) === kindOf(raw[0])
    return isAlike && item.fitsSome(list)
  })
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
function within(value: Fields, sought: Sought, depth: number): Place | null {
  const inner = (name: string): Place | null => {
    const object = own(value, name)
    const found = isFields(object) ? listIn(object, sought, depth - 1) : null
    return found && { ...found, path: [name, ...found.path] }
  }
  const names = Object.keys(value).filter((name) => !isAboutOthers(name))
  const around = new Set(AROUND.map(plain))
  for (const name of names.filter((one) => around.has(plain(one)) || sought.known.has(plain(one)))) {
    const found = inner(name)
    if (found) return found
  }
  const [only, ...others] = names.map(inner).filter((found) => found?.raw && found.raw.length > 0)
  return only && others.length === 0 && onlyList(value) === null ? only : null
}

function onlyList(value: Fields): Place | null {
  const lists = Object.keys(value).filter((name) => Array.isArray(own(value, name)) && !isAboutOthers(name))
  const [only, ...others] = lists
  if (only === undefined || others.length > 0) return null
  const raw = own(value, only) as unknown[]
  return raw.length > 0 ? { raw, path: [only] } : null
}
