/** Symbols, or bytes, between two chances for other work. */
const STEP = 40_000
const GROUP = 50
const BLOCK = 0x314159265359
const END = 0x177245385090
const WRONG = 'This is no bzip2 file, or a damaged one.'

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc
})

class BitReader {
  readonly #bytes: Uint8Array
  #at = 0
  #byte = 0
  #left = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  one(): number {
    if (this.#left === 0) {
      if (this.#at >= this.#bytes.length) throw new Error(WRONG)
      this.#byte = this.#bytes[this.#at++]!
      this.#left = 8
    }
    return (this.#byte >> --this.#left) & 1
  }

  /** Up to 48. */
  many(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit++) value = value * 2 + this.one()
    return value
  }
}

/**
 * Unpacks a file as bzip2 makes it, block by block; in between undefined, for other work to be done. Node has no bzip2, and what is
 * published for Linux and macOS has nothing else.
 */
export function* unpackBzip2(bytes: Uint8Array): Generator<Uint8Array | undefined, void, undefined> {
  const bits = new BitReader(bytes)
  const level = bits.many(24) === 0x425a68 ? bits.many(8) - 0x30 : 0
  if (level < 1 || level > 9) throw new Error(WRONG)
  const places = new Uint32Array(level * 100_000)
  for (;;) {
    const kind = bits.many(48)
    if (kind === END) return
    if (kind !== BLOCK) throw new Error(WRONG)
    const crc = bits.many(32)
    const isShuffled = bits.one()
    const first = bits.many(24)
    if (isShuffled) throw new Error(WRONG)
    const count = yield* readSymbols(bits, places)
    if (first >= count) throw new Error(WRONG)
    yield* inOrder(places, count, first, crc)
  }
}

interface Table {
  limits: Int32Array
  bases: Int32Array
  symbols: Uint16Array
}

/** Into the low bytes of `places`; returns how many. */
function* readSymbols(bits: BitReader, places: Uint32Array): Generator<undefined, number> {
  const used = usedBytes(bits)
  const last = used.length + 1
  const tables = new Array<Table>(bits.many(3))
  const selectors = readSelectors(bits, tables.length)
  for (let at = 0; at < tables.length; at++) tables[at] = readTable(bits, last + 1)
  let [count, run, weight] = [0, 0, 1]
  for (let read = 0; ; read++) {
    if (read % STEP === 0) yield undefined
    const table = tables[selectors[Math.floor(read / GROUP)] ?? -1]
    if (!table) throw new Error(WRONG)
    const symbol = readSymbol(bits, table)
    if (symbol < 2) {
      run += weight << symbol
      weight <<= 1
      if (run > places.length) throw new Error(WRONG)
      continue
    }
    if (count + run + 1 > places.length + (symbol === last ? 1 : 0)) throw new Error(WRONG)
    places.fill(used[0]!, count, count + run)
    count += run
    ;[run, weight] = [0, 1]
    if (symbol === last) return count
    const byte = used[symbol - 1]!
    used.copyWithin(1, 0, symbol - 1)
    used[0] = byte
    places[count++] = byte
  }
}

function usedBytes(bits: BitReader): Uint8Array {
  const rows = bits.many(16)
  const used: number[] = []
  for (let row = 0; row < 16; row++) {
    if (!((rows >> (15 - row)) & 1)) continue
    const columns = bits.many(16)
    for (let column = 0; column < 16; column++)
      if ((columns >> (15 - column)) & 1) used.push(row * 16 + column)
  }
  if (used.length === 0) throw new Error(WRONG)
  return Uint8Array.from(used)
}

function readSelectors(bits: BitReader, tables: number): Uint8Array {
  const selectors = new Uint8Array(bits.many(15))
  const order = Uint8Array.from({ length: tables }, (_, at) => at)
  if (tables < 2 || tables > 6 || selectors.length === 0) throw new Error(WRONG)
  for (let at = 0; at < selectors.length; at++) {
    let place = 0
    while (bits.one()) if (++place >= tables) throw new Error(WRONG)
    const table = order[place]!
    order.copyWithin(1, 0, place)
    order[0] = table
    selectors[at] = table
  }
  return selectors
}

const LONGEST = 20

function readTable(bits: BitReader, size: number): Table {
  const lengths = new Uint8Array(size)
  let length = bits.many(5)
  for (let symbol = 0; symbol < size; symbol++) {
    for (; length >= 1 && length <= LONGEST && bits.one();) length += bits.one() ? -1 : 1
    if (length < 1 || length > LONGEST) throw new Error(WRONG)
    lengths[symbol] = length
  }
  const symbols = Uint16Array.from({ length: size }, (_, at) => at).sort(
    (a, b) => lengths[a]! - lengths[b]! || a - b,
  )
  const limits = new Int32Array(LONGEST + 1).fill(-1)
  const bases = new Int32Array(LONGEST + 1)
  let [code, index] = [0, 0]
  for (let bitCount = 1; bitCount <= LONGEST; bitCount++) {
    bases[bitCount] = index - code
    const here = lengths.reduce((sum, one) => sum + (one === bitCount ? 1 : 0), 0)
    code += here
    index += here
    limits[bitCount] = code - 1
    code <<= 1
  }
  return { limits, bases, symbols }
}

function readSymbol(bits: BitReader, { limits, bases, symbols }: Table): number {
  let code = 0
  for (let length = 1; length <= LONGEST; length++) {
    code = (code << 1) | bits.one()
    if (code <= limits[length]!) return symbols[bases[length]! + code] ?? fail()
  }
  return fail()
}

function fail(): never {
  throw new Error(WRONG)
}

/** Undoes the sorting, then the runs: four equal bytes and how many more. */
function* inOrder(
  places: Uint32Array,
  count: number,
  first: number,
  expected: number,
): Generator<Uint8Array | undefined, void> {
  const starts = new Uint32Array(257)
  for (let at = 0; at < count; at++) starts[(places[at]! & 0xff) + 1]!++
  for (let byte = 0; byte < 256; byte++) starts[byte + 1]! += starts[byte]!
  for (let at = 0; at < count; at++) {
    if (at % STEP === 0) yield undefined
    places[starts[places[at]! & 0xff]!++]! |= at << 8
  }
  let place = places[first]! >>> 8
  let [crc, same, before] = [-1, 0, -1]
  const bytes = new Uint8Array(STEP * 256)
  let filled = 0
  for (let at = 0; at < count; at++) {
    const next = places[place]!
    const byte = next & 0xff
    place = next >>> 8
    const times = same === 4 ? byte : 1
    const written = same === 4 ? before : byte
    for (let time = 0; time < times; time++) {
      bytes[filled++] = written
      crc = (crc << 8) ^ CRC[(crc >>> 24) ^ written]!
    }
    same = same === 4 ? 0 : byte === before ? same + 1 : 1
    before = same === 0 ? -1 : byte
    if (at % STEP !== STEP - 1) continue
    yield bytes.slice(0, filled)
    filled = 0
  }
  yield bytes.slice(0, filled)
  if (~crc >>> 0 !== expected) throw new Error(WRONG)
}
