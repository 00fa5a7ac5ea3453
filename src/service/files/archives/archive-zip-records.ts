/** From this on a number of 32 bits says: look at the field of 64 bits. */
const MOST_32 = 0xffff_ffff
const MOST_16 = 0xffff
/** A file from this size on, in bytes, is written in the form for large ones: packed it may be a little larger still. */
const LARGE_FROM = 0xf000_0000

/** Names are UTF-8. */
const UTF8 = 1 << 11
/** Checksum and sizes follow the data. */
const SUMS_FOLLOW = 1 << 3
/** Version 6.3 of the format, attributes of Unix. */
const MADE_BY = (3 << 8) | 63
const SIGNATURES = { local: 0x04034b50, sums: 0x08074b50, listed: 0x02014b50 } as const

/** One file or folder of a zip. */
export interface ZipEntry {
  /** `/`-separated, a folder's ends in `/`. */
  name: string
  modifiedAt: Date
  /** As `stat` has it, with the kind. */
  mode: number
  deflated: boolean
  /** Null where they follow the data. Sizes in bytes. */
  sums: ZipSums | null
  /** Bytes before packing, as far as they are known before. */
  expected: number
}

export interface ZipSums {
  crc: number
  size: number
  packedSize: number
}

/** Writes what stands around the data of a zip (PKWARE APPNOTE 6.3.10), and keeps its list, about 100 bytes an entry. */
export class ZipRecords {
  #at = 0
  #count = 0
  #listed: Buffer[] = []
  #blocks: Buffer[] = []

  /** What stands before the data of an entry (APPNOTE 4.3.7). `listed` is called when all of it is known. */
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

  /** So many bytes of data were written. */
  wrote(bytes: number): void {
    this.#at += bytes
  }

  /** What stands behind data whose sums were not known before (APPNOTE 4.3.9). */
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

  /** The list at the end, and what says where it is (APPNOTE 4.3.12 to 4.3.16). */
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
    // Where that begins.
    record.writeUInt32LE(0x07064b50, 56)
    record.writeBigUInt64LE(BigInt(start + size), 64)
    record.writeUInt32LE(1, 72)
    return record
  }

  /** The entry's line in the list (APPNOTE 4.3.12). */
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
    // One block takes less room than as many records by themselves.
    if (this.#listed.length === 1024) this.#blocks.push(Buffer.concat(this.#listed.splice(0)))
  }
}

/** The fields that both records of an entry have: from the version needed to the sizes. */
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

/** The extra field for numbers of 64 bits (APPNOTE 4.5.3). */
function longs(values: number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  return field
}

/** The extra field for the time to the second, in no time zone, as Info-ZIP has it. */
function time({ modifiedAt }: ZipEntry): Buffer {
  const field = Buffer.alloc(9)
  field.writeUInt16LE(0x5455, 0)
  field.writeUInt16LE(5, 2)
  field.writeUInt8(1, 4)
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  field.writeInt32LE(Math.max(-0x8000_0000, Math.min(seconds, 0x7fff_ffff)), 5)
  return field
}

/** Time and date (APPNOTE 4.4.6): of this computer's time zone, even seconds, 1980 to 2107. */
function dosTime(at: Date): number {
  if (at.getFullYear() < 1980) return (1 << 21) | (1 << 16)
  const year = Math.min(at.getFullYear(), 2107) - 1980
  const date = (year << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const clock = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return ((date << 16) | clock) >>> 0
}
