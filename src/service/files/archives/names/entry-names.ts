import { isAscii, isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import type { NameEncoding } from '../../../../contract/rules/name-encodings.ts'
import { type CodePage, codePage, likeliestPage } from './code-pages.ts'

/** Bytes of names that a guess is based on: they are looked at in one go. */
const SAMPLE_BYTES = 4096
/** Flag of an entry of a zip: its name is UTF-8 (APPNOTE 4.4.4, bit 11). */
const UTF8 = 1 << 11
/** The extra field of Info-ZIP with the name in UTF-8, and the CRC of the name that it stands for (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075

/** Systems that have no code pages, and whose names may have backslashes: Unix and macOS (APPNOTE 4.4.2.2). */
const UNIX = new Set([3, 19])

/** How the names of an archive were read that are not Unicode. */
export interface NamesRead {
  encoding: NameEncoding
  guessed: boolean
}

/** How many names there were, and some of them. */
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

/**
 * Reads the names of one archive, which often do not say in which encoding they are. Those of several bytes a letter that
 * are valid UTF-8 hardly ever are anything else; for the others a code page is chosen, or guessed from all of them
 * together.
 */
export class EntryNames {
  readonly #chosen: CodePage | null
  readonly #unicode = new Sample()
  readonly #other = new Sample()
  #page: CodePage | null = null
  #isUsed = false

  /** @param chosen what somebody says the encoding is; null: it is guessed */
  constructor(chosen: NameEncoding | null) {
    this.#chosen = chosen === null ? null : codePage(chosen)
  }

  /** Takes a name into account that does not say its encoding. `isUnix`: it comes from a system that has no code pages. */
  note(raw: Buffer, isUnix: boolean): void {
    if (isAscii(raw)) return
    if (!isUtf8(raw)) this.#other.add(raw)
    else if (!isUnix) this.#unicode.add(raw)
  }

  /** Whether nothing more has to be noted. */
  get isSettled(): boolean {
    return this.#chosen !== null || this.#other.isFull
  }

  /** The text of a name that does not say its encoding; null where the bytes are none of the code page. */
  read(raw: Buffer, isUnix: boolean): string | null {
    if (isAscii(raw)) return raw.toString('latin1')
    if (!this.#chosen && isUtf8(raw) && (isUnix || this.#isMixed)) return raw.toString('utf8')
    this.#isUsed = true
    return this.#codePage.decode(raw)
  }

  /** How names were read; null where all of them were Unicode. */
  get result(): NamesRead | null {
    return this.#isUsed ? { encoding: this.#codePage.id, guessed: this.#chosen === null } : null
  }

  /** Whether each name is read by itself. Where most are no UTF-8, the few that look so by chance are of the same code page. */
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

/**
 * The name of an entry of a zip with `/` between its parts, also where a program of Windows wrote `\`: one that says it was
 * made elsewhere means the character, unless it has no other separator.
 */
export function withSlashes(name: string, entry: Entry): string {
  const hasBackslashes = isOfUnix(entry) && process.platform !== 'win32'
  return hasBackslashes && name.slice(0, -1).includes('/') ? name : name.replaceAll('\\', '/')
}

/** Whether an entry of a zip says that it was made on Unix or macOS. */
export const isOfUnix = ({ versionMadeBy }: Entry): boolean => UNIX.has(versionMadeBy >>> 8)

/** The name of an entry of a zip as a text where it says that it is Unicode; null: only `raw` says what it is. */
export function markedName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string | null {
  const field = extraFields.find(({ id }) => id === UNICODE_PATH)?.data
  if (field && field.length > 5 && field[0] === 1) {
    const name = field.subarray(5)
    // Where the name was changed later, the field is of the one before.
    if (field.readUInt32LE(1) === crc32(fileNameRaw) && isUtf8(name)) return name.toString('utf8')
  }
  const isMarked = (generalPurposeBitFlag & UTF8) !== 0
  return isMarked && isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8') : null
}
