import type { NewValue, Spelling, Tree, TreeNode } from './tree.ts'

/** Possible spellings of a value, closest to the current one first. */
export function valueSpellings(tree: Tree, value: NewValue, old: TreeNode | null, lead: string): string[] {
  if (value.kind === 'map') return ['{}']
  if (value.kind === 'list') return ['[]']
  const written = old ? tree.text.slice(old.at.from, old.at.to) : ''
  if (value.kind === 'boolean') return [likeWord(written, value.text)]
  if (value.kind === 'null') return ['null']
  if (value.kind !== 'text') return [value.text.trim()]
  return tree.spelling.text(value.text, old?.kind === 'text' ? written : '', lead)
}

/** Booleans in the file's own spelling: `yes` becomes `no`, `True` becomes `False`. */
function likeWord(written: string, value: string): string {
  const pairs = [
    ['yes', 'no'],
    ['on', 'off'],
    ['true', 'false'],
  ]
  const word = pairs.find((words) => words.includes(written.toLowerCase()))?.[value === 'true' ? 0 : 1]
  if (word === undefined) return value
  if (written === written.toUpperCase()) return word.toUpperCase()
  return /^[A-Z]/.test(written) ? word[0]!.toUpperCase() + word.slice(1) : word
}

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/ // eslint-disable-line no-control-regex

export function isPrintable(text: string): boolean {
  return !control.test(text) && text.isWellFormed()
}

export function inDoubleQuotes(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export const jsonSpelling: Spelling = {
  text: (text) => [JSON.stringify(text)],
  key: (key) => [JSON.stringify(key)],
}

export const tomlSpelling: Spelling = {
  text(text, written, lead) {
    const double = inDoubleQuotes(text)
    const [ends] = /^\r?\n/.exec(lead)!
    const begin = text.startsWith('\n') || /^...\r?\n/.test(written) ? ends : ''
    const isLiteral = !text.includes("'") && isPrintable(text.replace(/[\n\t]/g, ''))
    if (written.startsWith("'''") && isLiteral) return [`'''${begin}${text.replaceAll('\n', ends)}'''`]
    if (/^(?:"""|''')/.test(written)) {
      const lines = text.split('\n').map((line) => inDoubleQuotes(line).slice(1, -1))
      return [`"""${begin}${lines.join(ends)}"""`, double]
    }
    return written.startsWith("'") && !text.includes("'") && isPrintable(text) ? [`'${text}'`] : [double]
  },
  key: (key, written) =>
    /^[A-Za-z0-9_-]+$/.test(key) && !/^["']/.test(written) ? [key] : [inDoubleQuotes(key)],
}
