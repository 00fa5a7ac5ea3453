import { type Fields, isFields, own } from './fields.ts'
import { type Paging, PagingSigns } from './paging.ts'
import { at } from '../shape.ts'
import { plain } from './scalars.ts'

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
/** What one value or a list may be wrapped in. */
export const ENVELOPES = ['data', 'result'] as const
/** Lists that are about something else than the answer's subject. */
const OTHER_LISTS = new Set(['errors', 'warnings', 'messages', 'links'])
/**
 * Finds the list in an answer: bare, or under a name of the contract or of the resource, else the only list there is. An
 * empty one under a name that nobody knows proves nothing. Null where there is none.
 */
export function findList(
  value: unknown,
  resources: readonly string[],
  { place, before = 0, headers = {} }: WhereList = {},
): FoundList | null {
  const signs = (raw: readonly unknown[]) => new PagingSigns(before + raw.length).look(headers)
  const placed = place === undefined ? undefined : at(value, place)
  if (place !== undefined && Array.isArray(placed)) {
    const found = signs(placed)
    const names = place.split('.')
    for (const [depth, name] of names.entries()) {
      const around = depth === 0 ? value : at(value, names.slice(0, depth).join('.'))
      if (isFields(around)) found.look(around, name)
    }
    return { raw: placed, ...found.verdict() }
  }
  if (Array.isArray(value)) return { raw: value, ...signs(value).verdict() }
  if (!isFields(value)) return null
  const named = listUnder(value, resources)
  if (named)
    return {
      ...named,
      ...signs(named.raw)
        .look(value, named.as ?? 'items')
        .verdict(),
    }
  for (const name of ENVELOPES) {
    const inner = own(value, name)
    if (!isFields(inner)) continue
    const found = listUnder(inner, resources)
    if (!found) continue
    const as = found.as ?? 'items'
    return {
      ...found,
      ...signs(found.raw).look(inner, as).look(value, name).verdict(),
      as: `${name}.${as}`,
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
