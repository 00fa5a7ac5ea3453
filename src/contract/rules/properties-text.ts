/** The only reader of `java.util.Properties`: reads exactly as Java does and preserves unchanged lines byte by byte. */

export interface Properties {
  values: Map<string, string>
  /** Keys with an invalid `\u` escape, for which Java refuses the whole text. */
  malformed: Set<string>
  /** Contains a line of only backslashes, after which Java 8 and later versions disagree about comments. */
  isAmbiguous: boolean
}

/** Reads a text. A malformed escape only loses its backslash. */
export function readProperties(text: string): Properties {
  const read: Properties = { values: new Map(), malformed: new Set(), isAmbiguous: false }
  for (const { key, value, isMalformed, isAmbiguous } of linesIn(text)) {
    read.isAmbiguous ||= isAmbiguous
    if (key === null) continue
    read.values.set(key, value)
    if (isMalformed) read.malformed.add(key)
  }
  return read
}

export const propertiesIn = (text: string): Map<string, string> => readProperties(text).values

export const withProperty = (text: string, key: string, value: string | null): string | null =>
  withProperties(text, new Map([[key, value]]))

/** Merges duplicates; null if nothing changes. A null value removes the key. Writes ASCII, valid in all encodings. */
export function withProperties(text: string, changes: ReadonlyMap<string, string | null>): string | null {
  const lines = [...linesIn(text)]
  const last = new Map(lines.map((line) => [line.key, line]))
  const keeps = (line: Line): boolean => {
    const wanted = line.key === null ? undefined : changes.get(line.key)
    return wanted === undefined || (last.get(line.key) === line && line.value === wanted && !line.isMalformed)
  }
  let next = ''
  for (const line of lines) {
    next += line.before
    const wanted = changes.get(line.key ?? '') ?? null
    if (keeps(line)) next += line.text
    else if (line.key !== null && wanted !== null && last.get(line.key) === line)
      next += written(line.key, wanted) + line.end
  }
  const end = /\r\n?|\n/.exec(text)?.[0] ?? '\n'
  const tail = lines.at(-1)
  // An escaped line end at the end of the text would swallow the addition.
  let gap = tail?.isOpen && keeps(tail) ? tail.end || end : ''
  for (const [key, value] of changes) {
    if (value === null || last.has(key)) continue
    if (next !== '' && !/[\r\n]$/.test(next)) gap += end
    next += gap + written(key, value) + end
    gap = ''
  }
  return next === text ? null : next
}

/** A logical line, which may span several. */
interface Line {
  before: string
  text: string
  /** Null: only `before`. */
  key: string | null
  value: string
  end: string
  /** The text ends in a line continuation. */
  isOpen: boolean
  isMalformed: boolean
  /** Java versions read it differently. */
  isAmbiguous: boolean
}

function* linesIn(text: string): Generator<Line> {
  let isAmbiguous = false
  let [before, at] = [0, 0]
  while (at < text.length) {
    const from = at
    let said = ''
    for (;;) {
      let stop = at
      while (stop < text.length && text[stop] !== '\n' && text[stop] !== '\r') stop++
      const end = text.startsWith('\r\n', stop) ? '\r\n' : text.charAt(stop)
      const part = text.slice(pastBlanks(text, at), stop)
      at = stop + end.length
      const isComment = said === '' && (part[0] === '#' || part[0] === '!')
      const backslashes = backslashesEnding(part)
      isAmbiguous ||= backslashes > 0 && backslashes === part.length
      const isOpen = !isComment && backslashes % 2 === 1
      if (!isComment) said += isOpen ? part.slice(0, -1) : part
      if (isOpen && at < text.length) continue
      // A trailing backslash at the end of the text creates an empty key in Java, but not before CRLF.
      if (said === '' && (!isOpen || end === '\r\n')) break
      const line = { before: text.slice(before, from), text: text.slice(from, at), end, isOpen, isAmbiguous }
      yield { ...line, ...entryOf(said) }
      before = at
      break
    }
  }
  if (before === at) return
  const none = { key: null, value: '', text: '', end: '', isOpen: false, isMalformed: false }
  yield { ...none, before: text.slice(before), isAmbiguous }
}

/** Java's white space only: no byte order mark or no-break space. */
function pastBlanks(text: string, at: number): number {
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\f') at++
  return at
}

function backslashesEnding(part: string): number {
  let at = part.length
  while (at > 0 && part[at - 1] === '\\') at--
  return part.length - at
}

function entryOf(line: string): Pick<Line, 'key' | 'value' | 'isMalformed'> {
  let at = 0
  while (at < line.length && !'=: \t\f'.includes(line[at]!)) at += line[at] === '\\' ? 2 : 1
  const key = line.slice(0, at)
  at = pastBlanks(line, at)
  if (line[at] === '=' || line[at] === ':') at = pastBlanks(line, at + 1)
  const value = line.slice(at)
  return { key: unescaped(key), value: unescaped(value), isMalformed: isMalformed(key) || isMalformed(value) }
}

const isMalformed = (written: string): boolean =>
  written.includes('\\u') && /\\u(?![\da-fA-F]{4})/.test(written.replaceAll('\\\\', ''))

const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f' }

const unescaped = (written: string): string =>
  written.includes('\\')
    ? written.replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code: string | undefined, sign: string) =>
        code === undefined ? (SIGNS[sign] ?? sign) : String.fromCharCode(parseInt(code, 16)),
      )
    : written

const written = (key: string, value: string): string =>
  `${escaped(key).replaceAll(/[ =:#!]/g, '\\$&')}=${escaped(value).replace(/^ /, '\\ ')}`

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll(
      /[^\x20-\x7e]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    )
