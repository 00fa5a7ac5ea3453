import { Scalar, stringify } from 'yaml'
import { inDoubleQuotes, isPrintable } from './spelling.ts'
import type { Spelling } from './tree.ts'

const types: Record<string, Scalar.Type> = {
  '"': Scalar.QUOTE_DOUBLE,
  "'": Scalar.QUOTE_SINGLE,
  '|': Scalar.BLOCK_LITERAL,
  '>': Scalar.BLOCK_FOLDED,
}

/** Servers read YAML 1.1, so texts that mean something else there are quoted. */
const options = {
  compat: 'yaml-1.1',
  lineWidth: 0,
  singleQuote: true,
  doubleQuotedMinMultiLineLength: Infinity,
  nullStr: '',
} as const

/** `k: …` or `…:`. */
function written(text: string, type: Scalar.Type | undefined, as: 'key' | 'value', compat = true): string {
  const scalar = new Scalar(text)
  if (type === Scalar.QUOTE_SINGLE && text.includes('\n')) type = Scalar.QUOTE_DOUBLE
  // YAML 1.1 has a type for `=`.
  scalar.type = text === '=' ? (type ?? Scalar.QUOTE_SINGLE) : type
  const pair: [unknown, unknown] = as === 'key' ? [scalar, null] : ['k', scalar]
  const whole = stringify(new Map([pair]), { ...options, ...(compat ? {} : { compat: null }) })
  return as === 'key' ? whole.slice(0, -2) : whole.slice(3, -1)
}

export const yamlSpelling: Spelling = {
  text(text, former, lead) {
    if (!isPrintable(text.replace(/[\n\t]/g, ''))) return [inDoubleQuotes(text)]
    const type = types[former[0] ?? '']
    const said = /^[|>]\S*([ \t]+#[^\r\n]*)/.exec(former)?.[1] ?? ''
    const [ends] = /^\r?\n/.exec(lead)!
    const indent = /^[|>][^\n]*\n(?:[ \t\r]*\n)*( +)\S/.exec(former)?.[1]
    const start = indent ? ends + indent : lead
    const styles: (Scalar.Type | undefined)[] = [type, undefined, Scalar.QUOTE_SINGLE]
    const spellings = styles.map((style) => written(text, style, 'value'))
    // A text that a server reads as another type remains one.
    if (!type && former && written(former, undefined, 'value') !== former)
      spellings.unshift(written(text, undefined, 'value', false))
    return [...spellings, inDoubleQuotes(text)].map((one) => {
      const [head, ...lines] = one.split('\n')
      const body = lines.map((line) => (line === '' ? ends : start + line.slice(2)))
      return head + said + body.join('')
    })
  },
  key(key, former) {
    if (!isPrintable(key)) return [inDoubleQuotes(key)]
    const type = types[former[0] ?? '']
    const plain = !type && /^\d+$/.test(key) ? [key] : []
    return [
      ...plain,
      written(key, type, 'key'),
      written(key, Scalar.QUOTE_SINGLE, 'key'),
      inDoubleQuotes(key),
    ]
  },
}
