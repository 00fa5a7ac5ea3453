/** 32-bit marker for a 64-bit field. */
const MOST_32 = 0xffff_ffff
const MOST_16 = 0xffff
/** From this size in bytes on, use zip64: the compressed data may be a little larger. */
const LARGE_FROM = 0xf000_0000

const UTF8 = 1 << 11
const SUMS_FOLLOW = 1 << 3
const MADE_BY = (3 << 8) | 63
const SIGNATURES = { local: 0x04034b50, sums: 0x08074b50, listed: 0x02014b50 } as const

export interface ZipEntry {
  /** `/`-separated; folders end in `/`. */
  name: string
  modifiedAt: Date
  /** `st_mode`. */
  mode: number
  deflated: boolean
  /** Null: they follow the data. Sizes in bytes. */
  sums: ZipSums | null
  /** Estimated uncompressed bytes. */
  expected: number
}

interface ZipSums {
  crc: number
  size: number
  packedSize: number
}

/** Builds zip records (PKWARE APPNOTE 6.3.10). Keeps about 100 bytes per entry for the directory. */
export class ZipRecords {
  #at = 0
  #count = 0
  #listed: Buffer[] = []
  #blocks: Buffer[] = []

  /** Local header (APPNOTE 4.3.7). Call `listed` once checksum and sizes are known. */
  begin(entry: ZipEntry): { header: Buffer; listed: (sums: ZipSums) => void } {
    const offset = this.#at
    const name = Buffer.from(entry.name)
    const large = entry.expected >= LARGE_FROM
    const extra = large ? Buffer.concat([longs([0, 0]), time(entry)]) : time(entry)
    const sums = large ? { crc: 0, size: MOST_32, packedSize: MOST_32 } : entry.sums
    const header = Buffer.alloc(30)
    header.writeUInt32LE(SIGNATURES.local, 0)
    common(entry, large, sums).copy(header, 4)
    header.writeUInt16LE(name.length, 26)
    header.writeUInt16LE(extra.length, 28)
    const whole = Buffer.concat([header, name, extra])
    this.#at += whole.length
    return { header: whole, listed: (sums) => this.#list(entry, name, large, offset, sums) }
  }

  wrote(bytes: number): void {
    this.#at += bytes
  }

  /** Data descriptor (APPNOTE 4.3.9). */
  after(entry: ZipEntry, { crc, size, packedSize }: ZipSums): Buffer {
    const large = entry.expected >= LARGE_FROM
    const record = Buffer.alloc(large ? 24 : 16)
    record.writeUInt32LE(SIGNATURES.sums, 0)
    record.writeUInt32LE(crc, 4)
    if (large) {
      record.writeBigUInt64LE(BigInt(packedSize), 8)
      record.writeBigUInt64LE(BigInt(size), 16)
    } else {
      record.writeUInt32LE(packedSize, 8)
      record.writeUInt32LE(size, 12)
    }
    this.#at += record.length
    return record
  }

  /** Central directory and its end records (APPNOTE 4.3.12 to 4.3.16). */
  *end(): Generator<Buffer> {
    const start = this.#at
    for (const block of [...this.#blocks, ...this.#listed]) {
      this.#at += block.length
      yield block
    }
    const size = this.#at - start
    if (this.#count >= MOST_16 || size >= MOST_32 || start >= MOST_32) yield this.#end64(start, size)
    const record = Buffer.alloc(22)
    record.writeUInt32LE(0x06054b50, 0)
    for (const at of [8, 10]) record.writeUInt16LE(Math.min(this.#count, MOST_16), at)
    record.writeUInt32LE(Math.min(size, MOST_32), 12)
    record.writeUInt32LE(Math.min(start, MOST_32), 16)
    yield record
  }

  #end64(start: number, size: number): Buffer {
    const record = Buffer.alloc(56 + 20)
    record.writeUInt32LE(0x06064b50, 0)
    record.writeBigUInt64LE(44n, 4)
    record.writeUInt16LE(MADE_BY, 12)
    record.writeUInt16LE(45, 14)
    for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(this.#count), at)
    record.writeBigUInt64LE(BigInt(size), 40)
    record.writeBigUInt64LE(BigInt(start), 48)
    record.writeUInt32LE(0x07064b50, 56)
    record.writeBigUInt64LE(BigInt(start + size), 64)
    record.writeUInt32LE(1, 72)
    return record
  }

  /** APPNOTE 4.3.12. */
  #list(entry: ZipEntry, name: Buffer, large: boolean, offset: number, sums: ZipSums): void {
    const far = large || offset >= MOST_32
    const extra = far
      ? Buffer.concat([longs([sums.size, sums.packedSize, offset]), time(entry)])
      : time(entry)
    const record = Buffer.alloc(46)
    record.writeUInt32LE(SIGNATURES.listed, 0)
    record.writeUInt16LE(MADE_BY, 4)
    const shown = far ? { ...sums, size: MOST_32, packedSize: MOST_32 } : sums
    common(entry, far, shown).copy(record, 6)
    record.writeUInt16LE(name.length, 28)
    record.writeUInt16LE(extra.length, 30)
    record.writeUInt32LE(((entry.mode << 16) | (entry.name.endsWith('/') ? 0x10 : 0)) >>> 0, 38)
    record.writeUInt32LE(far ? MOST_32 : offset, 42)
    this.#listed.push(Buffer.concat([record, name, extra]))
    this.#count++
    // One large buffer takes less memory than many small ones.
    if (this.#listed.length === 1024) this.#blocks.push(Buffer.concat(this.#listed.splice(0)))
  }
}

function common(entry: ZipEntry, large: boolean, sums: ZipSums | null): Buffer {
  const fields = Buffer.alloc(22)
  fields.writeUInt16LE(large ? 45 : 20, 0)
  fields.writeUInt16LE(entry.sums ? UTF8 : UTF8 | SUMS_FOLLOW, 2)
  fields.writeUInt16LE(entry.deflated ? 8 : 0, 4)
  fields.writeUInt32LE(dosTime(entry.modifiedAt), 6)
  fields.writeUInt32LE(sums?.crc ?? 0, 10)
  fields.writeUInt32LE(sums?.packedSize ?? 0, 14)
  fields.writeUInt32LE(sums?.size ?? 0, 18)
  return fields
}

/** Zip64 extra field (APPNOTE 4.5.3). */
function longs(values: number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  return field
}

/** Info-ZIP's extended timestamp, in UTC seconds. */
function time({ modifiedAt }: ZipEntry): Buffer {
  const field = Buffer.alloc(9)
  field.writeUInt16LE(0x5455, 0)
  field.writeUInt16LE(5, 2)
  field.writeUInt8(1, 4)
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  field.writeInt32LE(Math.max(-0x8000_0000, Math.min(seconds, 0x7fff_ffff)), 5)
  return field
}

/** APPNOTE 4.4.6: local time, even seconds, 1980 to 2107. */
function dosTime(at: Date): number {
  if (at.getFullYear() < 1980) return (1 << 21) | (1 << 16)
  const year = Math.min(at.getFullYear(), 2107) - 1980
  const date = (year << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const clock = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return ((date << 16) | clock) >>> 0
}
