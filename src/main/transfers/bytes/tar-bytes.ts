/** Tar goes by blocks of so many bytes. */
const BLOCK = 512
/** Two of them that are empty end it. */
const END = 2 * BLOCK
/** Two headers, and a block of what the first tells: what a file takes besides its own bytes, where its name is short. */
const BESIDE = 3 * BLOCK

/** As long as every sum in hex: where the content stands has to be known before it is summed up. */
const NO_SUM = '0'.repeat(64)

const inBlocks = (bytes: number) => Math.ceil(bytes / BLOCK) * BLOCK

/** What is told of a file. */
export interface TarFile {
  path: string
  /** Of its content. */
  size: number
  /** In ms since 1970; null: now. */
  modifiedAt: number | null
}

/**
 * A tar stream (pax) in one piece of memory, which grows where it was taken too small. Content is put where it is to
 * stand: thousands of files pass, and what is made anew for each of them stays until it is collected.
 */
export class TarBytes {
  #bytes: Buffer<ArrayBuffer>
  #length = 0

  constructor(files: readonly TarFile[]) {
    const room = files.reduce((sum, { size }) => sum + inBlocks(size) + BESIDE, END)
    this.#bytes = Buffer.from(new ArrayBuffer(room))
  }

  /**
   * Adds a file, unless `put` says that it cannot be had.
   * @param put puts all of its content in; answers its SHA-256 in hex, or null
   */
  add({ path, size, modifiedAt }: TarFile, put: (into: Buffer) => string | null): void {
    const told = (sha256: string) =>
      record('path', path) +
      record('WHEELHOUSE.sha256', sha256) +
      // The header holds whole seconds.
      (modifiedAt === null ? '' : record('mtime', (modifiedAt / 1000).toFixed(3)))
    const toldBytes = Buffer.byteLength(told(NO_SUM))
    this.#reserve(2 * BLOCK + inBlocks(toldBytes) + inBlocks(size))
    const at = this.#length + 2 * BLOCK + inBlocks(toldBytes)
    const content = this.#bytes.subarray(at, at + size)
    const sha256 = put(content)
    if (sha256 === null) return void content.fill(0)
    const seconds = Math.max(0, Math.floor((modifiedAt ?? Date.now()) / 1000))
    this.#header('x', toldBytes, seconds)
    this.#bytes.write(told(sha256), this.#length)
    this.#length += inBlocks(toldBytes)
    this.#header('0', size, seconds)
    this.#length += inBlocks(size)
  }

  /** All of it, with its end. Nothing can be added afterwards. */
  end(): Uint8Array<ArrayBuffer> {
    this.#reserve(END)
    return new Uint8Array(this.#bytes.buffer.transfer(this.#length + END))
  }

  #reserve(more: number): void {
    const length = this.#length + more
    if (length > this.#bytes.length)
      this.#bytes = Buffer.from(this.#bytes.buffer.transfer(Math.max(length, this.#bytes.length * 2)))
  }

  #header(type: 'x' | '0', size: number, seconds: number): void {
    const header = this.#bytes.subarray(this.#length, this.#length + BLOCK)
    // The name is told before: it may be longer than there is room here.
    header.write('PaxHeader', 0)
    header.write(['000644', '000000', '000000'].map((part) => `${part} \0`).join(''), 100)
    header.write(`${octal(size)} ${octal(seconds)} `, 124)
    // Its own sum counts as spaces.
    header.write('        ', 148)
    header.write(type, 156)
    header.write(['ustar', '00'].join('\0'), 257)
    const sum = header.reduce((sum, byte) => sum + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    this.#length += BLOCK
  }
}

const octal = (value: number) => value.toString(8).padStart(11, '0')

/** A record of pax: its length, which counts its own digits, a key and a value. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (bytes + String(length).length > length) length++
  return `${length}${rest}`
}
