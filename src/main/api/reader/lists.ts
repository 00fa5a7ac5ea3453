import { type Fields, isFields, own } from './fields.ts'
import { isAboutPages, type Paging, PagingSigns } from './paging.ts'
import type { ListItem, Said } from './list-item.ts'
import { listByIds } from './by-ids.ts'
import { at } from './shape.ts'
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
const GENERAL: ReadonlySet<string> = new Set([...LIST_NAMES, ...FRAMES].map(plain))
/** What frameworks put around a list. */
const AROUND = [...ENVELOPES, 'results', 'response', '_embedded']
/** What has more names than this is around nothing. */
const AROUND_MOST = 50
/** A list is looked for within so many objects. */
const DEPTH_MOST = 4
/** What has more names than anybody has files of one folder holds no list: each name is looked at many times. */
const NAMES_MOST = 50_000

/** Where a list was found. */
interface Place {
  /** Null where there are items, and not all that stands among them can be one. */
  raw: readonly unknown[] | null
  path: readonly string[]
  /** Names of the lists it was put together from. */
  parts?: readonly string[]
  isApart?: boolean
  /** More may follow one of the lists it was put together from. */
  isPart?: boolean
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
  if (!found?.raw) return found ? null : noneOf(value, headers)
  const { complete, ...verdict } = pagesOf(value, { ...found, raw: found.raw }, sought, {
    signs: new PagingSigns(before + found.raw.length).look(headers),
    placed,
  })
  const as = found.path.join('.')
  const isElsewhere = as !== '' && as !== 'items' && found.raw !== placed
  return {
    ...{ raw: found.raw, ...verdict, complete },
    ...(isElsewhere && { as }),
    ...(found.isApart && { isApart: true }),
  }
}

/** No list where a count says that there is nothing to list, as HAL writes it. */
function noneOf(value: unknown, headers: Fields): FoundList | null {
  if (!isFields(value)) return null
  const isMore = (name: string): boolean => {
    const one = own(value, name)
    return typeof one === 'object' && !isAboutPages(name) && Object.keys(one as object).length > 0
  }
  if (Object.keys(value).some(isMore) || own(value, 'error') !== undefined) return null
  const signs = new PagingSigns(0).look(headers).look(value)
  const verdict = signs.verdict()
  return signs.saysAll && verdict.complete ? { raw: [], ...verdict } : null
}

/** What stands around a list says of more of it. */
function pagesOf(
  value: unknown,
  { raw, path, parts = [], isPart = false }: Place & { raw: readonly unknown[] },
  sought: Sought,
  { signs, placed }: { signs: PagingSigns; placed?: unknown },
): Paging {
  let others = parts.length === 1
  let around = value
  for (const name of path) {
    if (!isFields(around)) break
    signs.look(around, name)
    others ||= raw !== placed && hasOthers(around, new Set([name, ...parts]), raw, sought)
    around = own(around, name)
  }
  // Items by their IDs stand in the answer itself, beside what is about them all.
  if (path.length === 0 && isFields(value))
    for (const name of Object.keys(value).filter(isAboutOthers)) signs.look({ [name]: value[name] })
  const verdict = signs.verdict()
  return { ...verdict, complete: verdict.complete && !isPart && (!others || signs.saysAll) }
}

function listIn(value: unknown, sought: Sought, depth: number): Place | null {
  if (Array.isArray(value)) return { raw: value as unknown[], path: [] }
  if (!isFields(value) || depth === 0 || Object.keys(value).length > NAMES_MOST) return null
  return (
    partedList(value, sought, depth) ??
    namedList(value, sought.known) ??
    byIds(value, sought) ??
    within(value, sought, depth) ??
    onlyList(value)
  )
}

/**
 * Lists that are called by what their items are, such as `folders` and `files`, bare or each with what is around a list. One
 * alone leaves open where others are.
 */
function partedList(value: Fields, sought: Sought, depth: number): Place | null {
  const { known, item } = sought
  if (!item) return null
  const parts: { name: string; list: readonly unknown[]; said: Said; complete: boolean }[] = []
  for (const name of Object.keys(value)) {
    const said = item.said(name)
    const inner = own(value, name)
    const list = Array.isArray(inner) ? (inner as unknown[]) : said ? partIn(inner, sought, depth) : null
    if (!list) continue
    const raw = 'raw' in list ? list.raw : list
    if (said && (raw.length === 0 || item.fitsSome(raw)))
      parts.push({ name, said, list: raw, complete: !('raw' in list) || list.complete })
    else if (known.has(plain(name))) return null
  }
  const names = parts.map(({ name }) => name)
  if (names.every((name) => known.has(plain(name)))) return null
  const raw = parts.flatMap(({ list, said }) => list.map((one) => item.saidOf(one, said)))
  if (raw.length === 0 && !names.some((name) => known.has(plain(name)))) return null
  return {
    ...{ raw, path: names.slice(0, 1), parts: names, isApart: true },
    isPart: parts.some(({ complete }) => !complete),
  }
}

/** A part that has an object of its own, and whether that says that it is all of it. */
function partIn(
  value: unknown,
  sought: Sought,
  depth: number,
): { raw: readonly unknown[]; complete: boolean } | null {
  const found = isFields(value) ? listIn(value, { ...sought, item: undefined }, depth - 1) : null
  if (!found?.raw) return null
  const { raw } = found
  const { complete } = pagesOf(value, { ...found, raw }, sought, { signs: new PagingSigns(raw.length) })
  return { raw, complete }
}

function byIds(value: Fields, { known, item }: Sought): Place | null {
  const found = item ? listByIds(value, { known, item, general: GENERAL }) : null
  return found && { ...found, isApart: true }
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
  // What is around a list has few names, and this looks into each.
  if (names.length > AROUND_MOST) return null
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
