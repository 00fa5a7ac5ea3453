import { setImmediate as nextTurn } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { Page } from '../../../contract/declarations/operation.ts'
import type { BodyResult } from './read-body.ts'
import { AnswerComplexityError } from './unpack.ts'

/** Bytes unpacked on main's thread before it yields. */
const PIECE = 256 * 1024
/** Largest single value or item, in bytes: it is unpacked in one go. */
const VALUE_MOST = 4 * 1024 * 1024
const ITEMS = 500

export interface PackedBody {
  /** Everything but a list's items. */
  read: Uint8Array
  /** In order; null if it isn't a list. */
  items: Uint8Array[] | null
}

/** Throws `AnswerComplexityError` if a part exceeds its limit. */
export function pack(read: BodyResult): PackedBody {
  if (!isPage(read.value)) return { read: packed(read), items: null }
  const { items, ...page } = read.value
  const pieces: Uint8Array[] = []
  for (let at = 0; at < items.length; at += ITEMS) packItems(items.slice(at, at + ITEMS), pieces)
  return { read: packed({ ...read, value: page }), items: pieces }
}

function packItems(items: readonly unknown[], into: Uint8Array[]): void {
  const piece = serialize(items)
  if (items.length === 1 || piece.length <= PIECE) {
    if (piece.length > VALUE_MOST) throw new AnswerComplexityError()
    into.push(piece)
    return
  }
  const half = Math.ceil(items.length / 2)
  packItems(items.slice(0, half), into)
  packItems(items.slice(half), into)
}

function packed(value: unknown): Uint8Array {
  const bytes = serialize(value)
  if (bytes.length > VALUE_MOST) throw new AnswerComplexityError()
  return bytes
}

export async function unpackRead({ read, items }: PackedBody): Promise<BodyResult> {
  const whole = deserialize(read) as BodyResult
  if (!items) return whole
  const all: unknown[] = []
  for (const piece of items) {
    await nextTurn()
    for (const one of deserialize(piece) as unknown[]) all.push(one)
  }
  return { ...whole, value: { ...(whole.value as Page<unknown>), items: all } }
}

const isPage = (value: unknown): value is Page<unknown> =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<Page<unknown>>).items)
