import { isAscii, isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import type { NameEncoding } from '../../../../contract/rules/names.ts'
import { type CodePage, codePage, likeliestPage } from './code-pages.ts'
import { outside } from '../../names/refusals.ts'

/** Sample size in bytes for guessing, which is synchronous. */
const SAMPLE_BYTES = 4096
/** Zip flag for UTF-8 names (APPNOTE 4.4.4, bit 11). */
const UTF8 = 1 << 11
/** Info-ZIP's extra field: UTF-8 name, with the CRC of the original name (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075

/** Unix and macOS (APPNOTE 4.4.2.2): no code pages, and backslashes are allowed in names. */
const UNIX = new Set([3, 19])

export interface DetectedEncoding {
  encoding: NameEncoding
  guessed: boolean
}

class Sample {
  count = 0
  readonly names: Buffer[] = []
  #bytes = 0

  add(raw: Buffer): void {
    this.count++
    if ((this.#bytes += raw.length) <= SAMPLE_BYTES) this.names.push(Buffer.from(raw))
  }

  get isFull(): boolean {
    return this.#bytes > SAMPLE_BYTES
  }
}

/** Names valid as multi-byte UTF-8 are taken as such; for others the code page is chosen or guessed. */
export class EntryNames {
  readonly #chosen: CodePage | null
  readonly #unicode = new Sample()
  readonly #other = new Sample()
  #page: CodePage | null = null
  #isUsed = false

  /** @param chosen by the user; null: guess */
  constructor(chosen: NameEncoding | null) {
    this.#chosen = chosen === null ? null : codePage(chosen)
  }

  /** Samples a name without declared encoding. `isUnix`: from a system without code pages. */
  note(raw: Buffer, isUnix: boolean): void {
    if (isAscii(raw)) return
    if (!isUtf8(raw)) this.#other.add(raw)
    else if (!isUnix) this.#unicode.add(raw)
  }

  get isSettled(): boolean {
    return this.#chosen !== null || this.#other.isFull
  }

  read(raw: Buffer, isUnix: boolean): string | null {
    if (isAscii(raw)) return raw.toString('latin1')
    if (!this.#chosen && isUtf8(raw) && (isUnix || this.#isMixed)) return raw.toString('utf8')
    this.#isUsed = true
    return this.#codePage.decode(raw)
  }

  get result(): DetectedEncoding | null {
    return this.#isUsed ? { encoding: this.#codePage.id, guessed: this.#chosen === null } : null
  }

  /** If most names aren't UTF-8, those that happen to be valid UTF-8 use the same code page. */
  get #isMixed(): boolean {
    const [unicode, other] = [this.#unicode.count, this.#other.count]
    return unicode > other || other === 0
  }

  get #codePage(): CodePage {
    const other = this.#other.names
    const doubtful = this.#isMixed ? other : [...this.#unicode.names, ...other]
    return this.#chosen ?? (this.#page ??= likeliestPage(doubtful))
  }
}

/** Converts `\` to `/`, except for Unix entries with another separator: there it is a character. */
export function withSlashes(name: string, entry: Entry): string {
  const hasBackslashes = isOfUnix(entry) && process.platform !== 'win32'
  return hasBackslashes && name.slice(0, -1).includes('/') ? name : name.replaceAll('\\', '/')
}

export const isOfUnix = ({ versionMadeBy }: Entry): boolean => UNIX.has(versionMadeBy >>> 8)

/** The name if declared as Unicode; null: decode `raw`. */
export function markedName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string | null {
  const field = extraFields.find(({ id }) => id === UNICODE_PATH)?.data
  if (field && field.length > 5 && field[0] === 1) {
    const name = field.subarray(5)
    // A stale field belongs to a name changed later.
    if (field.readUInt32LE(1) === crc32(fileNameRaw) && isUtf8(name)) return name.toString('utf8')
  }
  const isMarked = (generalPurposeBitFlag & UTF8) !== 0
  return isMarked && isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8') : null
}

const DRIVE = /^\/*[a-z]:(?:\/|$)/i

/** The inverse of `entryParts`. */
export const entryName = (path: string): string =>
  // Prevents reading it as a drive or as `\`-separated.
  /^[a-z]:|^[^/]*\\[^/]*$/i.test(path) ? `./${path}` : path

/**
 * Splits an archive name like `tar` and `unzip`: ignores leading and double slashes and `.`. Throws Refusal 422
 * `files.outside` for `..` and drives. Doesn't validate the parts.
 */
export function entryParts(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (DRIVE.test(name) || parts.some((part) => part.split('\\').includes('..'))) throw outside(name)
  return parts
}
