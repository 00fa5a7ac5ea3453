import type { Refusal } from '../../../host/refusal.ts'
import { type PaxFields, type RawHeader, readHeader, readPax, textField } from './tar-header.ts'
import { BLOCK, paddingOf, TarFormatError, TarInput } from './tar-input.ts'
import { filled, readOldMap, readPaxMap, type SparseFile } from './tar-sparse.ts'

export interface TarHeader {
  name: string
  /** Raw: need not be Unicode. */
  rawName: Buffer
  size: number
  /** `sparse`: an unknown sparse format. */
  type: 'file' | 'directory' | 'link' | 'special' | 'sparse' | 'other'
  mode: number
  mtime: Date
  pax: ReadonlyMap<string, string>
}

/** Read the content at most once, before the next entry. Unread content is skipped. */
export interface TarEntry {
  header: TarHeader
  content: AsyncGenerator<Buffer>
}

/** Limit in bytes of long names; real ones have a few hundred. */
const LONG_MOST = 32 * 1024
/** Limit in bytes of pax fields. A sparse file's can list thousands of pieces. */
const FIELDS_MOST = 512 * 1024
const SHARED_MOST = 100
/** Limit in bytes after the end: writers pad to records of 10 KiB, or up to 1 MiB. */
const BEHIND_MOST = 1024 * 1024

interface ExtendedHeader {
  fields: PaxFields
  longName: Buffer | null
}

const nothingBefore = (): ExtendedHeader => ({
  fields: { texts: new Map(), bytes: new Map(), sparse: [] },
  longName: null,
})

/** Reads ustar, GNU and pax; unlike tar-stream, within limits. Throws TarFormatError, or `endless` above them. */
export async function* readTar(
  source: AsyncIterable<Buffer>,
  endless: () => Refusal,
): AsyncGenerator<TarEntry> {
  const input = new TarInput(source)
  const shared = new Map<string, string>()
  let before = nothingBefore()
  try {
    for (;;) {
      const block = await input.take(BLOCK)
      // Some writers omit the end marker.
      if (block === null) return
      if (block.every((byte) => byte === 0)) {
        if (await input.endsWithin(BEHIND_MOST)) return
        throw endless()
      }
      const head = readHeader(block)
      if ('xgLK'.includes(head.type)) {
        await readBefore(head, input, before, shared, endless)
        if (shared.size > SHARED_MOST) throw endless()
        continue
      }
      const { fields, longName } = before
      before = nothingBefore()
      const pax = shared.size > 0 ? new Map([...shared, ...fields.texts]) : fields.texts
      // A folder's size is a limit, not content.
      input.left = head.type === '5' ? 0 : sizeOf(pax, head.size)
      const sparse = await sparseOf(head, block, fields, input, endless)
      const rawName = fields.bytes.get('GNU.sparse.name') ?? fields.bytes.get('path') ?? longName ?? head.name
      const isUnknown = sparse === 'unknown'
      const file = isUnknown ? null : sparse
      const padding = paddingOf(input.left)
      const type = isUnknown ? 'sparse' : kindOf(head.type, rawName)
      const { mode, mtime } = head
      const size = file?.size ?? input.left
      const header = { name: rawName.toString('utf8'), rawName, size, type, mode, mtime, pax }
      // `V` is the volume's name.
      if (head.type !== 'V') yield { header, content: file ? filled(file, input) : input.content() }
      await input.pass(input.left + padding)
    }
  } finally {
    await input.close()
  }
}

async function readBefore(
  { type, size }: RawHeader,
  input: TarInput,
  before: ExtendedHeader,
  shared: Map<string, string>,
  endless: () => Refusal,
): Promise<void> {
  if (size > ('xg'.includes(type) ? FIELDS_MOST : LONG_MOST)) throw endless()
  const bytes = await input.exactly(size)
  await input.pass(paddingOf(size))
  if (type === 'x') before.fields = readPax(bytes)
  else if (type === 'L') before.longName = textField(bytes)
  // Global fields. Headers are limited in size, and values replace each other.
  else if (type === 'g') for (const [key, value] of readPax(bytes).texts) shared.set(key, value)
}

async function sparseOf(
  { type, isGnu }: RawHeader,
  block: Buffer,
  fields: PaxFields,
  input: TarInput,
  endless: () => Refusal,
): Promise<SparseFile | 'unknown' | null> {
  if (type === 'S') return isGnu ? readOldMap(block, input, endless) : 'unknown'
  return type === '0' || type === '7' ? readPaxMap(fields, input, endless) : null
}

function sizeOf(pax: ReadonlyMap<string, string>, said: number): number {
  const text = pax.get('size')
  const size = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : said
  if (!Number.isSafeInteger(size) || size < 0) throw new TarFormatError('A header gives no size.')
  return size
}

function kindOf(type: string, name: Buffer): TarHeader['type'] {
  switch (type) {
    case '0':
    case '7':
    case 'S':
      // Old writers mark folders only with a trailing slash.
      return name.at(-1) === 0x2f && type === '0' ? 'directory' : 'file'
    // GNU incremental backups: `D` is a folder with a list of its content.
    case '5':
    case 'D':
      return 'directory'
    case '1':
    case '2':
      return 'link'
    case '3':
    case '4':
    case '6':
      return 'special'
    default:
      return 'other'
  }
}

/** Unix ms; null if invalid. Headers have whole seconds up to 2242, pax records have the exact time. */
export function timeOf({ mtime, pax }: Pick<TarHeader, 'mtime' | 'pax'>): number | null {
  const exact = Number(pax.get('mtime') ?? NaN) * 1000
  // Floating-point seconds are inexact to the ms.
  const time = new Date(Number.isFinite(exact) ? Math.round(exact) : mtime).getTime()
  return Number.isFinite(time) ? time : null
}
