import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import type { LeftOut, Operation, Page } from '../../../contract/declarations/operation.ts'
import { Findings } from '../reader/drift.ts'
import { type Fields, isFields, own } from '../reader/fields.ts'
import { ListItem } from '../reader/list-item.ts'
import { findList, type FoundList } from '../reader/lists.ts'
import { readerOf, unwrapped } from '../reader/reader.ts'
import { type Reader, MISFIT } from '../reader/reading.ts'

/** Text that is gathered before it is read, in characters. */
const PIECE = 32 * 1024
/** Items of one answer that are read at most, where no more can be asked for. */
const ITEMS_MOST = 10_000
/** So many times what can be asked for is read: there are services that ignore it and send everything. */
const ASKED_TIMES = 4
/** So many of a page that cannot be read are enough to know that it is another service's: the rest is not tried. */
export const LEFT_OUT_MOST = 5_000
/** Places to cut a text that are tried: the last ones may lie in a name. */
const TRIES = 3
/** The begin of a list has to be there by then, in characters. */
const BEGIN_MOST = 200

export type ListAnswer = Extract<Operation['answer'], { kind: 'list' }>

/** Items of one answer of a list that are read at most. What is beyond is not read, and the page is not complete. */
export function itemsMost({ query }: Operation): number {
  const limit = query && unwrapped(query.shape['limit'] as z.ZodType)
  const asked = limit instanceof z.ZodNumber ? (limit.maxValue ?? 0) : 0
  return Math.max(ITEMS_MOST, ASKED_TIMES * asked)
}

/** Bounds of what is read while it comes. */
export interface ListLimits {
  /** See `itemsMost`. */
  items: number
  /** Items that do not fit as they are, each of which takes its time. */
  odd: number
  /** Text that is gathered in vain for a place to cut it, in characters: as long as the longest item. */
  text: number
}

/** For main's thread, where nothing else goes on meanwhile. */
export const WHILE_IT_COMES = { odd: 200, text: 2 * PIECE } as const

/**
 * Reads the items of `{"items":[…` while the answer still comes, so that at its end little is left to do. What it cannot
 * take apart within its limits it leaves to whoever reads the text as a whole.
 *
 * The text is cut between two items, at `},{`. That may as well stand in a name or deeper down: but a text that begins
 * where an item begins and is a JSON array between brackets ends where an item ends, so what can be parsed was cut
 * rightly, and what cannot be waits for more.
 */
export class ListReader {
  readonly #page: Page<unknown> = { items: [], nextCursor: null, leftOut: [], complete: true }
  readonly #item: Reader
  readonly #listed: ListItem
  readonly #parts: readonly string[]
  readonly #limits: ListLimits
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #state: 'begin' | 'items' | 'whole' = 'begin'
  #enough = PIECE
  #count = 0
  #odd = 0
  /** Where the items differ from the contract. */
  readonly findings = new Findings()

  constructor({ item, parts = [] }: ListAnswer, limits: ListLimits) {
    this.#item = readerOf(item)
    this.#listed = new ListItem(item, null)
    this.#parts = parts
    this.#limits = limits
  }

  /** It has as many items as are read, and needs no more of the answer. */
  get isFull(): boolean {
    return this.#state === 'items' && this.#count > this.#limits.items
  }

