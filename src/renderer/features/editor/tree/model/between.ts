import { indentAt, isBlank, lineEnd, lineStart } from './lines-of-text.ts'
import { firstFrom, commentsWith } from './own-comments.ts'
import type { Change, Span, Tree, TreeNode } from './tree.ts'

// Comma-separated entries between brackets: JSON, YAML flow collections, TOML arrays and inline tables.

/** Offset of the comma after spaces and comments; null if something else comes first. */
function commaAfter(tree: Tree, at: number): number | null {
  const { text, comments } = tree
  let index = firstFrom(comments, at)
  for (let now = at; now < text.length; now += 1) {
    const comment = comments[index]
    if (comment && comment.from === now) {
      now = comment.to - 1
      index += 1
    } else if (text[now] === ',') return now
    else if (!/\s/.test(text[now]!)) return null
  }
  return null
}

export function* addBetween(
  tree: Tree,
  node: TreeNode,
  entry: string,
  ends: string,
): Generator<Change[] | null> {
  const { text } = tree
  const last = node.children.at(-1)?.entries[0]
  if (!last) {
    yield* addFirst(tree, node, entry, ends)
    return
  }
  const comma = commaAfter(tree, last.to)
  const closes = node.at.to - 1
  const isOnLine = isBlank(text.slice(lineStart(text, last.from), last.from))
  if (isOnLine && lineEnd(text, last.to) < closes) {
    const comment = tree.comments[firstFrom(tree.comments, last.to)]
    const lineEnds = lineEnd(text, comma ?? last.to)
    // A comment that began on this line may end on a later one.
    const at = comment && comment.from < lineEnds ? Math.max(comment.to, lineEnds) : lineEnds
    const line = ends + indentAt(text, last.from) + entry
    yield comma === null
      ? [
          { from: last.to, to: last.to, insert: ',' },
          { from: at, to: at, insert: line },
        ]
      : [{ from: at, to: at, insert: `${line},` }]
    return
  }
  const before = node.children.at(-2)?.entries[0]
  const gap = before ? text.slice((commaAfter(tree, before.to) ?? before.to) + 1, last.from) : ' '
  const space = isBlank(gap) && !gap.includes('\n') ? gap : ' '
  yield comma === null
    ? [{ from: last.to, to: last.to, insert: `,${space}${entry}` }]
    : [{ from: comma + 1, to: comma + 1, insert: `${space}${entry},` }]
}

function* addFirst(tree: Tree, node: TreeNode, entry: string, ends: string): Generator<Change[] | null> {
  const { text, format } = tree
  const [from, to] = [node.at.from + 1, node.at.to - 1]
  const isEmpty = isBlank(text.slice(from, to))
  const holder = node.parent
  const outer = indentAt(text, node.at.from)
  if (isEmpty && format === 'json' && (text.includes('\n') || !holder)) {
    const unit = unitOf(text)
    yield [{ from, to, insert: `${ends}${outer}${unit}${entry}${ends}${outer}` }]
  }
  if (isEmpty && format === 'yaml' && holder?.layout === 'lines')
    yield asBlock(tree, node, holder, entry, ends)
  const pad = format === 'toml' && node.kind === 'map' ? ' ' : ''
  if (isEmpty) yield [{ from, to, insert: pad + entry + pad }]
  else yield [{ from: to, to, insert: `${indentAt(text, to) === '' ? ' ' : ''}${entry}${ends}${outer}` }]
  if (isEmpty && format === 'yaml' && !holder) {
    yield [{ from: node.at.from, to: node.at.to, insert: node.kind === 'list' ? `- ${entry}` : entry }]
  }
}

/** Turns `key: {}` into a block below the key. */
function asBlock(tree: Tree, node: TreeNode, holder: TreeNode, entry: string, ends: string): Change[] {
  const { text } = tree
  const before = text.slice(0, node.at.from).trimEnd().length
  const at = lineEnd(text, node.at.to)
  const start = lineStart(text, node.at.from)
  const isItem = node.keys.length === 0
  const column = isItem ? (node.entries[0]?.from ?? start) - start : (node.keys[0]?.from ?? start) - start
  const lead = `${' '.repeat(column)}${holder.kind === 'map' && node.kind === 'list' ? '' : unitOf(text)}`
  const line = `${ends}${lead}${node.kind === 'list' ? '- ' : ''}${entry}`
  return [
    { from: before, to: node.at.to, insert: '' },
    { from: at, to: at, insert: line },
  ]
}

