import type { z } from 'zod'
import type { Line } from '../../contract/areas/console.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'
import { formatLineId, type LineId, parseLineId } from '../../contract/rules/line-ids.ts'

type HostLine = z.input<typeof Line> & { id: string }

/** Lines that a reconnecting window may ask for again, and of a flood that main is behind of. */
const HELD_MOST = 100_000
/** Characters of one line, of all, and of a page; a terminal may send a line without end. */
const TEXT_MOST = 20_000
const CHARACTERS_MOST = 16_000_000
const PAGE_MOST = 4_000_000
/** Of one event: main reads none that is much longer. */
const EVENT_MOST = { lines: 1000, characters: 500_000 }
/** Shorter strings have their own characters. */
const SLICE_LEAST = 13

/** No longer than a line may be. A slice would keep the whole text that it was cut from. */
export const shortened = (text: string): string => {
  const kept = text.length > TEXT_MOST ? `${text.slice(0, TEXT_MOST)}…` : text
  return kept.length < SLICE_LEAST ? kept : Buffer.from(kept).toString()
}

export type LineNews = { kind: 'lines'; lines: HostLine[] } | { kind: 'gap'; from: string; to: string }

type Entry = HostLine | { id: string; text: null }

/**
 * Lines of one console, which come without ids: numbered in order of arrival, and held so that a stream can resume.
 * What could not be had is a number without a line.
 */
export class LineLog {
  #last: LineId
  readonly #held: Entry[] = []
  #characters = 0
  readonly #listeners = new Set<() => void>()

  /** `last`: of an earlier run, which is continued. */
  constructor(last: LineId | null) {
    this.#last = last ?? { epoch: Date.now().toString(36), seq: 0 }
  }

  /** The newest texts, oldest first. */
  newest(count: number): string[] {
    return this.#held.slice(-count).flatMap(({ text }) => text ?? [])
  }

  /** `isNow`: they were written just now. `told`: a sentence of ours, to be translated. */
  add(
    texts: readonly string[],
    { isNow = true, source, told }: { isNow?: boolean; source?: 'service'; told?: RefusalText } = {},
  ): void {
    if (texts.length === 0) return
    if (texts.length > HELD_MOST) this.miss()
    const time = isNow ? new Date().toISOString() : null
    const sentences = told && [{ sentence: told.sentence, values: told.values }]
    const lines = texts.slice(-HELD_MOST).map((text): HostLine => {
      const extras = { ...(source && { source }), ...(sentences && { sentences }) }
      return { id: this.#next(), time, text: shortened(text), ...extras }
    })
    this.#hold(lines)
    this.#tell()
  }

  miss(): void {
    const id = this.#next()
    this.#hold([{ id, text: null }])
    this.#tell()
  }

  get lastId(): string {
    return formatLineId(this.#last)
  }

  /** Whether the id is of this run. */
  knows(id: string): boolean {
    return this.#placeOf(id) !== null
  }

  /** What followed an id, in portions. Of an id of another run: nothing. */
  *after(id: string): Generator<LineNews> {
    const at = this.#placeOf(id)
    if (at === null) return
    let lines: HostLine[] = []
    let characters = 0
    for (const entry of this.#held.slice(Math.max(0, at + 1))) {
      const isFull = lines.length === EVENT_MOST.lines || characters > EVENT_MOST.characters
      if (lines.length > 0 && (isFull || entry.text === null)) {
        yield { kind: 'lines', lines }
        lines = []
        characters = 0
      }
      if (entry.text === null) yield { kind: 'gap', from: entry.id, to: entry.id }
      else {
        lines.push(entry)
        characters += entry.text.length
      }
    }
    if (lines.length > 0) yield { kind: 'lines', lines }
  }

  /** As the operation `console.history` asks. */
  page({ before, after, limit = 1000 }: LinePage): HostLine[] {
    const low = after === undefined ? null : this.#placeOf(after)
    const high = before === undefined ? this.#held.length : this.#placeOf(before)
    if (high === null) return []
    const lines = this.#held
      .slice(Math.max(0, (low ?? -1) + 1), Math.max(0, high))
      .filter((entry) => entry.text !== null)
    return low === null ? within(lines.slice(-limit).reverse()).reverse() : within(lines.slice(0, limit))
  }

  /** Told whenever there are more. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #next(): string {
    this.#last = { ...this.#last, seq: this.#last.seq + 1 }
    return formatLineId(this.#last)
  }

  /** Of an id in what is held; negative if it came before. Null if it is of another run. */
  #placeOf(id: string): number | null {
    const read = parseLineId(id)
    if (read?.epoch !== this.#last.epoch) return null
    return this.#held.length - 1 - (this.#last.seq - read.seq)
  }

  #hold(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#held.push(entry)
      this.#characters += entry.text?.length ?? 0
    }
    let over = this.#held.length > HELD_MOST * 1.5 ? this.#held.length - HELD_MOST : 0
    for (let at = 0; at < this.#held.length && (at < over || this.#characters > CHARACTERS_MOST); at++) {
      this.#characters -= this.#held[at]?.text?.length ?? 0
      over = Math.max(over, at + 1)
    }
    if (over > 0) this.#held.splice(0, over)
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

/** The first lines, as many as a page may have characters. */
function within(lines: HostLine[]): HostLine[] {
  let left = PAGE_MOST
  const end = lines.findIndex(({ text }) => (left -= text.length) < 0)
  return end < 0 ? lines : lines.slice(0, Math.max(1, end))
}

export interface LinePage {
  before?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}
