import { StringDecoder } from 'node:string_decoder'
import type { z } from 'zod'
import type { LeftOut, Page } from '../../contract/api/operation.ts'

/** Text that is gathered before it is read, in characters. */
const PIECE = 32 * 1024
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
  readonly #page: Page<unknown> = { items: [], nextCursor: null, leftOut: [] }
  readonly #item: z.ZodType
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #state: 'begin' | 'items' | 'whole' = 'begin'
  #enough = PIECE
  #count = 0

  constructor(item: z.ZodType) {
    this.#item = item
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

  /** The page, now that everything has come; null where it has to be read as a whole. */
  end(): Page<unknown> | null {
    if (this.#state !== 'items') return null
    let rest: { items: unknown; nextCursor?: unknown }
    try {
      rest = JSON.parse(`{"items":[${this.#text}${this.#decoder.end()}`) as typeof rest
    } catch {
      return null
    }
    if (!Array.isArray(rest.items)) return null
    for (const one of rest.items) this.#keep(one)
    return { ...this.#page, nextCursor: cursorOf(rest.nextCursor) }
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
    keepItem(this.#item, one, this.#count++, this.#page)
  }
}

/** Puts an item that fits on the page; of one that does not it is told where. */
export function keepItem(item: z.ZodType, one: unknown, index: number, page: Page<unknown>): void {
  const parsed = item.safeParse(one)
  if (parsed.success) page.items.push(parsed.data)
  else page.leftOut.push({ index, path: pathOf(parsed.error.issues[0], ['items', index]) } satisfies LeftOut)
}

/** Path of the field an issue is about. */
export const pathOf = (issue: z.core.$ZodIssue | undefined, before: (string | number)[] = []): string =>
  [...before, ...(issue?.path ?? []).map(String)].join('.')

/** The cursor of a page, or null at the end. */
export const cursorOf = (cursor: unknown): string | null =>
  typeof cursor === 'string' && cursor !== '' ? cursor : null