function unitOf(text: string): string {
  return /^(\t| {1,8})\S/m.exec(text)?.[1] ?? '  '
}

export function* removeBetween(tree: Tree, node: TreeNode): Generator<Change[] | null> {
  const { text } = tree
  const entry = node.entries[0]
  if (!entry) return
  const siblings = node.parent!.children
  const index = siblings.indexOf(node)
  const own = commentsWith(tree, node)
  const begin = Math.min(entry.from, ...own.map((span) => span.from))
  const comma = commaAfter(tree, entry.to)
  const end = Math.max(entry.to, comma === null ? 0 : comma + 1, ...own.map((span) => span.to))
  if (siblings.length === 1) {
    const inside = { from: node.parent!.at.from + 1, to: node.parent!.at.to - 1 }
    if (isBlank(text.slice(inside.from, begin) + text.slice(end, inside.to)))
      yield [{ ...inside, insert: '' }]
    else yield [spaceBefore(tree, { from: begin, to: end })]
    return
  }
  const next = siblings[index + 1]
  if (next) {
    const from = Math.min(next.entries[0]!.from, ...aboveOf(next).map((span) => span.from))
    yield [{ from: begin, to: from, insert: '' }]
    yield [{ from: entry.from, to: (comma ?? entry.to - 1) + 1, insert: '' }]
    return
  }
  const before = siblings[index - 1]!.entries[0]!
  const cut = spaceBefore(tree, { from: begin, to: end })
  if (comma !== null) {
    yield [cut]
    return
  }
  const former = commaAfter(tree, before.to)
  if (former === null) return
  yield cut.from <= former + 1
    ? [{ from: former, to: cut.to, insert: '' }]
    : [{ from: former, to: former + 1, insert: '' }, cut]
}

const aboveOf = (node: TreeNode): Span[] =>
  node.comments.filter((span) => span.to <= (node.entries[0]?.from ?? 0))

/** Also removes whitespace before it, but not the newline that ends a comment. */
function spaceBefore({ text, comments }: Tree, { from, to }: Span): Change {
  const begin = text.slice(0, from).trimEnd().length
  const comment = comments.find((span) => span.from < from && span.to >= begin)
  const at = comment ? Math.min(from, lineEnd(text, comment.to)) : begin
  return { from: at, to, insert: '' }
}

export function moveBetween(tree: Tree, first: TreeNode, second: TreeNode): Change[] | null {
  const { text } = tree
  const one = first.entries[0]!
  const two = second.entries[0]!
  const start = (node: TreeNode, entry: Span) =>
    Math.min(entry.from, ...aboveOf(node).map((span) => span.from))
  const [from, next] = [start(first, one), start(second, two)]
  if (next < one.to) return null
  const changes: Change[] = [
    { from, to: one.to, insert: text.slice(next, two.to) },
    { from: next, to: two.to, insert: text.slice(from, one.to) },
  ]
  const behind = (node: TreeNode, entry: Span) => node.comments.find((span) => span.from >= entry.to)
  const [b1, b2] = [behind(first, one), behind(second, two)]
  const said = (span: Span) => text.slice(span.from, span.to)
  if (b1 && b2) changes.push({ ...b1, insert: said(b2) }, { ...b2, insert: said(b1) })
  else if (b1 || b2) {
    const moved = (b1 ?? b2)!
    const cut = text.slice(0, moved.from).trimEnd().length
    const at = (b1 ? (commaAfter(tree, two.to) ?? two.to - 1) : commaAfter(tree, one.to)!) + 1
    changes.push({ from: cut, to: moved.to, insert: '' }, { from: at, to: at, insert: ` ${said(moved)}` })
  }
  return changes
}
