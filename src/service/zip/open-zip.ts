import { Readable } from 'node:stream'
import {
  type Entry,
  fromFdPromise,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { Yielder } from '../base/yield.ts'

/** Reads bytes of a file into a buffer; answers how many there were. */
export type ReadAt = (into: Buffer, position: number) => number | Promise<number>

/** Read ahead of the list of entries, in bytes: it is asked for in pieces of a few bytes, two for each entry. */
const AHEAD = 256 * 1024
/** Read at once of an entry, in bytes. */
const PIECE = 256 * 1024

/**
 * Names are not judged: Java runs jars with an entry `/`, and yauzl would call the whole zip broken. Whoever makes a path of
 * a name checks it. Every zip in the service is opened here.
 */
const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false } as const

/** Opens a zip by its path. Whoever opens it closes it. Rejects where it is none. */
export const openZip = (path: string): Promise<ZipFile> => openPromise(path, OPTIONS)

/** Opens a zip in an open file, which stays open. */
export const openZipIn = (fd: number): Promise<ZipFile> => fromFdPromise(fd, OPTIONS)

/** Opens a zip of so many bytes that somebody else reads. */
export const openZipBy = (read: ReadAt, size: number): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(new AheadReader(read), size, OPTIONS)

/** The name of an entry as Java reads it: UTF-8, whatever the entry says, and as it is written. */
export const jarName = ({ fileNameRaw }: Entry): string => fileNameRaw.toString('utf8')

/** The entries of a zip, with turns for others. `fileName` is what `nameOf` makes of them. Once for each opened zip. */
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
  readonly #read: ReadAt
  #ahead = Buffer.alloc(0)
  #from = 0

  constructor(read: ReadAt) {
    super()
    this.#read = read
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
    const ahead = Buffer.allocUnsafe(Math.max(length, AHEAD))
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

  /** Not a stream of the file's own: that one closes the file when it is destroyed. */
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
