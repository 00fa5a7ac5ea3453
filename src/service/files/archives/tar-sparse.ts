import { number, type PaxFields } from './tar-header.ts'
import { BLOCK, TarFormatError, type TarInput } from './tar-input.ts'

interface Piece {
  offset: number
  length: number
}

/** `size` includes holes. */
export interface SparseFile {
  pieces: Piece[]
  size: number
}

/** A heavily fragmented region file has some thousand. */
const PIECES_MOST = 100_000
/** GNU header offsets: pieces, their number, the continuation flag, the real size. */
const [IN_HEADER, IN_HEADER_MOST, GOES_ON, SIZE] = [386, 4, 482, 483]
/** The same for extension blocks. */
const [IN_BLOCK_MOST, BLOCK_GOES_ON] = [21, 504]
const ZEROS = Buffer.alloc(64 * 1024)

const damaged = () => new TarFormatError('The map of a sparse file is damaged.')

/** GNU format before pax, type `S`; reads map blocks from the input. Throws TarFormatError or `endless`. */
export async function readOldMap(block: Buffer, input: TarInput, endless: () => Error): Promise<SparseFile> {
  const pieces: Piece[] = []
  const take = (from: Buffer, at: number, most: number) => {
    for (let i = 0; i < most && from[at + 12] !== 0; i++, at += 24)
      pieces.push({ offset: number(from, at, 12), length: number(from, at + 12, 12) })
    if (pieces.length > PIECES_MOST) throw endless()
  }
  take(block, IN_HEADER, IN_HEADER_MOST)
  for (let goesOn = block[GOES_ON] === 1; goesOn;) {
    const next = await input.exactly(BLOCK)
    if (next[12] === 0) throw damaged()
    take(next, 0, IN_BLOCK_MOST)
    goesOn = next[BLOCK_GOES_ON] === 1
  }
  return checked({ pieces, size: number(block, SIZE, 12) }, input.left)
}

/**
 * Pax formats: 0.0 repeats fields, 0.1 has a list in one field, 1.0 puts the map before the content. Null: not
 * sparse. `unknown`: unknown format. Throws TarFormatError or `endless`.
 */
export async function readPaxMap(
  { texts, sparse }: PaxFields,
  input: TarInput,
  endless: () => Error,
): Promise<SparseFile | 'unknown' | null> {
  if (sparse.length === 0) return null
  const of = (key: string) => texts.get(`GNU.sparse.${key}`)
  const version = `${of('major') ?? 0}.${of('minor') ?? 0}`
  if (version !== '1.0' && version !== '0.0' && version !== '0.1') return 'unknown'
  const size = whole(of('realsize') ?? of('size'))
  if (version === '1.0') return checked({ pieces: await mapBefore(input, endless), size }, input.left)
  const repeated = () => sparse.flatMap(([key, value]) => (/\.(?:offset|numbytes)$/.test(key) ? [value] : []))
  const pieces = paired((of('map')?.split(',') ?? repeated()).map(whole), endless)
  const count = of('numblocks')
  if (count !== undefined && whole(count) !== pieces.length) throw damaged()
  return checked({ pieces, size }, input.left)
}

export async function* filled({ pieces, size }: SparseFile, input: TarInput): AsyncGenerator<Buffer> {
  let at = 0
  for (const { offset, length } of [...pieces, { offset: size, length: 0 }]) {
    for (; at < offset; at += Math.min(ZEROS.length, offset - at))
      yield ZEROS.subarray(0, Math.min(ZEROS.length, offset - at))
    yield* input.content(length)
    at += length
  }
}

/** Format 1.0: decimal lines in whole blocks: the count, then the pieces. */
async function mapBefore(input: TarInput, endless: () => Error): Promise<Piece[]> {
  const numbers: number[] = []
  let [rest, wanted] = ['', 1]
  while (numbers.length < wanted) {
    const lines = `${rest}${(await input.contentBlock()).toString('latin1')}`.split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (numbers.length === wanted) break
      numbers.push(whole(line))
      wanted = 1 + numbers[0]! * 2
      if (wanted > 1 + PIECES_MOST * 2) throw endless()
    }
    if (numbers.length < wanted && rest.length > 20) throw damaged()
  }
  return paired(numbers.slice(1), endless)
}

function paired(numbers: readonly number[], endless: () => Error): Piece[] {
  if (numbers.length % 2 !== 0) throw damaged()
  if (numbers.length > PIECES_MOST * 2) throw endless()
  const pieces: Piece[] = []
  for (let at = 0; at < numbers.length; at += 2)
    pieces.push({ offset: numbers[at]!, length: numbers[at + 1]! })
  return pieces
}

function whole(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw damaged()
  return Number(text)
}

/** Requires ordered pieces within the file that match the archived size. */
function checked(file: SparseFile, inArchive: number): SparseFile {
  let [end, bytes] = [0, 0]
  for (const { offset, length } of file.pieces) {
    if (offset < end || length < 0) throw damaged()
    end = offset + length
    bytes += length
  }
  if (!Number.isSafeInteger(file.size) || end > file.size || bytes !== inArchive) throw damaged()
  return file
}
