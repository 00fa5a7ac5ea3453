import path from 'node:path'
import { hasRawBytes } from '../../../contract/rules/raw-bytes.ts'

/** Only Linux keeps names that aren't valid UTF-8. */
const KEEPS_BYTES = process.platform === 'linux'
/** Maps raw bytes to private-use characters. */
const OFFSET = 0xf700

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc2 ? 2 : 1
}

/** Disk name to contract name. `toBytes` is the exact inverse. */
export function fromBytes(bytes: Buffer): string {
  const whole = bytes.toString()
  if (!hasRawBytes(whole) && Buffer.from(whole).equals(bytes)) return whole
  let name = ''
  for (let at = 0; at < bytes.length;) {
    const sequence = bytes.subarray(at, at + sequenceLength(bytes[at]!))
    const character = sequence.toString()
    // Escape the escape characters too, so that every name has exactly one form.
    if (!hasRawBytes(character) && Buffer.from(character).equals(sequence)) {
      name += character
      at += sequence.length
    } else name += String.fromCharCode(OFFSET + bytes[at++]!)
  }
  return name
}

export function toBytes(name: string): Buffer {
  const runs = name.split(/([\uf780-\uf7ff]+)/)
  return Buffer.concat(
    runs.map((run, at) =>
      at % 2 === 0 ? Buffer.from(run) : Buffer.from(run, 'utf16le').filter((_, i) => i % 2 === 0),
    ),
  )
}

export type DiskPath = string | Buffer

export const onDisk = (name: string): DiskPath => (KEEPS_BYTES && hasRawBytes(name) ? toBytes(name) : name)

export function diskPath(folder: string, name: string): DiskPath {
  const at = onDisk(name)
  return typeof at === 'string' ? path.join(folder, at) : Buffer.concat([Buffer.from(`${folder}/`), at])
}

/** False for a second spelling of the same bytes. */
export const isCanonical = (name: string): boolean =>
  !KEEPS_BYTES || !hasRawBytes(name) || fromBytes(toBytes(name)) === name

/** Whether a name read as UTF-8 must be read again as bytes. */
export const isDoubtful = (name: string): boolean =>
  KEEPS_BYTES && (name.includes('\ufffd') || hasRawBytes(name))
