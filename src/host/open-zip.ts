import { Readable } from 'node:stream'
import {
  type Entry,
  fromFdPromise,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { Yielder } from './yield.ts'

/** Returns the number of bytes read. */
type PositionReader = (into: Buffer, position: number) => number | Promise<number>

/** Read-ahead in bytes for the directory, which yauzl reads in two tiny pieces per entry. */
const AHEAD = 256 * 1024
const PIECE = 256 * 1024

/**
 * Names aren't validated: Java accepts an entry `/`, for which yauzl would reject the zip. Validate names before
 * using them as paths.
 */
const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false } as const

/** The caller closes it. Rejects if the file isn't a zip. */
export const openZip = (path: string): Promise<ZipFile> => openPromise(path, OPTIONS)

/** Doesn't close `fd`. */
export const openZipIn = (fd: number): Promise<ZipFile> => fromFdPromise(fd, OPTIONS)

export const openZipBy = (read: PositionReader, size: number, ahead = AHEAD): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(new AheadReader(read, ahead), size, OPTIONS)

/** As Java reads it: always UTF-8, unnormalized. */
const jarName = ({ fileNameRaw }: Entry): string => fileNameRaw.toString('utf8')

/** Yields to the event loop. Call once per opened zip. `nameOf` determines `fileName`. */
export async function* entriesOf(
  zip: ZipFile,
  nameOf: (entry: Entry) => string = jarName,
): AsyncGenerator<Entry> {
  const yielder = new Yielder()
  for await (const entry of zip.eachEntry()) {
    await yielder.next()
    entry.fileName = nameOf(entry)
    yield entry
  }
}

class AheadReader extends RandomAccessReader {
  readonly #read: PositionReader
  readonly #most: number
  #ahead = Buffer.alloc(0)
  #from = 0

  constructor(read: PositionReader, most: number) {
    super()
    this.#read = read
    this.#most = most
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const at = position - this.#from
    if (at >= 0 && at + length <= this.#ahead.length) {
      this.#ahead.copy(buffer, offset, at, at + length)
      return callback(null)
    }
    const ahead = Buffer.allocUnsafe(Math.max(length, this.#most))
    const filled = (count: number) => {
      this.#from = position
      this.#ahead = ahead.subarray(0, count)
      if (count < length) return callback(new Error('The file ends before that.'))
      ahead.copy(buffer, offset, 0, length)
      callback(null)
    }
    try {
      const count = this.#read(ahead, position)
      if (typeof count === 'number') filled(count)
      else count.then(filled, callback)
    } catch (error) {
      callback(error as Error)
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false })
  }

  /** A stream of the file itself would close it when destroyed. */
  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at))
      const count = await this.#read(piece, at)
      if (count === 0) return
      at += count
      yield piece.subarray(0, count)
    }
  }
}
