import type { SyntaxNode } from '@lezer/common'
import { GFM, parser } from '@lezer/markdown'

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'struck'; parts: Inline[] }
  | { kind: 'link'; url: string; parts: Inline[] }
  | { kind: 'break' }

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'heading'; level: number; parts: Inline[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: Inline[][][] }
  | { kind: 'rule' }

/** Bounds in characters and nesting, because the texts are foreign. */
export const MARKDOWN_MOST = 20_000
const DEEPEST = 12

const markdown = parser.configure(GFM)

/** HTML is reduced to its text, images to their alt text, and only `https:` addresses are kept. */
export function readMarkdown(whole: string): Block[] {
  const text = whole.slice(0, MARKDOWN_MOST)
  return blocksIn(markdown.parse(text).topNode, text, 0)
}

function children(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all
}

const blocksIn = (node: SyntaxNode, text: string, depth: number): Block[] =>
  children(node).flatMap((child) => blockOf(child, text, depth) ?? [])

function blockOf(node: SyntaxNode, text: string, depth: number): Block | null {
  const { name, from, to } = node
  if (depth > DEEPEST) return { kind: 'paragraph', parts: [plain(text.slice(from, to))] }
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)
  if (heading)
    return withParts({ kind: 'heading', level: Number(heading[1]), parts: lineOf(node, text, depth) })
  switch (name) {
    case 'Paragraph':
    case 'Task':
      return withParts({ kind: 'paragraph', parts: lineOf(node, text, depth) })
    case 'HTMLBlock': {
      const words = withoutTags(text.slice(from, to)).trim()
      return words === '' ? null : { kind: 'paragraph', parts: [plain(words)] }
    }
    case 'Blockquote':
      return { kind: 'quote', blocks: blocksIn(node, text, depth + 1) }
    case 'BulletList':
    case 'OrderedList':
      return {
        kind: 'list',
        ordered: name === 'OrderedList',
        items: node.getChildren('ListItem').map((item) => blocksIn(item, text, depth + 1)),
      }
    case 'FencedCode':
    case 'CodeBlock':
      return {
        kind: 'code',
        text: node
          .getChildren('CodeText')
          .map((one) => text.slice(one.from, one.to))
          .join(''),
      }
    case 'Table':
      return {
        kind: 'table',
        rows: [...node.getChildren('TableHeader'), ...node.getChildren('TableRow')].map((row) =>
          row.getChildren('TableCell').map((cell) => lineOf(cell, text, depth)),
        ),
      }
    case 'HorizontalRule':
      return { kind: 'rule' }
    default:
      return null
  }
}

const withParts = <B extends Extract<Block, { parts: Inline[] }>>(block: B): B | null =>
  block.parts.some((part) => part.kind !== 'text' || part.text.trim() !== '') ? block : null

const MARKS =
  /^(?:HeaderMark|QuoteMark|EmphasisMark|CodeMark|LinkMark|StrikethroughMark|TaskMarker|LinkTitle|LinkLabel)$/

function lineOf(node: SyntaxNode, text: string, depth: number, begin = node.from, end = node.to): Inline[] {
  const parts: Inline[] = []
  let at = begin
  const upTo = (to: number) => {
    if (to > at) parts.push(plain(text.slice(at, to)))
  }
  for (const child of children(node)) {
    if (child.from < begin || child.to > end) continue
    upTo(child.from)
    const part = inlineOf(child, text, depth + 1)
    if (part) parts.push(part)
    at = Math.max(at, child.to)
  }
  upTo(end)
  return trimmed(parts)
}

function inlineOf(node: SyntaxNode, text: string, depth: number): Inline | null {
  const { name, from, to } = node
  const raw = text.slice(from, to)
  if (MARKS.test(name)) return null
  if (depth > DEEPEST) return plain(raw)
  switch (name) {
    case 'StrongEmphasis':
      return { kind: 'strong', parts: lineOf(node, text, depth) }
    case 'Emphasis':
      return { kind: 'emphasis', parts: lineOf(node, text, depth) }
    case 'Strikethrough':
      return { kind: 'struck', parts: lineOf(node, text, depth) }
    case 'InlineCode':
      return { kind: 'code', text: raw.replace(/^`+|`+$/g, '').trim() }
    case 'HardBreak':
      return { kind: 'break' }
    case 'Escape':
      return { kind: 'text', text: raw.slice(1) }
    case 'Entity':
      return { kind: 'text', text: characterOf(raw) }
    case 'HTMLTag':
      return /^<br\b/i.test(raw) ? { kind: 'break' } : null
    case 'Comment':
    case 'ProcessingInstruction':
      return null
    case 'Image': {
      const words = lineOf(node, text, depth, from + 2, labelEnd(node) ?? to)
      return words.length > 0 ? { kind: 'emphasis', parts: words } : null
    }
    case 'Link':
    case 'Autolink':
    case 'URL':
      return linkOf(node, text, depth)
    default:
      return plain(raw)
  }
}

/** The second mark ends the link's text. */
const labelEnd = (node: SyntaxNode): number | undefined => node.getChildren('LinkMark')[1]?.from

function linkOf(node: SyntaxNode, text: string, depth: number): Inline | null {
  const own = node.name === 'URL' ? node : node.getChild('URL')
  const url = own ? text.slice(own.from, own.to) : ''
  const parts: Inline[] =
    node.name === 'Link'
      ? lineOf(node, text, depth, node.from + 1, labelEnd(node) ?? node.to)
      : [{ kind: 'text', text: url }]
  if (parts.length === 0) return null
  return isAddress(url) ? { kind: 'link', url, parts } : { kind: 'emphasis', parts }
}

function isAddress(url: string): boolean {
  return url.length <= 2000 && URL.canParse(url) && new URL(url).protocol === 'https:'
}

/** Joins wrapped lines; in quotes each starts with a mark. */
const plain = (text: string): Inline => ({ kind: 'text', text: text.replace(/\s*\n\s*/g, ' ') })

function trimmed(parts: Inline[]): Inline[] {
  const [first] = parts
  if (first?.kind === 'text') first.text = first.text.trimStart()
  const last = parts.at(-1)
  if (last?.kind === 'text') last.text = last.text.trimEnd()
  return parts.filter((part) => part.kind !== 'text' || part.text !== '')
}

const withoutTags = (html: string): string =>
  html.replace(/<!--[^]*?-->/g, '').replace(/<\/?[a-z][^<>]*>/gi, ' ')

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: '’',
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
}

function characterOf(entity: string): string {
  const name = entity.slice(1, -1)
  const code = name.startsWith('#')
    ? Number(/^#x/i.test(name) ? `0x${name.slice(2)}` : name.slice(1))
    : Number.NaN
  if (Number.isInteger(code) && code >= 32 && code <= 0x10ffff) return String.fromCodePoint(code)
  return (Object.hasOwn(characters, name) ? characters[name] : undefined) ?? entity
}
