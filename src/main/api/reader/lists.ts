import { type Fields, isFields, own } from './fields.ts'
import { at } from '../shape.ts'
import { plain } from './scalars.ts'

/** A list as it was found in an answer. */
export interface FoundList {
  raw: readonly unknown[]
  /** Where to go on; null at the end or where the service does not say it in a way that is known. */
  nextCursor: string | null
  /** Whether these are all. Where a service pages in a way that is not known, nobody can tell. */
  complete: boolean
  /** The name it stood under, where it is none of the contract's. */
  as?: string
}

/** Where a list stands, in this order; the resource's own names come after. */
const LIST_NAMES = ['items', 'data', 'results']
/** What one value or a list may be wrapped in. */
export const ENVELOPES = ['data', 'result'] as const
/** Lists that are about something else than the answer's subject. */
const OTHER_LISTS = new Set(['errors', 'warnings', 'messages', 'links'])
/** Names that speak of more pages in a way that this contract does not know. */
const PAGING = new Set([
  'meta',
  'total',
  'totalcount',
  'links',
  'pagination',
  'paging',
  'page',
  'pages',
  'next',
  'hasmore',
  'nextpage',
])

/**
 * Finds the list in an answer: bare, or under a name of the contract or of the resource, else the only list there is. An
 * empty one under a name that nobody knows proves nothing. Null where there is none.
 *
 * @param place where a profile says that it is; looked for first
 */
export function findList(value: unknown, resources: readonly string[], place?: string): FoundList | null {
  const placed = place === undefined ? undefined : at(value, place)
  if (place !== undefined && Array.isArray(placed)) {
    const around = at(value, place.split('.').slice(0, -1).join('.'))
    return { raw: placed, ...paging(isFields(around) ? around : (value as Fields), placed.length) }
  }
  if (Array.isArray(value)) return { raw: value, nextCursor: null, complete: true }
  if (!isFields(value)) return null
  const named = listUnder(value, resources)
  if (named) return { ...named, ...paging(value, named.raw.length) }
  for (const name of ENVELOPES) {
    const inner = own(value, name)
    if (!isFields(inner)) continue
    const found = listUnder(inner, resources)
    if (!found) continue
    const [within, around] = [paging(inner, found.raw.length), paging(value, found.raw.length)]
    return {
      ...found,
      nextCursor: within.nextCursor ?? around.nextCursor,
      complete: within.complete && around.complete,
      as: `${name}.${found.as ?? 'items'}`,
    }
  }
  return null
}

function listUnder(value: Fields, resources: readonly string[]): Pick<FoundList, 'raw' | 'as'> | null {
  for (const name of LIST_NAMES) {
    const list = own(value, name)
    if (Array.isArray(list)) return name === 'items' ? { raw: list } : { raw: list, as: name }
  }
  const wanted = new Set(resources.map(plain))
  const lists = Object.keys(value).filter(
    (name) => Array.isArray(own(value, name)) && !OTHER_LISTS.has(plain(name)),
  )
  const resource = lists.find((name) => wanted.has(plain(name)))
  if (resource !== undefined) return { raw: own(value, resource) as unknown[], as: resource }
  const [only, ...more] = lists
  if (only === undefined || more.length > 0) return null
  const raw = own(value, only) as unknown[]
  return raw.length > 0 ? { raw, as: only } : null
}

function paging(value: Fields, length: number): Pick<FoundList, 'nextCursor' | 'complete'> {
  const cursor = own(value, 'nextCursor') ?? own(value, 'next_cursor')
  if (typeof cursor === 'string' && cursor !== '') return { nextCursor: cursor, complete: false }
  if (Object.hasOwn(value, 'nextCursor')) return { nextCursor: null, complete: true }
  const hints = Object.keys(value).filter((name) => PAGING.has(plain(name)))
  return { nextCursor: null, complete: hints.length === 0 || totalOf(value) === length }
}

/** How many there are in all, where the service says so. */
function totalOf(value: Fields): unknown {
  const meta = own(value, 'meta')
  return own(value, 'total') ?? own(value, 'totalCount') ?? (isFields(meta) ? own(meta, 'total') : undefined)
}
