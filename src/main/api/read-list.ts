import { StringDecoder } from 'node:string_decoder'
import type { z } from 'zod'
import type { LeftOut, Page } from '../../contract/areas/operation.ts'
import { Findings } from './reader/drift.ts'
import { type Fields, isFields, own } from './reader/fields.ts'
import { ListItem } from './reader/list-item.ts'
import { findList, type FoundList } from './reader/lists.ts'
import { readerOf } from './reader/reader.ts'
import { type Reader, MISFIT } from './reader/reading.ts'

/** Text that is gathered before it is read, in characters. */
const PIECE = 32 * 1024
/**
 * Items of one page that are read at most: the longest folder has fewer, and 32 MiB of `0,0,0` would have sixteen million,
 * each of them left out and told of. What is beyond that is not read, and the page is not complete.
 */
export const ITEMS_MOST = 200_000
/** So many of a page that cannot be read are enough to know that it is another service's: the rest is not tried. */
export const LEFT_OUT_MOST = 5_000
/** The begin of a list has to be there by then, in characters. */
const BEGIN_MOST = 200

/**
 * Reads the items of `{"items":[…` while the answer still comes, so that at its end little is left to do. What it cannot
 * take apart it leaves to whoever reads the text as a whole.
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
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #state: 'begin' | 'items' | 'whole' = 'begin'
  #enough = PIECE
  #count = 0
  /** Where the items differ from the contract. */
  readonly findings = new Findings()

  /** @param parts the declared sources of the list */
  constructor(item: z.ZodType, parts: readonly string[] = []) {
    this.#item = readerOf(item)
    this.#listed = new ListItem(item, null)
    this.#parts = parts
  }

  /** Takes what has come. */
  take(bytes: Buffer): void {
    if (this.#state === 'whole') return
    this.#text += this.#decoder.write(bytes)
    if (this.#state === 'begin' && !this.#begin()) return
    if (this.#text.length < this.#enough) return
    const end = this.#text.lastIndexOf('},{') + 1
    if (end > 0 && this.#read(this.#text.slice(0, end))) {
      this.#text = this.#text.slice(end + 1)
      this.#enough = PIECE
    } else {
      this.#enough = this.#text.length * 2
    }
  }

  /**
   * The page, now that everything has come; null where it has to be read as a whole.
   *
   * @param headers what they say of its pages
   */
  end(headers?: Fields): Page<unknown> | null {
    if (this.#state !== 'items') return null
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
    if (this.findings.rounded) return null
    const paging = pagingOf(found, { count: this.#count, leftOut: this.#page.leftOut.length })
    return { ...this.#page, ...paging, ...unreadableOf(rest, this.#parts) }
  }

  #begin(): boolean {
    const begin = /^\s*\{\s*"items"\s*:\s*\[/.exec(this.#text)
    if (begin) {
      this.#text = this.#text.slice(begin[0].length)
      this.#state = 'items'
    } else if (this.#text.length > BEGIN_MOST) {
      this.#state = 'whole'
      this.#text = ''
    }
    return begin !== null
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
    if (this.#count >= ITEMS_MOST) return void this.#count++
    keepItem(this.#item, one, this.#count++, { page: this.#page, findings: this.findings })
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
 * @param count how many it holds, of which `leftOut` cannot be read
 */
export function pagingOf(
  { nextCursor, complete, total }: FoundList,
  { count, leftOut }: { count: number; leftOut: number },
): Pick<Page<unknown>, 'nextCursor' | 'complete' | 'total'> {
  if (count > ITEMS_MOST || leftOut >= LEFT_OUT_MOST) return { nextCursor: null, complete: false }
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
