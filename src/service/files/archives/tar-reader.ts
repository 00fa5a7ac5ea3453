import type { Refusal } from '../../base/refusal.ts'
import { type PaxFields, type RawHeader, readHeader, readPax, textField } from './tar-header.ts'
import { BLOCK, paddingOf, TarBroken, TarInput } from './tar-input.ts'
import { filled, readOldMap, readPaxMap, type SparseFile } from './tar-sparse.ts'

/** What stands before each thing in a tar. */
export interface TarHeader {
  name: string
  /** The name as it is written, which need not be Unicode. */
  rawName: Buffer
  /** Bytes of content. */
  size: number
  /** `sparse`: a file with holes in a form that nobody here knows. */
  type: 'file' | 'directory' | 'link' | 'special' | 'sparse' | 'other'
  mode: number
  mtime: Date
  /** Fields of its pax header. */
  pax: ReadonlyMap<string, string>
}

/** Its content is read at most once, and before the next entry is asked for; what is not read is passed over. */
export interface TarEntry {
  header: TarHeader
  content: AsyncGenerator<Buffer>
}

/** Most bytes of a header that holds a long name: honest ones have a few hundred. */
const LONG_MOST = 32 * 1024
/** Most bytes of one with fields. One of a sparse file can name some thousand pieces. */
const FIELDS_MOST = 512 * 1024
/** Most fields that hold for all that follows. */
const SHARED_MOST = 100
/** Most bytes behind the end: writers fill up to whole records, which are 10 KiB, or a megabyte where one wishes so. */
const BEHIND_MOST = 1024 * 1024

/** What stands in headers of their own before that of an entry. */
interface Before {
  fields: PaxFields
  longName: Buffer | null
}

const nothingBefore = (): Before => ({
  fields: { texts: new Map(), bytes: new Map(), sparse: [] },
  longName: null,
})

/**
 * Reads a tar (ustar, GNU, pax) as it comes. A reader of our own: tar-stream takes headers of 4 MiB, keeps the fields that
 * one of them gives to all that follows for each of them, reads zeros behind the end for ever, and takes the map of a sparse
 * file for its content. Throws TarBroken, and `endless` where there is more beside the content than in honest ones.
 */
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
      // Some writers leave out the end.
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
      // Of a folder it says how large it may become.
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
      // The name of a whole archive is no part of it.
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
  before: Before,
  shared: Map<string, string>,
  endless: () => Refusal,
): Promise<void> {
  if (size > ('xg'.includes(type) ? FIELDS_MOST : LONG_MOST)) throw endless()
  const bytes = await input.exactly(size)
  await input.pass(paddingOf(size))
  if (type === 'x') before.fields = readPax(bytes)
  else if (type === 'L') before.longName = textField(bytes)
  // Those of all that follows. There are few: each time is one header of a bounded size, and they replace each other.
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
  if (!Number.isSafeInteger(size) || size < 0) throw new TarBroken('A header gives no size.')
  return size
}

function kindOf(type: string, name: Buffer): TarHeader['type'] {
  switch (type) {
    case '0':
    case '7':
    case 'S':
      // Old writers say by the end of its name alone that something is a folder.
      return name.at(-1) === 0x2f && type === '0' ? 'directory' : 'file'
    // `D` is a folder with a list of what was in it, of GNU's incremental backups.
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
