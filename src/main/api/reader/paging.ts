import { type Fields, isFields } from './fields.ts'
import { plain } from './scalars.ts'

export interface Paging {
  /** Null at the end, or if the paging style is unknown. */
  nextCursor: string | null
  complete: boolean
  /** Total count, if nothing else contradicts this being the last page: with earlier pages it may complete the list. */
  total?: number
}

const CURSOR = 'nextcursor'
const TOTALS = new Set(['total', 'count'])
/** Names that suggest an unknown paging style. */
const OF_PAGES = /page|paging|paginat|total|count|cursor|next|more|offset|continu|truncat|meta|links/

/** @param around fields beside the list; @param length items so far, including earlier pages */
export function pagingOf(around: readonly (readonly [string, unknown])[], length: number): Paging {
  let isEnd = false
  let isUnclear = false
  let total: number | null = null
  for (const [name, value] of around) {
    const known = plain(name)
    if (known === CURSOR) {
      if (isCursor(value)) return { nextCursor: String(value), complete: false }
      if (isSaid(value)) isUnclear = true
      else isEnd = true
    } else if (TOTALS.has(known) && Number.isSafeInteger(value)) {
      total = Math.max(total ?? 0, value as number)
    } else if (OF_PAGES.test(known) && isSaid(value)) {
      isUnclear = true
    }
  }
  if (total !== null && total > length)
    return { nextCursor: null, complete: false, ...(!isUnclear && { total }) }
  return { nextCursor: null, complete: isEnd || !isUnclear || total === length }
}

const isCursor = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || (Number.isSafeInteger(value) && (value as number) > 0)

const isSaid = (value: unknown): boolean =>
  Array.isArray(value) || isFields(value)
    ? Object.keys(value).length > 0
    : ![null, undefined, '', false].includes(value as null)

/** The `Link` header as a field beside the list (RFC 8288). */
export const linksIn = (headers: Readonly<Record<string, string>>): Fields =>
  /;\s*rel="?next\b/i.test(headers['link'] ?? '') ? { links: 'next' } : {}
