import { indentAt } from './lines-of-text.ts'
import type { Format, Fresh, Scalar, TreeNode } from './tree.ts'

export interface Around {
  format: Format
  text: string
  old: TreeNode | null
  inBrackets: boolean
  indent: string
  ends: string
}

/** Possible spellings of a value, closest to the current one first. */
export function literals(value: Fresh, around: Around): string[] {
  if (value.kind === 'map') return ['{}']
  if (value.kind === 'list') return ['[]']
  const { format, text, old } = around
  const written = old ? text.slice(old.at.from, old.at.to) : ''
  if (value.kind === 'boolean') return [format === 'yaml' ? likeWord(written, value.text) : value.text]
  if (value.kind === 'null') return format === 'toml' ? [] : ['null']
  if (value.kind !== 'text') return [value.text.trim()]
  if (format === 'json') return [JSON.stringify(value.text)]
  return format === 'toml' ? tomlTexts(value.text, written, around.ends) : yamlTexts(value, written, around)
}

export function keyLiterals(key: string, format: Format, written: string): string[] {
  if (format === 'json') return [JSON.stringify(key)]
  const quoted = [...(isPrintable(key) ? [singleOf(key, format)] : []), doubleOf(key)].filter(
    (one) => one !== null,
  )
  if (written.startsWith('"')) quoted.reverse()
  if (format === 'toml') {
    return /^[A-Za-z0-9_-]+$/.test(key) && !/^["']/.test(written) ? [key] : [doubleOf(key)]
  }
  const isPlain = mayBePlain(key) && !isOtherIn11(key.replace(/^\d+$/, '')) && !/^["']/.test(written)
  return [...(isPlain ? [key] : []), ...quoted]
}

/** Booleans in the file's own spelling: `yes` becomes `no`, `True` becomes `False`. */
function likeWord(written: string, value: string): string {
  const pairs = [
    ['yes', 'no'],
    ['on', 'off'],
    ['true', 'false'],
  ]
  const pair = pairs.find((words) => words.includes(written.toLowerCase())) ?? ['true', 'false']
  const word = pair[value === 'true' ? 0 : 1]!
  if (written.length > 1 && written === written.toUpperCase()) return word.toUpperCase()
  return /^[A-Z]/.test(written) ? word[0]!.toUpperCase() + word.slice(1) : word
}

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/ // eslint-disable-line no-control-regex

function isPrintable(text: string): boolean {
  return !control.test(text) && text.isWellFormed()
}

function doubleOf(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function singleOf(text: string, format: Format): string | null {
  if (format === 'toml') return text.includes("'") ? null : `'${text}'`
  return `'${text.replaceAll("'", "''")}'`
}

/** Plain texts that YAML 1.1, which servers use, reads as another type. */
function isOtherIn11(text: string): boolean {
  return (
    /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<)$/i.test(text) ||
    /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[\da-f_]+|\.inf|\.nan)$/i.test(text) ||
    /^[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:e[-+]?\d+)?$/i.test(text) ||
    /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/.test(text) ||
    /^\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?$/.test(text)
  )
}

function mayBePlain(text: string): boolean {
  if (text === '' || text.trim() !== text || !isPrintable(text)) return false
  return !/^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]|:\s|:$|\s#|^---|^\.\.\./.test(text)
}

function yamlTexts(value: Scalar, written: string, around: Around): string[] {
  const { text } = value
  const plain =
    mayBePlain(text) &&
    !(around.inBrackets && /[,[\]{}]/.test(text)) &&
    // If it was already such a plain text, the server reads it as before.
    (!isOtherIn11(text) || (around.old?.kind === 'text' && isOtherIn11(written)))
      ? [text]
      : []
  const single = isPrintable(text) ? [singleOf(text, 'yaml')!] : []
  const double = [doubleOf(text)]
  const block = around.inBrackets ? [] : yamlBlock(text, written, around)
  if (written.startsWith('"')) return [...double]
  if (written.startsWith("'")) return [...single, ...block, ...double]
  if (/^[|>]/.test(written)) {
    const behind = /^[|>][^\r\n#]*?(\s+#[^\r\n]*)?(?:\r?\n|$)/.exec(written)?.[1] ?? ''
    return [...block, ...[...plain, ...single, ...double].map((one) => one + behind)]
  }
  if (text.includes('\n')) return [...block, ...double]
  return [...plain, ...(/["\\]/.test(text) ? [...single, ...double] : [...single, ...double])]
}

function yamlBlock(text: string, written: string, around: Around): string[] {
  const head = /^([|>])[-+0-9]*(\s+#[^\r\n]*)?\s*?(?:\r?\n|$)/.exec(written)
  const isBlock = head !== null
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const lines = body.split('\n')
  // Leading spaces or tabs, empty first or last lines and unprintable characters need quotes.
  if ((!isBlock && lines.length < 2) || lines[0]!.trim() === '' || lines.at(-1)!.trim() === '') return []
  if (/^[ \t]/.test(lines[0]!) || !isPrintable(lines.join('').replaceAll('\t', ' '))) return []
  const first = isBlock ? /^( +)\S/m.exec(written.slice(head[0].length))?.[1] : undefined
  const indent = first ?? `${around.indent.replaceAll('\t', ' ')}  `
  const chomp = text.endsWith('\n') ? '' : '-'
  const block = (mark: string, between: string[]) =>
    `${mark}${chomp}${head?.[2] ?? ''}${around.ends}${between
      .map((line) => (line === '' ? '' : indent + line))
      .join(around.ends)}`
  const folded = lines.every((line) => line !== '' && !/^[ \t]/.test(line))
    ? [
        block(
          '>',
          lines.flatMap((line, index) => (index === 0 ? [line] : ['', line])),
        ),
      ]
    : []
  const literal = block('|', lines)
  return head?.[1] === '>' ? [...folded, literal] : [literal]
}

function tomlTexts(text: string, written: string, ends: string): string[] {
  const isOneLine = isPrintable(text)
  const isLines = isPrintable(text.replaceAll('\n', '').replaceAll('\t', ''))
  const double = doubleOf(text)
  const single = isOneLine ? singleOf(text, 'toml') : null
  const begin = written.slice(3).startsWith('\n') || written.slice(3).startsWith('\r\n') ? ends : ''
  const inLines = text.replaceAll('\n', ends)
  const begins = text.startsWith('\n') ? ends : begin
  const longLiteral =
    isLines && !text.includes("''") && !text.endsWith("'") ? `'''${begins}${inLines}'''` : null
  const longBasic = `"""${begins}${text
    .split('\n')
    .map((line) => doubleOf(line).slice(1, -1))
    .join(ends)}"""`
  if (written.startsWith("'''")) return [longLiteral, longBasic, double].filter((one) => one !== null)
  if (written.startsWith('"""')) return [longBasic, double]
  if (written.startsWith("'")) return [single, double].filter((one) => one !== null)
  return [double]
}

export function around(
  tree: { format: Format; text: string },
  ends: string,
  parent: TreeNode | null,
  old: TreeNode | null,
): Around {
  let inBrackets = false
  for (let up = parent; up; up = up.parent) inBrackets ||= up.layout === 'separated'
  const from = old?.entries[0]?.from ?? parent?.growth?.at ?? 0
  const { format, text } = tree
  const indent =
    old || !parent?.growth ? ' '.repeat(columnOf(text, from)) : ' '.repeat(parent.growth.lead.length)
  return { format, text, old, inBrackets, indent, ends }
}

function columnOf(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return Math.max(indentAt(text, at).length, at - start)
}
