import { systemClock, type Clock } from '../../base/clock.ts'
import { Archive } from './archive.ts'
import type { ArchiveLimits, EncodedLines } from './archive.ts'
import { Cursor } from './cursor.ts'
import type { LastOutput } from '../programs/driver.ts'
import type { LinePosition } from './line-id.ts'
import { lastOutputIn } from './last-output.ts'
import { Ring } from './ring.ts'
import type { RingLimits } from './ring.ts'
import { refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'

type Source = 'error' | 'command' | 'service'

interface LineDetails {
  /** When they were written, in Unix ms; default: now. */
  at?: number | undefined
  told?: readonly Omit<RefusalText, 'message'>[]
}

export interface ConsoleLimits extends ArchiveLimits, RingLimits {
  /** Encoded bytes waiting for the disk before the program's output is throttled. */
  waitingBytes: number
  retryMs: number
}

const consoleLimits: ConsoleLimits = {
  ringLines: 5_000,
  ringBytes: 1024 * 1024,
  blockBytes: 64 * 1024,
  fileBytes: 8 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  waitingBytes: 8 * 1024 * 1024,
  retryMs: 30_000,
}

/** Under load, writes are batched over this many ms. */
const WRITTEN_MS = 20
/** Lines per encoding. */
const BATCH_LINES = 500

/** Lines are encoded once; memory, disk and streams share the bytes. Readers pull, so slow ones cost nothing. */
export class ConsoleLog {
  readonly epoch: number
  readonly archive: Archive
  readonly #clock: Clock
  readonly #limits: ConsoleLimits
  readonly #listeners = new Set<(source: Source | undefined) => void>()
  readonly #ring: Ring
  #last = 0
  #writing: Promise<void> | null = null
  #writtenAt = -Infinity
  #relief: (() => void)[] = []
  /** Monotonic ms; null unless a write failed. */
  #retryAt: number | null = null
  #timeMs = 0
  #timeText = ''
  #closed = false

  constructor(
    folder: string,
    epoch: number,
    limits: Partial<ConsoleLimits> = {},
    clock: Clock = systemClock,
  ) {
    this.#clock = clock
    this.#limits = { ...consoleLimits, ...limits }
    this.epoch = epoch
    this.#ring = new Ring(this.#limits)
    this.archive = new Archive(folder, this.#limits)
  }

  /** Newest seq of this epoch; 0 if none. */
  get last(): number {
    return this.#last
  }

  /** Of the newest line, or so many after it. */
  position(after: number): LinePosition {
    return { epoch: this.epoch, seq: this.#last + after }
  }

  /** Oldest seq in memory; `last + 1` if none. */
  get ringFirst(): number {
    return this.#ring.first ?? this.#last + 1
  }

  /** Returns the position of the first line. */
  append(texts: readonly string[], source?: Source, more: LineDetails = {}): LinePosition {
    const first = this.#last + 1
    for (let from = 0; from < texts.length; from += BATCH_LINES)
      this.#add(texts.length <= BATCH_LINES ? texts : texts.slice(from, from + BATCH_LINES), source, more)
    this.#write()
    for (const listener of this.#listeners) listener(source)
    return { epoch: this.epoch, seq: first }
  }

  /** A line of the service's own. */
  say(parts: readonly RefusalText[]): void {
    const told = parts.map(({ sentence, values }) => ({ sentence, values }))
    this.append([parts.map(({ message }) => message).join(' ')], 'service', { told })
  }

  /** Of the program's own lines, as an earlier service kept them. */
  lastOutput(): Promise<LastOutput | null> {
    return lastOutputIn(this.archive, this.epoch)
  }

  onAppend(listener: (source: Source | undefined) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Backpressure: resolves once the disk has caught up. Never caused by readers. */
  pressure(): Promise<void> | null {
    if (this.#ring.waitingBytes <= this.#limits.waitingBytes) return null
    return new Promise((resolve) => this.#relief.push(resolve))
  }

  cursor(after: LinePosition | null = null): Cursor {
    return new Cursor(this, after)
  }

  /** Joined by commas. `maxBytes` is approximate. */
  fromRing(seq: number, maxLines: number, maxBytes: number): { bytes: Buffer; count: number } {
    return this.#ring.read(seq, maxLines, maxBytes)
  }

  async written(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.written()
    await this.archive.close()
  }

  async destroy(): Promise<void> {
    this.#closed = true
    await this.written()
    await this.archive.destroy()
  }

  #add(texts: readonly string[], source: Source | undefined, { at, told }: LineDetails): void {
    const start = `{"id":"${this.epoch}-`
    const middle = `","time":"${this.#time(at)}","text":`
    const sentences = told ? `,"sentences":${JSON.stringify(told)}` : ''
    const end = source ? `,"source":"${source}"${sentences}}\n` : '}\n'
    const first = this.#last + 1
    let seq = first
    let encoded = ''
    for (const text of texts) encoded += start + decimal(seq++) + middle + JSON.stringify(text) + end
    this.#last = seq - 1
    this.#ring.add(encoded, first, texts.length)
  }

  #time(now = this.#clock.now()): string {
    if (now !== this.#timeMs) {
      this.#timeMs = now
      this.#timeText = new Date(now).toISOString()
    }
    return this.#timeText
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
      if (this.#ring.waitingBytes > 0) this.#write()
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#ring.waitingBytes > 0) {
      if (!this.#closed) await this.#gathered()
      this.#writtenAt = this.#clock.elapsed()
      const lines = this.#ring.take()
      if (this.#retryAt === null || this.#clock.elapsed() >= this.#retryAt) await this.#store(lines)
      this.#ring.settle()
      for (const relieved of this.#relief.splice(0)) relieved()
    }
  }

  /** After a pause, waits only for this turn of the event loop; under load, longer. */
  #gathered(): Promise<void> {
    const wait = this.#writtenAt + WRITTEN_MS - this.#clock.elapsed()
    return new Promise((resolve) => void (wait > 0 ? setTimeout(resolve, wait) : setImmediate(resolve)))
  }

  async #store(lines: EncodedLines[]): Promise<void> {
    try {
      await this.archive.write(this.epoch, lines)
      if (this.#retryAt !== null && !this.#closed) {
        this.#retryAt = null
        this.say([refusalText('console.written')])
      }
    } catch (error) {
      const firstTime = this.#retryAt === null
      this.#retryAt = this.#clock.elapsed() + this.#limits.retryMs
      if (!firstTime || this.#closed) return
      const why = error instanceof Error ? error.message : String(error)
      this.say([refusalText('console.unwritten', { why })])
    }
  }
}

const LAST_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))
let thousands = 0
let thousandsText = '0'

/** V8 caches each number it formats: tens of MB at thousands per second. This formats one in a thousand. */
function decimal(number: number): string {
  if (number < 1000) return String(number)
  const front = Math.floor(number / 1000)
  if (front !== thousands) {
    thousands = front
    thousandsText = String(front)
  }
  return thousandsText + LAST_DIGITS[number % 1000]!
}
