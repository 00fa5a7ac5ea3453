import { t } from '../../../messages/t.svelte.ts'

/** What the parsers expected, by the JSON parser's codes and the YAML parser's commonest sentences. */
const known = [
  [/^CloseBraceExpected$|end with a \}$/, 'tree.json-brace'],
  [/^CloseBracketExpected$|end with a \]$/, 'tree.json-bracket'],
  [/^Implicit keys of flow sequence/, 'tree.yaml-bracket'],
  [/^ColonExpected$/, 'tree.json-colon'],
  [/^CommaExpected$/, 'tree.json-comma'],
  [/^EndOfFileExpected$/, 'tree.json-end'],
  [/^InvalidSymbol$/, 'tree.json-symbol'],
  [/^PropertyNameExpected$/, 'tree.json-key'],
  [/^UnexpectedEndOfString$|^Missing closing .quote$/, 'tree.json-quote'],
  [/^ValueExpected$/, 'tree.json-value'],
] as const

/** Other errors come as sentences of the parser. */
export function faultWords(message: string): string {
  const key = known.find(([pattern]) => pattern.test(message))?.[1]
  return key ? t(key) : message
}
