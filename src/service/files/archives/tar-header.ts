import { BLOCK, TarFormatError } from './tar-input.ts'

export interface RawHeader {
  name: Buffer
  size: number
  type: string
  mode: number
  mtime: Date
  /** GNU tar has fields of its own. */
  isGnu: boolean
}

/** `sparse` keeps order and duplicates, which one sparse format needs. */
export interface PaxFields {
  texts: Map<string, string>
  /** Raw: names need not be Unicode. */
  bytes: Map<string, Buffer>
  sparse: [key: string, value: string][]
}

export function isHeader(block: Buffer): boolean {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at]!
  return sum === octal(block, 148, 8)
}

/** Takes 512 bytes. Throws TarFormatError. */
export function readHeader(block: Buffer): RawHeader {
  if (!isHeader(block)) throw new TarFormatError('A header is damaged.')
  // Pre-ustar headers have neither magic number nor prefix.
  const isUstar = block.toString('latin1', 257, 262) === 'ustar'
  const isGnu = isUstar && block[262] !== 0
  const prefix = isUstar && !isGnu ? field(block, 345, 155) : Buffer.alloc(0)
  const name = field(block, 0, 100)
  return {
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]),
    size: number(block, 124, 12),
    type: block[156] === 0 ? '0' : String.fromCharCode(block[156]!),
    mode: octal(block, 100, 8),
    mtime: new Date(number(block, 136, 12) * 1000),
    isGnu,
  }
}

export const textField = (bytes: Buffer): Buffer => field(bytes, 0, bytes.length)

function field(block: Buffer, at: number, length: number): Buffer {
  const bytes = block.subarray(at, at + length)
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

const octal = (block: Buffer, at: number, length: number): number =>
  parseInt(block.toString('latin1', at, at + length).replace(/^[ \0]*/, ''), 8) || 0

/** Octal digits, or GNU's binary format if the first bit is set. */
export function number(block: Buffer, at: number, length: number): number {
  if ((block[at]! & 0x80) === 0) return octal(block, at, length)
  const isNegative = (block[at]! & 0x40) !== 0
  let value = isNegative ? block[at]! - 0x100 : block[at]! & 0x7f
  for (let i = 1; i < length; i++) value = value * 256 + block[at + i]!
  return value
}

/** Records such as `28 mtime=1700000000.123456789\n`. Throws TarFormatError. */
export function readPax(bytes: Buffer): PaxFields {
  const fields: PaxFields = { texts: new Map(), bytes: new Map(), sparse: [] }
  for (let at = 0; at < bytes.length;) {
    // Some writers pad with zeros.
    if (bytes[at] === 0) break
    const space = bytes.subarray(at, at + 16).indexOf(0x20)
    const length = Number(bytes.toString('latin1', at, at + Math.max(0, space)))
    const end = at + length
    const value = bytes.subarray(at + space + 1, end - 1)
    const equals = value.indexOf(0x3d)
    if (space <= 0 || !Number.isInteger(length) || end > bytes.length || equals <= 0)
      throw new TarFormatError('The fields of a header are damaged.')
    const key = value.toString('utf8', 0, equals)
    const text = value.toString('utf8', equals + 1)
    fields.texts.set(key, text)
    fields.bytes.set(key, value.subarray(equals + 1))
    if (key.startsWith('GNU.sparse.')) fields.sparse.push([key, text])
    at = end
  }
  return fields
}
