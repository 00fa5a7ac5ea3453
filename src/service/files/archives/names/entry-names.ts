import { isAscii, isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import type { NameEncoding } from '../../../../contract/pure/name-encodings.ts'
import { type CodePage, codePage, likeliestPage } from './code-pages.ts'

/** Bytes of names that a guess is based on. */
const SAMPLE_BYTES = 64 * 1024
/** Flag of an entry of a zip: its name is UTF-8 (APPNOTE 4.4.4, bit 11). */
const UTF8 = 1 << 11
/** The extra field of Info-ZIP with the name in UTF-8, and the CRC of the name that it stands for (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075

/** Systems on which zips are made whose names may have backslashes: Unix and macOS (APPNOTE 4.4.2.2). */
const UNIX = new Set([3, 19])

/** How the names of an archive were read that are not Unicode. */
export interface NamesRead {
  encoding: NameEncoding
  guessed: boolean
}

/**
 * Reads the names of one archive, which often do not say in which encoding they are. Those of several bytes a letter that
 * are valid UTF-8 hardly ever are anything else; for the others a code page is chosen, or guessed from all of them
 * together.
 */
export class EntryNames {
  readonly #chosen: CodePage | null
  readonly #order: 'list' | 'stream'
  readonly #sample = { unicode: [] as Buffer[], other: [] as Buffer[], bytes: 0 }
  #unicode = 0
  #other = 0
  #page: CodePage | null = null
  #isUsed = false

  /**
   * @param chosen what somebody says the encoding is; null: it is guessed
   * @param order `list`: all names are noted before the first is read. `stream`: they are read as they come.
   */
  constructor(chosen: NameEncoding | null, order: 'list' | 'stream') {
    this.#chosen = chosen === null ? null : codePage(chosen)
    this.#order = order
  }

  /** Takes a name into account that does not say its encoding. */
  note(raw: Buffer): void {
    if (isAscii(raw)) return
    const kind = isUtf8(raw) ? 'unicode' : 'other'
    if (kind === 'unicode') this.#unicode++
    else this.#other++
    if ((this.#sample.bytes += raw.length) <= SAMPLE_BYTES) this.#sample[kind].push(Buffer.from(raw))
  }

  /** Whether nothing more has to be noted. */
  get isSettled(): boolean {
    return this.#chosen !== null || this.#sample.bytes > SAMPLE_BYTES
  }

  /** The text of a name that does not say its encoding; null where the bytes are none of the code page. */
  read(raw: Buffer): string | null {
    if (isAscii(raw)) return raw.toString('latin1')
    if (!this.#chosen && isUtf8(raw) && this.#isMixed) return raw.toString('utf8')
    this.#isUsed = true
    return this.#codePage.decode(raw)
  }

  /** How names were read; null where all of them were Unicode. */
  get result(): NamesRead | null {
    return this.#isUsed ? { encoding: this.#codePage.id, guessed: this.#chosen === null } : null
  }

  /** Whether each name is read by itself. Where most are no UTF-8, the few that look so by chance are of the same code page. */
  get #isMixed(): boolean {
    return this.#order === 'stream' || this.#unicode > this.#other || this.#other === 0
  }

  get #codePage(): CodePage {
    const { unicode, other } = this.#sample
    return this.#chosen ?? (this.#page ??= likeliestPage(this.#isMixed ? other : [...unicode, ...other]))
  }
}

/**
 * The name of an entry of a zip with `/` between its parts, also where a program of Windows wrote `\`: one that says it was
 * made elsewhere means the character, unless it has no other separator.
 */
export function withSlashes(name: string, { versionMadeBy }: Entry): string {
  const isUnix = UNIX.has(versionMadeBy >>> 8) && process.platform !== 'win32'
  return isUnix && name.slice(0, -1).includes('/') ? name : name.replaceAll('\\', '/')
}

/** The name of an entry of a zip as a text where it says that it is Unicode; null: only `raw` says what it is. */
export function markedName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string | null {
  for (const { id, data } of extraFields) {
    if (id !== UNICODE_PATH || data.length < 6 || data[0] !== 1) continue
    const name = data.subarray(5)
    // Where the name was changed later, the field is of the one before.
    if (data.readUInt32LE(1) === crc32(fileNameRaw) && isUtf8(name)) return name.toString('utf8')
  }
  const isMarked = (generalPurposeBitFlag & UTF8) !== 0
  return isMarked && isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8') : null
}
