import { indentAt, isBlank, lineEnd, lineStart } from './lines-of-text.ts'
import { commentsWith, firstFrom } from './own-comments.ts'
import type { Change, Tree, TreeNode } from './tree.ts'

// Collections with one entry after the other: JSON, YAML, and TOML's arrays and inline tables.

/** An entry and the text around it, without its comma. */
interface Piece {
  /** White space and comments of no entry. */
  gap: string
  /** The entry below its own comments. */
  body: string
  behind: string
}

interface Pieces {
  from: number
  to: number
  list: Piece[]
  tail: string
  lastComma: boolean
}

function piecesOf(tree: Tree, node: TreeNode): Pieces {
  const { text } = tree
  const inBrackets = node.layout === 'separated'
  const list: Piece[] = []
  let from: number | null = inBrackets ? node.at.from + 1 : null
  let at = from ?? 0
  let lastComma = false
  for (const child of node.children) {
    const entry = { from: child.entries[0]!.from, to: child.entries.at(-1)!.to }
    const own = commentsWith(tree, child)
    const start = Math.min(entry.from, own[0]?.from ?? entry.from)
    const comma = inBrackets ? commaAfter(tree, entry.to) : null
    const end = Math.max(entry.to, own.at(-1)?.to ?? 0, comma === null ? 0 : comma + 1)
    const behind = text.slice(entry.to, comma ?? end) + (comma === null ? '' : text.slice(comma + 1, end))
    const gap = from === null ? '' : text.slice(at, start)
    list.push({ gap, body: text.slice(start, entry.to), behind: isBlank(behind) ? '' : behind })
    from ??= start
    at = end
    lastComma = comma !== null
  }
  const to = inBrackets ? node.at.to - 1 : at
  return { from: from ?? at, to, list, tail: text.slice(at, to), lastComma }
}

/** Offset of the comma after spaces and comments; null if something else comes first. */
function commaAfter({ text, comments }: Tree, at: number): number | null {
  let index = firstFrom(comments, at)
  for (let now = at; now < text.length; now += 1) {
    const comment = comments[index]
    if (comment?.from === now) {
      now = comment.to - 1
      index += 1
    } else if (text[now] === ',') return now
    else if (!/\s/.test(text[now]!)) return null
  }
  return null
}

function joined({ text }: Tree, node: TreeNode, pieces: Pieces, ends: string): Change[] {
  const { from, to, list, tail, lastComma } = pieces
  let insert = ''
  for (const [index, { gap, body, behind }] of list.entries()) {
    const next = list[index + 1]
    const comma = node.layout === 'separated' && (next || lastComma) ? ',' : ''
    const after = next?.gap ?? tail
    const isAlone = (next || node.layout === 'separated') && isOpen(behind) && !/^[ \t]*\r?\n/.test(after)
    insert += gap + body + comma + behind + (isAlone ? ends : '')
  }
  return [shortened(text, { from, to, insert: insert + tail })]
}

/** Whether the rest of the line is a comment. */
const isOpen = (behind: string): boolean => behind !== '' && !behind.trimEnd().endsWith('*/')

/** Leaves out what stays at both ends. */
function shortened(text: string, { from, to, insert }: Change): Change {
  const most = Math.min(to - from, insert.length)
  let [start, end] = [0, 0]
  while (start < most && text[from + start] === insert[start]) start += 1
  while (end < most - start && text[to - end - 1] === insert.at(-1 - end)) end += 1
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) }
}

export function* addPiece(tree: Tree, node: TreeNode, entry: string, ends: string): Generator<Change[]> {
  const { text } = tree
  const pieces = piecesOf(tree, node)
  const last = node.children.at(-1)?.entries.at(-1)
  const body = node.layout === 'lines' && node.kind === 'list' ? `- ${entry}` : entry
  if (!last) {
    yield* addFirst(tree, node, entry, ends)
    return
  }
  const former = pieces.list.at(-1)!
  const end = pieces.to - pieces.tail.length
  const isOnLine = isBlank(text.slice(lineStart(text, last.from), last.from))
  let gap = pieces.list.length > 1 && isBlank(former.gap) && !former.gap.includes('\n') ? former.gap : ' '
  if (node.layout === 'lines') gap = ends + indentTo(text, node.children[0]!.entries[0]!.from)
  else if (isOnLine || isOpen(former.behind)) gap = ends + indentAt(text, last.from)
  const insert = gap + body + (pieces.lastComma ? ',' : '')
  const comma = { from: last.to, to: last.to, insert: node.layout === 'lines' || pieces.lastComma ? '' : ',' }
  yield [comma, { from: end, to: end, insert }]
}

