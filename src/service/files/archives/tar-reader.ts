import type { Refusal } from '../../refusal.ts'

/** What stands before each thing in a tar. */
export interface TarHeader {
  name: string
  /** Bytes of content. */
  size: number
  type: 'file' | 'directory' | 'other'
  mode: number
  mtime: Date
  /** Fields of its pax header. */
  pax: ReadonlyMap<string, string>
}

/** Its content is read at most once, and before the next entry is asked for; what is not read is passed over. */
export interface TarEntry {
  header: TarHeader
  content: AsyncGenerator<Buffer>
}

const BLOCK = 512
/** Most bytes of a header that holds a long name or fields: honest ones have a few hundred. */
const LONG_MOST = 32 * 1024
/** Most fields that hold for all that follows. */
const SHARED_MOST = 100
/** Most bytes behind the end: writers fill up to whole records, which are 10 KiB, or a megabyte where one wishes so. */
const BEHIND_MOST = 1024 * 1024

/** The tar is none, or damaged. */
export class TarBroken extends Error {
  override name = 'TarBroken'
}

/**
 * Reads a tar (ustar, GNU, pax) as it comes. A reader of our own: tar-stream takes headers of 4 MiB, keeps the fields that
 * one of them gives to all that follows for each of them, and reads zeros behind the end for ever. Throws TarBroken, and
 * `endless` where there is more beside the content than in honest ones.
 */
export async function* readTar(
  source: AsyncIterable<Buffer>,
  endless: () => Refusal,
): AsyncGenerator<TarEntry> {
  const input = new Input(source)
  const shared = new Map<string, string>()
  let own = new Map<string, string>()
  let longName: string | null = null
  try {
    for (;;) {
      const block = await input.take(BLOCK)
      // Some writers leave out the end.
      if (block === null) return
      if (isZero(block)) {
        if (await input.endsWithin(BEHIND_MOST)) return
        throw endless()
      }
      const { type, ...head } = decode(block)
      if ('xgLK'.includes(type)) {
        if (head.size > LONG_MOST) throw endless()
        const bytes = await input.exactly(head.size)
        await input.pass(paddingOf(head.size))
        if (type === 'x') own = fieldsOf(bytes)
        else if (type === 'L') longName = textOf(bytes)
        // Those of all that follows. There are few: each time is one header of a bounded size, and they replace each other.
        else if (type === 'g') for (const [key, value] of fieldsOf(bytes)) shared.set(key, value)
        if (shared.size > SHARED_MOST) throw endless()
        continue
      }
      const pax = shared.size > 0 ? new Map([...shared, ...own]) : own
      const size = type === '5' ? 0 : sizeOf(pax, head.size)
      const name = pax.get('path') ?? longName ?? head.name
      own = new Map()
      longName = null
      yield { header: { ...head, name, size, type: kindOf(type, name), pax }, content: input.content(size) }
      await input.pass(input.left + paddingOf(size))
    }
  } finally {
    await input.close()
  }
}

/** Bytes as they come, taken as they are wanted. */
class Input {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  left = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Something, at most so many bytes; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next()
      if (next.done) return null
      this.#rest = next.value
    }
    const some = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(some.length)
    return some
  }

  /** So many bytes; null where nothing comes any more. */
  async take(size: number): Promise<Buffer | null> {
    const first = await this.some(size)
    if (first === null || first.length === size) return first
    return Buffer.concat([first, await this.exactly(size - first.length)])
  }

  async exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.content(size)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** So many bytes. What is not read of them is `left`. */
  content(size: number): AsyncGenerator<Buffer> {
    this.left = size
    return this.#content()
  }

  async *#content(): AsyncGenerator<Buffer> {
    while (this.left > 0) {
      const some = await this.some(this.left)
      if (some === null) throw new TarBroken('It ends in the middle of a file.')
      this.left -= some.length
      yield some
    }
  }

  async pass(size: number): Promise<void> {
    for (let missing = size; missing > 0;) {
      const some = await this.some(missing)
      if (some === null) throw new TarBroken('It ends in the middle of a file.')
      missing -= some.length
    }
  }

  /** Reads what is behind the end: only then are the sums of what packs it compared. False where it is more. */
  async endsWithin(most: number): Promise<boolean> {
    for (let bytes = 0; bytes <= most;) {
      const some = await this.some(Infinity)
      if (some === null) return true
      bytes += some.length
    }
    return false
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK
const isZero = (block: Buffer): boolean => block.every((byte) => byte === 0)

function decode(block: Buffer): { name: string; size: number; type: string; mode: number; mtime: Date } {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at]!
  if (sum !== octal(block, 148, 8)) throw new TarBroken('A header is damaged.')
  const magic = block.toString('latin1', 257, 262)
  if (magic !== 'ustar') throw new TarBroken('A header has an unknown type.')
  const isPosix = block[262] === 0
  const prefix = isPosix ? text(block, 345, 155) : ''
  const name = text(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: number(block, 124, 12),
    type: block[156] === 0 ? '0' : String.fromCharCode(block[156]!),
    mode: octal(block, 100, 8),
    mtime: new Date(number(block, 136, 12) * 1000),
  }
}

function text(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at)
  return block.toString('utf8', at, end < 0 || end > at + length ? at + length : end)
}

const octal = (block: Buffer, at: number, length: number): number =>
  parseInt(block.toString('latin1', at, at + length).replace(/^[ \0]*/, ''), 8) || 0

/** In octal digits, or where they do not suffice as a number of GNU's, whose first bit is set. */
function number(block: Buffer, at: number, length: number): number {
  if ((block[at]! & 0x80) === 0) return octal(block, at, length)
  const isNegative = (block[at]! & 0x40) !== 0
  let value = isNegative ? block[at]! - 0x100 : block[at]! & 0x7f
  for (let i = 1; i < length; i++) value = value * 256 + block[at + i]!
  return value
}

/** `28 mtime=1700000000.123456789\n`, one after the other. */
function fieldsOf(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    if (space < 0) break
    const length = Number(bytes.toString('latin1', at, space))
    if (!Number.isInteger(length) || length < 5) break
    const field = bytes.toString('utf8', space + 1, at + length - 1)
    const equals = field.indexOf('=')
    if (equals <= 0) break
    fields.set(field.slice(0, equals), field.slice(equals + 1))
    at += length
  }
  return fields
}

const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

function sizeOf(pax: ReadonlyMap<string, string>, said: number): number {
  const text = pax.get('size')
  const size = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : said
  if (!Number.isSafeInteger(size) || size < 0) throw new TarBroken('A header gives no size.')
  return size
}

/** Old writers say by the end of its name alone that something is a folder. */
function kindOf(type: string, name: string): TarHeader['type'] {
  if (type === '5' || (type === '0' && name.endsWith('/'))) return 'directory'
  return type === '0' || type === '7' ? 'file' : 'other'
}
