import { isBlank, lineEnd, lineStart } from './lines-of-text.ts'
import { type Span, type Tree, type TreeNode, walk } from './tree.ts'

/** An entry owns the comments directly above it, without an empty line between, and the one after it. */
export function giveComments(root: TreeNode, text: string, comments: readonly Span[]): void {
  const taken = new Set<Span>()
  // A header names several tables; the comment above it belongs to the last.
  const nodes = [...walk(root)].filter((node) => node.parent !== null).reverse()
  for (const node of nodes) {
    for (const entry of node.entries) {
      for (const one of commentsAbove(entry.from, text, comments, taken)) {
        taken.add(one)
        node.comments.push(one)
      }
    }
  }
  // A comment after a line belongs to the last value on it, or to the key that begins there.
  for (const node of nodes) {
    const key = node.keys[0]?.to
    const value = node.entries.at(-1)?.to
    for (const end of [key, value]) {
      if (end === undefined) continue
      const behind = commentBehind(
        end,
        end === key ? /^[ \t]*[\]:=]*[ \t]*$/ : /^[ \t]*,?[ \t]*$/,
        text,
        comments,
      )
      if (!behind || taken.has(behind)) continue
      taken.add(behind)
      node.comments.push(behind)
    }
  }
}

export function firstFrom(comments: readonly Span[], at: number): number {
  let low = 0
  let high = comments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (comments[middle]!.from < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Unclaimed comments directly above; stops at a claimed one. */
function commentsAbove(
  from: number,
  text: string,
  comments: readonly Span[],
  taken: ReadonlySet<Span>,
): Span[] {
  const above: Span[] = []
  let top = lineStart(text, from)
  // After a dash or bracket it is not the first thing on its line.
  if (!isBlank(text.slice(top, from))) return above
  for (let index = firstFrom(comments, from) - 1; index >= 0; index -= 1) {
    const comment = comments[index]!
    const start = lineStart(text, comment.from)
    const gap = text.slice(comment.to, top)
    const isAlone = isBlank(text.slice(start, comment.from))
    if (taken.has(comment) || !isAlone || !isBlank(gap) || gap.split('\n').length !== 2) break
    above.push(comment)
    top = start
  }
  return above.reverse()
}

function commentBehind(end: number, between: RegExp, text: string, comments: readonly Span[]): Span | null {
  const comment = comments[firstFrom(comments, end)]
  if (!comment || comment.from > lineEnd(text, end)) return null
  return between.test(text.slice(end, comment.from)) ? comment : null
}

export function explained(text: string, { comments }: TreeNode): { above: string; beside: string } {
  const isAbove = ({ from }: Span) => isBlank(text.slice(lineStart(text, from), from))
  return {
    above: commentText(text, comments.filter(isAbove)),
    beside: commentText(
      text,
      comments.filter((one) => !isAbove(one)),
    ),
  }
}

const SHOWN_MOST = 2000

export function commentText(text: string, comments: readonly Span[]): string {
  let said = ''
  for (const { from, to } of comments) {
    for (const line of text.slice(from, Math.min(to, from + SHOWN_MOST)).split('\n')) {
      const begun = line.replace(/^\s*(?:#+|\/\/+|\/\*+|\*(?!\/))?\s?/, '').trimEnd()
      said += `${begun.endsWith('*/') ? begun.slice(0, -2).trimEnd() : begun}\n`
      if (said.length > SHOWN_MOST) return `${said.trim().slice(0, SHOWN_MOST)} …`
    }
  }
  return said.trim()
}

export function commentsWith(tree: Tree, node: TreeNode): Span[] {
  const kept = new Set(keptComments(tree, node))
  return [...walk(node)]
    .flatMap((one) => one.comments)
    .filter((span) => !kept.has(span))
    .sort((one, other) => one.from - other.from)
}

/** The file's leading comment stays when its first value is removed. */
function keptComments(tree: Tree, node: TreeNode): Span[] {
  const [first] = node.comments
  if (!first || tree.text.slice(0, first.from).trim() !== '') return []
  const entry = node.entries[0]?.from ?? 0
  return node.comments.filter((span) => span.to <= entry)
}
