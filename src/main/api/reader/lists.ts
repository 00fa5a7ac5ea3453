import { type Fields, isFields, own } from './fields.ts'
import { isAboutPages, type Paging, PagingSigns } from './paging.ts'
import type { ListItem, Said } from './list-item.ts'
import { listByIds } from './by-ids.ts'
import { at } from './shape.ts'
import { kindOf, plain } from './scalars.ts'
import { ENVELOPES, isAboutOthers } from './wrapped.ts'

export interface FoundList extends Paging {
  raw: readonly unknown[]
  as?: string
  /** Assembled from several lists or a keyed object. */
  isApart?: boolean
}

export interface WhereList {
  /** Path from a profile; tried first. */
  place?: string | undefined
  before?: number
  headers?: Fields | undefined
  item?: ListItem | undefined
}

/** By priority; the resource's own names come after. */
const LIST_NAMES = ['items', 'data', 'results']
/** Generic list names used by frameworks. */
const FRAMES = ['content', 'edges', 'nodes', 'list', 'records', 'rows']
const GENERAL: ReadonlySet<string> = new Set([...LIST_NAMES, ...FRAMES].map(plain))
/** Wrappers frameworks put around a list. */
const AROUND = [...ENVELOPES, 'results', 'response', '_embedded']
/** An object with more names isn't a wrapper. */
const AROUND_MOST = 50
const DEPTH_MOST = 4
/** More names than any folder has files: such an object isn't a list, and checking it is expensive. */
const NAMES_MOST = 50_000

interface Place {
  /** Null if some entries can't be items. */
  raw: readonly unknown[] | null
  path: readonly string[]
  parts?: readonly string[]
  isApart?: boolean
  isPart?: boolean
}

interface Sought {
  known: ReadonlySet<string>
  item: ListItem | undefined
}

/**
 * Finds the list in an answer, by known names first, else the only list. Null if there is none.
 * An empty list under an unknown name proves nothing. Lists named after their items, and objects keyed by ID, are
 * joined. The result is incomplete if another list of such items is left over.
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

/** HAL omits an empty list and only gives a count of zero. */
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
  // Items keyed by ID are beside the fields that describe the list.
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

/** Lists named after their items, such as `folders` and `files`. A single one is incomplete. */
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

/** Whether there may be more items beside the list that was found. */
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

/** Searches an object with a known name, else the only object that contains a matching list. */
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
