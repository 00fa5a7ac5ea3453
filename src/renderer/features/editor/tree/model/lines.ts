import { isBlank, lineEnd, lineStart, nextLine } from './lines-of-text.ts'
import { commentsWith } from './own-comments.ts'
import type { Change, Span, Tree, TreeNode } from './tree.ts'

// TOML's tables, whose entries are lines and may lie in several places.

/** Null if the collection has no place for it. */
export function addLine(tree: Tree, node: TreeNode, entry: string, ends: string): Change[] | null {
  const { text } = tree
  const last = node.children.at(-1)
  if (node.kind === 'list') {
    const piece = last?.entries[0]
    const header = piece && /^\[\[[^\r\n]*?\]\]/.exec(text.slice(piece.from))?.[0]
    if (!header || entry !== '{}') return null
    const at = lineEnd(text, last.entries.at(-1)!.to)
    return [{ from: at, to: at, insert: ends + ends + header }]
  }
  if (!node.growth) return null
  const { at, lead } = node.growth
  const isNewLine = at === 0 || text[at - 1] === '\n'
  return [{ from: at, to: at, insert: isNewLine ? lead + entry + ends : ends + lead + entry }]
}

/** Full lines including the comments above. */
export function removeLines(tree: Tree, node: TreeNode): Change[] {
  const own = commentsWith(tree, node)
  return node.entries.map((piece) => wholeLines(tree.text, piece, own))
}

/** With one of two surrounding empty lines. */
function wholeLines(text: string, piece: Span, own: readonly Span[]): Change {
  let from = lineStart(text, piece.from)
  for (const comment of own.toReversed()) {
    const start = lineStart(text, comment.from)
    if (comment.to < from && isBlank(text.slice(comment.to, from))) from = start
  }
  let to = nextLine(text, piece.to)
  // If the last line has no line break, the one before it goes.
  if (to === text.length && text[to - 1] !== '\n' && from > 0)
    return { from: text[from - 2] === '\r' ? from - 2 : from - 1, to, insert: '' }
  const isBlankBefore = from === 0 || isBlank(text.slice(lineStart(text, from - 1), from))
  if (isBlankBefore && to < text.length && isBlank(text.slice(to, lineEnd(text, to)))) to = nextLine(text, to)
  return { from, to, insert: '' }
}
