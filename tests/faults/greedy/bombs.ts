import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { once } from 'node:events'
import { createGzip, gzipSync } from 'node:zlib'

const MB = 1024 * 1024

/** A zip of empty files with names of our choosing, and so many bytes of comment with each. */
export async function zipOf(file: string, names: Iterable<string>, commentBytes: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const out = createWriteStream(file)
  const write = async (bytes: Buffer) => {
    if (!out.write(bytes)) await once(out, 'drain')
  }
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  await write(local)
  let size = 0
  let count = 0
  const comment = Buffer.alloc(commentBytes, 0x78)
  for (const name of names) {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt16LE(commentBytes, 32)
    const whole = Buffer.concat([entry, Buffer.from(name), comment])
    size += whole.length
    count++
    await write(whole)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(local.length, 16)
  await write(end)
  out.end()
  await once(out, 'close')
}

/** One header of a tar. */
export function tarHeader(name: string, size: number, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100), 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\u000000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Content of a tar, filled up to whole blocks. */
export const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)])

/** A tar.gz with one file, and so many bytes of zeros behind its end, in several gzip members. */
export async function zerosBehind(file: string, bytes: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const start = gzipSync(
    Buffer.concat([tarHeader('a.txt', 2), padded(Buffer.from('hi')), Buffer.alloc(1024)]),
  )
  const piece = gzipSync(Buffer.alloc(16 * MB))
  const out = createWriteStream(file)
  out.write(start)
  for (let sent = 0; sent < bytes; sent += 16 * MB) if (!out.write(piece)) await once(out, 'drain')
  out.end()
  await once(out, 'close')
}

/** A tar.gz that says of all its files together so many fields that it takes megabytes, and then holds many files. */
export async function manyFields(file: string, files: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  let fields = ''
  for (let at = 0; fields.length < 3.9 * MB; at++) {
    const field = ` k${at.toString(36)}=1\n`
    const length = field.length + String(field.length + 1).length
    fields += `${length}${field}`
  }
  const own = Buffer.from('11 path=a\n\n')
  const gzip = createGzip()
  const out = createWriteStream(file)
  gzip.pipe(out)
  gzip.write(Buffer.concat([tarHeader('g', fields.length, 'g'), padded(Buffer.from(fields))]))
  for (let at = 0; at < files; at++) {
    gzip.write(Buffer.concat([tarHeader('x', own.length, 'x'), padded(own), tarHeader(`f${at}`, 0)]))
  }
  gzip.end(Buffer.alloc(1024))
  await once(out, 'close')
}

/** A world to search, copy and pack: many small texts, and some large ones with endless lines. */
export async function makeWorld(folder: string, small: number, largeMb: number): Promise<void> {
  for (let at = 0; at < small; at++) {
    const inner = join(folder, 'world', String(at % 20))
    if (at < 20) await mkdir(inner, { recursive: true })
    await writeFile(join(inner, `${at}.txt`), `line ${at}\n`.repeat(200))
  }
  const line = `${'aA'.repeat(2000)}\n`
  const lines = Buffer.from(line.repeat(Math.ceil((4 * MB) / line.length)))
  for (let at = 0; at < largeMb / 4; at++) await writeFile(join(folder, 'world', `large-${at}.log`), lines)
  await writeFile(join(folder, 'world', 'one-line.log'), Buffer.alloc(8 * MB, 'aB'))
}
