import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import type { InvalidItem, Operation, Page } from '../../../contract/declarations/operation.ts'
import { Findings } from '../reader/drift.ts'
import { type Fields, isFields, own } from '../reader/fields.ts'
import { findList, type LocatedList } from '../reader/lists.ts'
import { readerOf, unwrapped } from '../reader/reader.ts'
import { type Reader, MISFIT } from '../reader/leaf-reader.ts'

const PIECE = 32 * 1024
/** Items read per answer if the operation has no limit parameter. */
const ITEMS_MOST = 10_000
/** Read up to this multiple of the requested limit: some services ignore it and send everything. */
const ASKED_TIMES = 4
/** After this many unreadable items, the page belongs to another service; skip the rest. */
export const LEFT_OUT_MOST = 5_000
/** Cut positions tried per piece: the last ones may be inside a name. */
const TRIES = 3
/** The list must begin within this many characters. */
const BEGIN_MOST = 200

export type ListAnswer = Extract<Operation['answer'], { kind: 'list' }>

/** Items read per answer. Anything beyond is ignored and makes the page incomplete. */
export function itemsMost({ query }: Operation): number {
  const limit = query && unwrapped(query.shape['limit'] as z.ZodType)
  const asked = limit instanceof z.ZodNumber ? (limit.maxValue ?? 0) : 0
  return Math.max(ITEMS_MOST, ASKED_TIMES * asked)
}

export interface ListLimits {
  items: number
  odd: number
  /** Characters collected without finding a cut; bounds the longest item. */
  text: number
}

export const WHILE_IT_COMES = { odd: 200, text: 2 * PIECE } as const

/**
 * Reads the items of `{"items":[…` while the answer arrives. Anything it can't take apart within its limits is
 * read as a whole later.
 *
 * The text is cut between two items, at `},{`. That may also occur in a name or deeper down, but a piece that
 * starts at an item and parses as a JSON array in brackets must end at an item; one that doesn't parse waits for
 * more.
 */
export class ListReader {
  readonly #page: Page<unknown> = { items: [], nextCursor: null, leftOut: [], complete: true }
  readonly #item: Reader
  readonly #parts: readonly string[]
  readonly #limits: ListLimits
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #state: 'begin' | 'items' | 'whole' = 'begin'
  #enough = PIECE
  #count = 0
  #odd = 0
  readonly findings = new Findings()

  constructor({ item, parts = [] }: ListAnswer, limits: ListLimits) {
    this.#item = readerOf(item)
    this.#parts = parts
    this.#limits = limits
  }

  get isFull(): boolean {
    return this.#state === 'items' && this.#count > this.#limits.items
  }

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

  /** Reads every item but the last, unfinished one. Returns false if no cut was found. */
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

  /** The page after the last byte; null if the answer has to be read as a whole. */
  end(headers?: Fields): Page<unknown> | null {
    if (this.#state !== 'items') return null
    if (this.isFull) return { ...this.#page, complete: false }
    let rest: unknown
    try {
      rest = JSON.parse(`{"items":[${this.#text}${this.#decoder.end()}`)
    } catch {
      return null
    }
    const found = findList(rest, [], { before: this.#count, headers })
    if (!found || found.as !== undefined) return null
    for (const one of found.raw) this.#keep(one)
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

/** Sources the answer lists as unreadable, limited to the declared ones. */
export function unreadableOf(body: unknown, parts: readonly string[]): Pick<Page<unknown>, 'unreadable'> {
  const named = isFields(body) ? own(body, 'unreadable') : undefined
  const unreadable = Array.isArray(named) ? parts.filter((part) => named.includes(part)) : []
  return unreadable.length > 0 ? { unreadable } : {}
}

/** @param count items on the page, including `leftOut`; at most `most` are read */
export function pagingOf(
  { nextCursor, complete, total }: LocatedList,
  { count, leftOut, most }: { count: number; leftOut: number; most: number },
): Pick<Page<unknown>, 'nextCursor' | 'complete' | 'total'> {
  if (count > most || leftOut >= LEFT_OUT_MOST) return { nextCursor: null, complete: false }
  return { nextCursor, complete, ...(total === undefined ? {} : { total }) }
}

/** Adds an item, or records where an unreadable one is. Does nothing after `LEFT_OUT_MOST`. */
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
  else page.leftOut.push({ index, path: findings.misfit ?? `items.${index}` } satisfies InvalidItem)
}
