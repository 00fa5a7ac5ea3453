import { isBlank, lineEnd, lineStart, nextLine } from './lines-of-text.ts'
import { commentsWith } from './own-comments.ts'
import { type Change, type Span, type Tree, type TreeNode, walk } from './tree.ts'

/** Adds an entry on its own line; null if the collection has no place for it. */
export function addLine(tree: Tree, node: TreeNode, entry: string, ends: string): Change[] | null {
  const { text } = tree
  const last = node.children.at(-1)
  if (tree.format === 'toml' && node.kind === 'list') {
    const piece = last?.entries[0]
    const header = piece && /^\[\[[^\r\n]*?\]\]/.exec(text.slice(piece.from))?.[0]
    if (!header || entry !== '{}') return null
    const at = lineEnd(text, last.entries.at(-1)!.to)
    return [{ from: at, to: at, insert: ends + ends + header }]
  }
  if (!node.growth) return null
  const { at, lead } = node.growth
  const line = lead + (node.kind === 'list' ? '- ' : '') + entry
  const isNewLine = at === 0 || text[at - 1] === '\n'
  return [{ from: at, to: at, insert: isNewLine ? line + ends : ends + line }]
}

/** Removes an entry with its lines and comments; an emptied collection is written as empty. */
export function* removeLines(tree: Tree, node: TreeNode): Generator<Change[] | null> {
  const { text, format } = tree
  const own = commentsWith(tree, node)
  const parent = node.parent!
  if (format === 'yaml' && parent.children.length === 1) {
    yield* empty(tree, node, parent, own)
    return
  }
  const [entry] = node.entries
  if (entry && !isBlank(text.slice(lineStart(text, entry.from), entry.from))) {
    // It shares a line with its list's dash, so the next entry takes its place.
    const next = parent.children[parent.children.indexOf(node) + 1]
    yield next ? [{ from: entry.from, to: next.entries[0]!.from, insert: '' }] : null
    return
  }
  yield node.entries.map((piece) => wholeLines(text, piece, own))
}

/** Full lines including the comments above, and one of two surrounding empty lines. */
function wholeLines(text: string, piece: Span, own: readonly Span[]): Change {
  let from = lineStart(text, piece.from)
  for (const comment of own.toReversed()) {
    const start = lineStart(text, comment.from)
    if (comment.to < from && isBlank(text.slice(comment.to, from))) from = start
  }
  let to = nextLine(text, piece.to)
  // If the last line has no line break, the one before it goes.
  if (to === text.length && text[to - 1] !== '\n' && from > 0)
    return { from: lineEndBefore(text, from), to, insert: '' }
  const isBlankBefore = from === 0 || isBlank(text.slice(lineStart(text, from - 1), from))
  if (isBlankBefore && to < text.length && isBlank(text.slice(to, lineEnd(text, to)))) to = nextLine(text, to)
  return { from, to, insert: '' }
}

const lineEndBefore = (text: string, start: number): number =>
  text[start - 2] === '\r' ? start - 2 : start - 1

function* empty(
  tree: Tree,
  node: TreeNode,
  parent: TreeNode,
  own: readonly Span[],
): Generator<Change[] | null> {
  const { text } = tree
  const literal = parent.kind === 'list' ? '[]' : '{}'
  const [piece] = node.entries
  const holder = parent.entries[0]
  if (!piece) return
  const lines = wholeLines(text, piece, own)
  if (!parent.parent || !holder) {
    const isLast = lines.to === text.length
    yield [
      {
        ...lines,
        insert:
          literal +
          (isLast && text.at(-1) !== '\n'
            ? ''
            : text.slice(lineEnd(text, piece.to), nextLine(text, piece.to))),
      },
    ]
    return
  }
  const begin = (parent.keys[0]?.to ?? holder.from) + 1
  if (lineStart(text, piece.from) <= begin) {
    yield [{ from: piece.from, to: lineEnd(text, piece.to), insert: literal }]
    return
  }
  const end = lineEnd(text, begin)
  const comment = tree.comments.find((span) => span.from >= begin && span.from < end)
  const said = text.slice(0, comment?.from ?? end).trimEnd().length
  yield [{ from: said, to: said, insert: ` ${literal}` }, lines]
}

export function moveLines(tree: Tree, first: TreeNode, second: TreeNode): Change[] | null {
  const { text } = tree
  const [one, two] = [blockOf(text, first), blockOf(text, second)]
  if (!one || !two || one.to > two.from) return null
  return [
    { ...one, insert: text.slice(two.from, two.to) },
    { ...two, insert: text.slice(one.from, one.to) },
  ]
}

function blockOf(text: string, node: TreeNode): Span | null {
  const entry = node.entries[0]
  const last = node.entries.at(-1)
  if (!entry || !last) return null
  const above = [...walk(node)].flatMap((one) => one.comments).filter((one) => one.to <= entry.from)
  const from = lineStart(text, Math.min(entry.from, ...above.map((one) => one.from)))
  const isFirst = isBlank(text.slice(lineStart(text, entry.from), entry.from))
  return isFirst ? { from, to: lineEnd(text, last.to) } : null
}
