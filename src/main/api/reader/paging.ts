import { type Fields, isFields } from './fields.ts'
import { plain } from './scalars.ts'

export interface Paging {
  /** Null at the end, or if the paging style is unknown. */
  nextCursor: string | null
  complete: boolean
  /** Total count, if nothing else contradicts this being the last page: with earlier pages it may complete the list. */
  total?: number
}

/** Fields used as a cursor, likeliest first. */
const CURSORS = [
  'nextcursor',
  'nextpagetoken',
  'nexttoken',
  'nextcontinuationtoken',
  'continuationtoken',
  'endcursor',
  'cursor',
]
/** Cursors that may also be present on the last page; an end flag overrides them. */
const AT_THE_END_TOO = new Set(['endcursor', 'cursor'])
/** Pointers to the next page that can't be sent back. */
const NEXT = new Set(['next', 'nextpage', 'nextlink', 'nexturl', 'nextpageurl', 'nextoffset', 'nextmarker'])
const MORE = new Set([
  'hasmore',
  'hasnext',
  'hasnextpage',
  'more',
  'moreavailable',
  'truncated',
  'istruncated',
])
/** Flags; `last` and `lastPage` may also be numbers or links. */
const LAST = new Set(['last', 'islast', 'lastpage', 'islastpage'])
const TOTALS = new Set([
  'total',
  'totalcount',
  'totalitems',
  'totalresults',
  'totalelements',
  'totalrecords',
  'totalhits',
  'recordstotal',
])
/** Counts of all items or of this page. */
const COUNTS = new Set(['count', 'itemcount', 'resultcount'])
const PAGE_COUNTS = new Set(['totalpages', 'pagecount', 'pages', 'lastpage', 'numpages'])
const LIMITS = new Set(['limit', 'pagesize', 'perpage', 'size', 'maxresults'])
/** Containers of paging fields. */
const AROUND = new Set([
  'meta',
  'metadata',
  'responsemetadata',
  'links',
  'pagination',
  'paging',
  'pageinfo',
  'page',
])
/** Links unrelated to paging. */
const NOT_OF_PAGES = new Set(['self', 'describedby', 'related', 'help', 'about', 'profile', 'curies'])
/** Names that suggest an unknown paging style. */
const OF_PAGES =
  /page|paging|paginat|total|cursor|next|more|offset|continu|truncat|remain|partial|incomplete|skip/
const DEPTH_MOST = 3

const NO = new Set<unknown>([false, 0, '0', 'false', 'no'])
const YES = new Set<unknown>([true, 1, '1', 'true', 'yes'])

/** `_links`, `@odata.nextLink` */
const bare = (name: string): string => plain(name).replace(/^.*[.:@$]/, '')

/** Whether an object of this name contains paging only, never items. */
export const isAboutPages = (name: string): boolean => AROUND.has(bare(name))

export class PagingSigns {
  readonly #length: number
  readonly #cursors = new Map<string, string>()
  #total: number | null = null
  /** There are more pages. */
  #more = false
  #end = false
  /** Paging was found but not understood. */
  #unclear = false

  /** @param length items so far, including earlier pages */
  constructor(length: number) {
    this.#length = length
  }

  /** @param except the key that leads to the list */
  look(around: Fields, except?: string, depth = 0): this {
    for (const name of Object.keys(around)) if (name !== except) this.#take(around[name], name, depth)
    return this
  }

  /** The stated total equals the number of items here. */
  get saysAll(): boolean {
    return this.#total === this.#length
  }

  verdict(): Paging {
    const name = CURSORS.find((one) => this.#cursors.has(one) && !(this.#end && AT_THE_END_TOO.has(one)))
    const nextCursor = (name !== undefined && this.#cursors.get(name)) || null
    if (nextCursor !== null || this.#more) return { nextCursor, complete: false }
    const total = this.#total
    if (total !== null && total > this.#length) return { nextCursor, complete: false, total }
    return { nextCursor, complete: this.#end || !this.#unclear || total === this.#length }
  }

  #take(value: unknown, name: string, depth: number): void {
    const known = bare(name)
    if (CURSORS.includes(known)) this.#takeCursor(value, known)
    else if (isFields(value) && AROUND.has(known)) this.#takeAround(value, depth)
    else if (NEXT.has(known)) this.#takeNext(value)
    else if (MORE.has(known)) this.#takeFlag(value, YES, NO)
    else if (LAST.has(known) && (typeof value === 'boolean' || known.startsWith('is')))
      this.#takeFlag(value, NO, YES)
    else if (PAGE_COUNTS.has(known)) this.#takePages(value)
    else if (TOTALS.has(known)) this.#takeTotal(value)
    else if (COUNTS.has(known) || LIMITS.has(known)) this.#takeCount(value, known)
    else if ((AROUND.has(known) || OF_PAGES.test(known)) && isSaid(value)) this.#unclear = true
  }

  #takeCursor(value: unknown, known: string): void {
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    if (isNumber || (typeof value === 'string' && value !== '')) this.#cursors.set(known, String(value))
    else if (isSaid(value) && value !== false) this.#more = true
    else if (!AT_THE_END_TOO.has(known)) this.#end = true
  }

  #takeAround(value: Fields, depth: number): void {
    if (Object.keys(value).every((name) => NOT_OF_PAGES.has(bare(name)))) return
    this.#unclear = true
    if (depth < DEPTH_MOST) this.look(value, undefined, depth + 1)
  }

  #takeNext(value: unknown): void {
    if (isSaid(value) && value !== false) this.#more = true
    else this.#end = true
  }

  #takeFlag(value: unknown, more: ReadonlySet<unknown>, end: ReadonlySet<unknown>): void {
    if (more.has(value)) this.#more = true
    else if (end.has(value)) this.#end = true
    else if (isSaid(value)) this.#unclear = true
  }

  #takePages(value: unknown): void {
    const pages = numberOf(value)
    if (pages === null) this.#unclear ||= isSaid(value)
    else if (pages > 1) this.#more = true
    else this.#end = true
  }

  #takeTotal(value: unknown): void {
    const total = numberOf(value)
    if (total === null || total < this.#length) this.#unclear ||= isSaid(value)
    else this.#total = Math.max(total, this.#total ?? 0)
  }

  /** A reached limit, or a count higher than the items here, means more. */
  #takeCount(value: unknown, known: string): void {
    const count = numberOf(value)
    if (LIMITS.has(known)) this.#unclear ||= count !== null && count <= this.#length
    else if (count !== null && count > this.#length) this.#takeTotal(count)
  }
}

const isSaid = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  (typeof value !== 'object' || Object.keys(value).length > 0)

function numberOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Paging headers and their names in a body. */
const HEADERS = {
  'x-total-count': 'total',
  'x-total': 'total',
  'x-total-pages': 'totalPages',
  'x-next-page': 'nextPage',
  'x-next-cursor': 'nextCursor',
  'x-has-more': 'hasMore',
}

export function pagesInHeaders(headers: Readonly<Record<string, string>>): Fields {
  const found: Record<string, string> = {}
  for (const [header, name] of Object.entries(HEADERS)) {
    const value = headers[header]
    if (value !== undefined) found[name] = value
  }
  const total = /^(?!bytes)[^/]*\/(\d+)$/i.exec(headers['content-range'] ?? '')?.[1]
  if (total !== undefined) found['totalItems'] = total
  if (/;\s*rel="?next\b/i.test(headers['link'] ?? '')) found['next'] = 'link'
  return found
}