/** Indentation up to an entry, which may begin after a dash. */
function indentTo(text: string, at: number): string {
  const column = at - lineStart(text, at)
  return indentAt(text, at).padEnd(column).slice(0, column)
}

function* addFirst(tree: Tree, node: TreeNode, entry: string, ends: string): Generator<Change[]> {
  const { text, format } = tree
  const { parent: holder, at } = node
  const [from, to] = [at.from + 1, at.to - 1]
  const inside = text.slice(from, to)
  const outer = ends + indentAt(text, at.from)
  const line = outer + unitOf(text) + entry + outer
  if (!isBlank(inside)) {
    yield [{ from: from + inside.trimEnd().length, to, insert: line }]
    return
  }
  if (format === 'json' && (text.includes('\n') || !holder)) yield [{ from, to, insert: line }]
  if (format === 'yaml' && holder?.layout === 'lines') {
    const before = text.slice(0, at.from).trimEnd().length
    const end = lineEnd(text, at.to)
    // A list in a map isn't indented.
    const unit = holder.kind === 'map' && node.kind === 'list' ? '' : unitOf(text)
    const lead = ends + indentTo(text, node.entries[0]!.from) + unit + (node.kind === 'list' ? '- ' : '')
    yield [
      { from: before, to: at.to, insert: '' },
      { from: end, to: end, insert: lead + entry },
    ]
  }
  const pad = format === 'toml' && node.kind === 'map' ? ' ' : ''
  yield [{ from, to, insert: pad + entry + pad }]
}

function unitOf(text: string): string {
  return /^(\t| {1,8})\S/m.exec(text)?.[1] ?? '  '
}

export function* removePiece(tree: Tree, node: TreeNode, ends: string): Generator<Change[]> {
  const parent = node.parent!
  const pieces = piecesOf(tree, parent)
  const index = parent.children.indexOf(node)
  const [gone] = pieces.list.splice(index, 1)
  const next = pieces.list[index]
  if (pieces.list.length === 0 && parent.layout === 'lines') {
    yield* emptied(tree, parent, pieces)
    return
  }
  if (next) next.gap = gapOf(gone!.gap, next.gap, index === 0)
  else if (!isBlank(gone!.gap)) pieces.tail = gone!.gap.trimEnd() + pieces.tail
  if (pieces.list.length === 0 && isBlank(pieces.tail)) pieces.tail = ''
  yield joined(tree, parent, pieces, ends)
  // Empty lines belong to a YAML text that keeps them.
  if (!next) yield joined(tree, parent, { ...pieces, tail: gone!.gap.replace(/\r?\n[ \t]*$/, '') }, ends)
}

/** Comments of both stay. */
function gapOf(gone: string, next: string, isFirst: boolean): string {
  if (isBlank(next)) return isBlank(gone) && !isFirst && next.length > gone.length ? next : gone
  return isBlank(gone) && !isFirst ? next : gone + next.trimStart()
}

/** A YAML block without entries is written in brackets beside its key or dash. */
function* emptied({ text }: Tree, parent: TreeNode, { from, to }: Pieces): Generator<Change[]> {
  const literal = parent.kind === 'list' ? '[]' : '{}'
  const key = parent.keys[0]?.to ?? parent.entries[0]?.from
  if (!parent.parent || key === undefined) {
    yield [{ from, to, insert: literal }]
    return
  }
  const said = text.slice(key + 1, from).trimEnd()
  yield [{ from: key + 1, to, insert: ` ${literal}${said}` }]
  yield [{ from: key + 1, to, insert: `${said} ${literal}` }]
}

export function* movePiece(tree: Tree, node: TreeNode, by: 1 | -1, ends: string): Generator<Change[]> {
  const parent = node.parent!
  const pieces = piecesOf(tree, parent)
  const index = parent.children.indexOf(node)
  const [one, other] = [pieces.list[index]!, pieces.list[index + by]!]
  pieces.list[index] = { ...other, gap: one.gap }
  pieces.list[index + by] = { ...one, gap: other.gap }
  yield joined(tree, parent, pieces, ends)
}