  /** Takes what has come. */
  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#state !== 'whole' && !this.isFull; at += PIECE)
      this.#take(bytes.subarray(at, at + PIECE))
  }

  #take(bytes: Uint8Array): void {
    this.#text += this.#decoder.write(bytes)
    if (this.#state === 'begin' && !this.#begin()) return
    if (this.#text.length < this.#enough) return
    if (this.#cut()) {
      this.#enough = PIECE
    } else {
      this.#enough = this.#text.length * 2
      if (this.#text.length >= this.#limits.text) this.#leave()
    }
  }

  /** Reads all items but the last that has begun. Returns false where no place to cut was found. */
  #cut(): boolean {
    let end = this.#text.length
    for (let tries = 0; tries < TRIES; tries++) {
      end = this.#text.lastIndexOf('},{', end - 1)
      if (end < 0) return false
      if (!this.#read(this.#text.slice(0, end + 1))) continue
      this.#text = this.#text.slice(end + 2)
      return true
    }
    return false
  }

  /**
   * The page, now that everything has come; null where it has to be read as a whole.
   *
   * @param headers what they say of its pages
   */
  end(headers?: Fields): Page<unknown> | null {
    if (this.#state !== 'items') return null
    if (this.isFull) return { ...this.#page, complete: false }
    let rest: unknown
    try {
      rest = JSON.parse(`{"items":[${this.#text}${this.#decoder.end()}`)
    } catch {
      return null
    }
    const found = findList(rest, [], { before: this.#count, headers, item: this.#listed })
    if (!found || found.as !== undefined) return null
    for (const one of found.raw) this.#keep(one)
    // Numbers that a double rounds are read from the text.
    if (this.findings.rounded || this.#state !== 'items') return null
    const [count, leftOut] = [this.#count, this.#page.leftOut.length]
    const paging = pagingOf(found, { count, leftOut, most: this.#limits.items })
    return { ...this.#page, ...paging, ...unreadableOf(rest, this.#parts) }
  }

  #begin(): boolean {
    const begin = /^\s*\{\s*"items"\s*:\s*\[/.exec(this.#text)
    if (begin) {
      this.#text = this.#text.slice(begin[0].length)
      this.#state = 'items'
    } else if (this.#text.length > BEGIN_MOST) {
      this.#leave()
    }
    return begin !== null
  }

  #leave(): void {
    this.#state = 'whole'
    this.#text = ''
    this.#page.items = []
  }

  #read(text: string): boolean {
    let items: unknown[]
    try {
      items = JSON.parse(`[${text}]`) as unknown[]
    } catch {
      return false
    }
    for (const one of items) this.#keep(one)
    return true
  }

  #keep(one: unknown): void {
    const index = this.#count++
    if (index >= this.#limits.items || this.#state !== 'items') return
    const exact = this.#item.exact(one)
    if (exact !== MISFIT) this.#page.items.push(exact)
    else if (++this.#odd > this.#limits.odd) this.#leave()
    else keepItem(this.#item, one, index, { page: this.#page, findings: this.findings })
  }
}

/** The declared sources of a list that an answer calls unreadable. */
export function unreadableOf(body: unknown, parts: readonly string[]): Pick<Page<unknown>, 'unreadable'> {
  const named = isFields(body) ? own(body, 'unreadable') : undefined
  const unreadable = Array.isArray(named) ? parts.filter((part) => named.includes(part)) : []
  return unreadable.length > 0 ? { unreadable } : {}
}

/**
 * What a page says of those that follow.
 *
 * @param count how many it holds, of which `leftOut` cannot be read, and `most` are read
 */
export function pagingOf(
  { nextCursor, complete, total }: FoundList,
  { count, leftOut, most }: { count: number; leftOut: number; most: number },
): Pick<Page<unknown>, 'nextCursor' | 'complete' | 'total'> {
  if (count > most || leftOut >= LEFT_OUT_MOST) return { nextCursor: null, complete: false }
  return { nextCursor, complete, ...(total === undefined ? {} : { total }) }
}

/** Puts an item that can be read on the page; of one that cannot it is told where. Where no more is tried it is neither. */
export function keepItem(
  item: Reader,
  one: unknown,
  index: number,
  { page, findings }: { page: Page<unknown>; findings: Findings },
): void {
  if (page.leftOut.length >= LEFT_OUT_MOST) return
  let value = findings.long.size > 0 ? MISFIT : item.exact(one)
  if (value === MISFIT) {
    findings.misfit = null
    value = findings.within('items', () => findings.within(String(index), () => item.read(one, findings)))
  }
  if (value !== MISFIT) page.items.push(value)
  else page.leftOut.push({ index, path: findings.misfit ?? `items.${index}` } satisfies LeftOut)
}
