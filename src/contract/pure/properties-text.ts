/**
 * Texts in the form of `java.util.Properties`, such as server.properties: read and changed line by line, so that all that
 * is not changed stays as it was written.
 */

/** `key=value` lines; `\:`, `\=`, `\u00a7` and other escapes taken back. Of a key that is there twice the last one counts. */
export function propertiesIn(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const line of logicalLines(text)) {
    const match = LINE.exec(line.replace(LINE_END, ''))
    if (match) values.set(match[1]!, unescapedValue(match[2]!))
  }
  return values
}

/**
 * The text with another value of one key, everything else as it stood; null where it says so already. A value that is null
 * takes its lines out.
 */
export const withProperty = (text: string, key: string, value: string | null): string | null =>
  withProperties(text, new Map([[key, value]]))

/** The text with several other values, in one pass. Null where it says all of them already. */
export function withProperties(text: string, changes: ReadonlyMap<string, string | null>): string | null {
  const now = propertiesIn(text)
  const open = new Map(
    [...changes].filter(([key, value]) =>
      value === null ? now.has(key) : now.get(key)?.trim() !== value.trim() || now.get(key) === undefined,
    ),
  )
  if (open.size === 0) return null
  const said = (key: string, value: string) => `${key}=${escapedValue(value)}`
  const lines = logicalLines(text).map((line) => {
    const key = LINE.exec(line.replace(LINE_END, ''))?.[1]
    const value = key === undefined ? undefined : open.get(key)
    if (key === undefined || value === undefined) return line
    return value === null ? '' : said(key, value) + (LINE_END.exec(line)?.[0] ?? '')
  })
  const end = /\r\n/.test(text) ? '\r\n' : '\n'
  let all = lines.join('')
  for (const [key, value] of open) {
    if (value === null || now.has(key)) continue
    all += `${all === '' || all.endsWith('\n') ? '' : end}${said(key, value)}${end}`
  }
  return all
}

const LINE = /^\s*([^#!=:\s][^=:\s]*)\s*[=:][^\S\n]?(.*)$/s

/** A line end that belongs to a value, with the blanks at the beginning of the next line. */
const CONTINUED = /\\\r?\n[ \t]*/g

const LINE_END = /\r?\n$/

/** Lines with their ends. One that ends in a backslash and is no comment goes on in the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let isOpen = false
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (isOpen) lines.push(lines.pop()! + line)
    else lines.push(line)
    const isComment: boolean = !isOpen && /^\s*[#!]/.test(line)
    isOpen = !isComment && endsInBackslash(line.replace(LINE_END, ''))
  }
  return lines
}

/** In one that is not itself behind another one. */
function endsInBackslash(line: string): boolean {
  let at = line.length
  while (at > 0 && line[at - 1] === '\\') at--
  return (line.length - at) % 2 === 1
}

const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f' }

const unescapedValue = (written: string): string =>
  written
    .replaceAll(CONTINUED, '')
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, sign: string) =>
      code === undefined ? (SIGNS[sign] ?? sign) : String.fromCharCode(parseInt(code, 16)),
    )

/** ASCII alone, which is the same in each encoding these files have had. */
const escapedValue = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/^ /, '\\ ')
    .replaceAll(
      /[^\x20-\x7e]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    )
