import { isUtf8 } from 'node:buffer'
import { setTimeout as wait } from 'node:timers/promises'
import { parseLineId } from '../../contract/rules/line-ids.ts'
import type { ConsoleMemory } from '../base/adapter.ts'
import { linesIn } from '../base/body.ts'
import { LineLog } from '../console/line-log.ts'
import { endIn, keyOf } from '../console/log-join.ts'

const LOOK_MS = 700
const LOOK_FAILED_MS = 3000
/** Lines that were written since the last look are of now if that is so long ago at most, ms. */
const NOW_MS = 5000
/** Bytes: of the end of a log that is opened, and of one read on. What is further behind is a gap. */
const TAIL_MOST = 4 * 1024 * 1024
const STEP_MOST = 8 * 1024 * 1024
const BEHIND_MOST = 64 * 1024 * 1024
/** Bytes before the place that was read to, by which the file is known again. */
const MARK = 512
const UNENDED_MOST = 1024 * 1024
/** Lines of a console that is opened for the first time, that are added at once, and that are compared. */
const FIRST_LINES = 2000
const FILL_MOST = 15_000
const KNOWN_LINES = 500
const ARCHIVES_MOST = 5
/** The game compresses a log a little after it begins the next one: so many looks. */
const ARCHIVE_LOOKS = 6

export interface LogFiles {
  /** Of `logs/latest.log`; null if there is none. */
  size(): Promise<number | null>
  read(from: number, to: number): Promise<Buffer>
  /** The newest logs that were ended, newest first, read one after another. */
  archives(most: number): AsyncIterable<string[]>
}

/** The lines of `logs/latest.log` as they are written, also over its ends and beginnings. */
export class LogTail {
  readonly #files: LogFiles
  readonly #closed = new AbortController()
  readonly #opened = Promise.withResolvers<LineLog>()
  readonly #recall: () => Promise<Awaited<ReturnType<ConsoleMemory['newest']>>>
  #lines: LineLog | null = null
  #remembered: string[] = []
  /** The last lines of the log; null until they are joined to those of an earlier run. */
  #newest: string[] | null = null
  /** What was read to, and the bytes before that. */
  #at = 0
  #mark: Buffer = Buffer.alloc(0)
  #unended: Buffer = Buffer.alloc(0)
  #archiveLooks = 0
  #lookedAt = 0

  constructor(files: LogFiles, recall: () => ReturnType<ConsoleMemory['newest']>) {
    this.#files = files
    this.#recall = recall
    this.#opened.promise.catch(() => undefined)
    void this.#follow()
  }

  /** Once the first lines are there, or there is no log yet. */
  lines(): Promise<LineLog> {
    return this.#opened.promise
  }

  close(): void {
    this.#closed.abort(new Error('closed'))
    this.#opened.reject(new Error('closed'))
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted) {
      let pause = LOOK_MS
      try {
        this.#lines ??= await this.#remember()
        if (await this.#look(this.#lines)) pause = 0
        else this.#opened.resolve(this.#lines)
        this.#lookedAt = performance.now()
      } catch {
        // The views say what is wrong with the connection.
        pause = LOOK_FAILED_MS
      }
      await wait(pause, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #remember(): Promise<LineLog> {
    const held = await this.#recall().catch(() => null)
    this.#remembered = held?.texts ?? []
    return new LineLog(held && parseLineId(held.lastId))
  }

  /** Whether there is more to be read at once. */
  async #look(lines: LineLog): Promise<boolean> {
    const size = await this.#files.size()
    if (!size || (size === this.#at && this.#mark.length > 0)) return false
    if (!(await this.#isSame(size))) {
      await this.#begin(lines, size)
      return false
    }
    if (size - this.#at > BEHIND_MOST) {
      lines.miss()
      this.#add(lines, await this.#takeEnd(size), false)
      return false
    }
    const isNow = performance.now() - this.#lookedAt < NOW_MS
    const bytes = await this.#files.read(this.#at, Math.min(size, this.#at + STEP_MOST))
    this.#add(lines, this.#take(bytes, this.#at + bytes.length), isNow)
    return bytes.length > 0 && this.#at < size
  }

  async #isSame(size: number): Promise<boolean> {
    if (this.#mark.length === 0 || size < this.#at) return false
    return (await this.#files.read(this.#at - this.#mark.length, this.#at)).equals(this.#mark)
  }

  /** Another file than before, or the first one. */
  async #begin(lines: LineLog, size: number): Promise<void> {
    const former = { at: this.#at, mark: this.#mark }
    const texts = await this.#takeEnd(size)
    const isEmpty = this.#mark.length === 0
    if (!isEmpty && (await this.#join(lines, texts))) {
      this.#archiveLooks = 0
    } else {
      this.#at = former.at
      this.#mark = former.mark
    }
  }

  async #takeEnd(size: number): Promise<string[]> {
    const from = Math.max(0, size - TAIL_MOST)
    const bytes = await this.#files.read(from, size)
    this.#unended = this.#mark = Buffer.alloc(0)
    const texts = this.#take(bytes, from + bytes.length)
    // Cut where the file begins earlier.
    if (from > 0) texts.shift()
    return texts
  }

  /** False: what comes between may be there soon. */
  async #join(lines: LineLog, texts: readonly string[]): Promise<boolean> {
    const known = (this.#newest ?? this.#remembered).map(keyOf)
    if (known.length === 0) {
      this.#add(lines, texts.slice(-FIRST_LINES), false)
      return true
    }
    let after = this.#endIn(texts, known)
    let found: string[] = [...texts]
    if (after === null) {
      for await (const archive of this.#files.archives(ARCHIVES_MOST)) {
        found = [...archive, ...found]
        after = this.#endIn(archive, known)
        if (after !== null || found.length > FILL_MOST) break
      }
      if (after === null && ++this.#archiveLooks < ARCHIVE_LOOKS) return false
    }
    const rest = after === null ? texts.slice(-FIRST_LINES) : found.slice(after)
    if (after === null || rest.length > FILL_MOST) lines.miss()
    this.#add(lines, rest.slice(-FILL_MOST), false)
    return true
  }

  /** Lines of this run are all of the log; those of an earlier run may be the game's replies. */
  #endIn(log: readonly string[], known: readonly string[]): number | null {
    const keys = log.map(keyOf)
    const after = endIn(keys, known)
    return after !== null && this.#newest && keys[after - 1] !== known.at(-1) ? null : after
  }

  #add(lines: LineLog, texts: string[], isNow: boolean): void {
    lines.add(texts, { isNow })
    this.#newest = [...(this.#newest ?? []), ...texts.slice(-KNOWN_LINES)].slice(-KNOWN_LINES)
  }

  /** The lines that end in what was read. */
  #take(bytes: Buffer, to: number): string[] {
    const all = this.#unended.length > 0 ? Buffer.concat([this.#unended, bytes]) : bytes
    const end = all.lastIndexOf(NEWLINE) + 1
    const unended = all.subarray(end)
    const isEndless = unended.length > UNENDED_MOST
    this.#at = to
    this.#unended = isEndless ? Buffer.alloc(0) : Buffer.from(unended)
    this.#mark = Buffer.from(
      (bytes.length >= MARK ? bytes : Buffer.concat([this.#mark, bytes])).subarray(-MARK),
    )
    const whole = isEndless ? all : all.subarray(0, end)
    return logLines(whole)
  }
}

const NEWLINE = 0x0a

/** Older games write Latin-1. */
export function logLines(bytes: Buffer): string[] {
  if (bytes.length === 0) return []
  const lines = linesIn(isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1'))
  if (lines.at(-1) === '') lines.pop()
  return lines
}
