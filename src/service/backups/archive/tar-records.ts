import { onDisk } from '../../files/names/raw-names.ts'
import type { BackupEntry } from '../backup-store.ts'

export const BLOCK = 512
const NAME_BYTES = 100
/** Octal digits of a size or time. */
const MOST_OCTAL = 8 ** 11 - 1
/** Two empty blocks end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

export const paddingOf = (size: number): Buffer => TAR_END.subarray(0, (BLOCK - (size % BLOCK)) % BLOCK)

/** What precedes a file's bytes. A PAX header before it has what doesn't fit into the first one. */
export function tarHeader({ path, kind, size, modifiedAt, mode }: BackupEntry): Buffer {
  const at = onDisk(kind === 'folder' ? `${path}/` : path)
  const name = typeof at === 'string' ? Buffer.from(at) : at
  const records: Buffer[] = []
  // Bytes that aren't UTF-8 have to be declared.
  if (typeof at !== 'string') records.push(paxRecord('hdrcharset', Buffer.from('BINARY')))
  if (name.length > NAME_BYTES || name.some((byte) => byte > 126)) records.push(paxRecord('path', name))
  if (size > MOST_OCTAL) records.push(paxRecord('size', Buffer.from(String(size))))
  const seconds = Math.min(MOST_OCTAL, Math.max(0, Math.floor(modifiedAt / 1000)))
  const own = header(name, kind === 'folder' ? '5' : '0', size, seconds, mode)
  if (records.length === 0) return own
  const pax = Buffer.concat(records)
  const before = header(Buffer.from('PaxHeaders/x'), 'x', pax.length, seconds, 0o644)
  return Buffer.concat([before, pax, paddingOf(pax.length), own])
}

function header(name: Buffer, type: string, size: number, seconds: number, mode: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  name.copy(block, 0, 0, NAME_BYTES)
  const octal = (value: number, at: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, '0'), at, 'latin1')
  octal(mode & 0o777, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size > MOST_OCTAL ? 0 : size, 124, 11)
  octal(seconds, 136, 11)
  block.write('        ', 148, 'latin1')
  block.write(type, 156, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  const sum = block.reduce((all, byte) => all + byte, 0)
  octal(sum, 148, 6)
  block.write('\u0000 ', 154, 'latin1')
  return block
}

/** `LENGTH key=value\n`, where the length counts itself. */
function paxRecord(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from('\n')])
  let length = rest.length + String(rest.length).length
  length = rest.length + String(length).length
  return Buffer.concat([Buffer.from(String(length)), rest])
}
