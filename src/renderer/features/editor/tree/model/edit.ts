import { keyLiterals, literals, around } from './literals.ts'
import { endOfLines } from './lines-of-text.ts'
import { addLine, moveLines, removeLines } from './lines.ts'
import { addBetween, moveBetween, removeBetween } from './between.ts'
import { commentsWith } from './own-comments.ts'
import type { Reader } from './read-tree.ts'
import {
  applied,
  type Change,
  type Fresh,
  isSame,
  type Plain,
  plainOf,
  type Scalar,
  type Span,
  type Tree,
  type TreeNode,
} from './tree.ts'

export type Edit =
  | { act: 'set'; node: TreeNode; value: Scalar }
  | { act: 'add'; node: TreeNode; key: string; value: Fresh }
  | { act: 'rename'; node: TreeNode; key: string }
  | { act: 'remove'; node: TreeNode }
  | { act: 'move'; node: TreeNode; by: 1 | -1 }

export type Edited =
  | { ok: true; changes: Change[]; text: string; tree: Tree }
  /** `not-here`: the edit would touch more of the text, so it must be done there. */
  | { ok: false; why: 'key-taken' | 'no-key' | 'not-a-number' | 'not-here' }

/** Parses every candidate again; one is accepted only if it means what was asked and keeps other comments. */
export function edit(tree: Tree, read: Reader, wanted: Edit): Edited {
  const refused = refusal(wanted)
  if (refused) return { ok: false, why: refused }
  const meant = meaning(tree, wanted)
  const comments = commentsAfter(tree, wanted)
  for (const changes of candidates(tree, wanted)) {
    if (!changes) continue
    const sorted = changes.toSorted((one, other) => one.from - other.from || one.to - other.to)
    if (sorted.some((change, index) => index > 0 && change.from < sorted[index - 1]!.to)) continue
    const text = applied(tree.text, sorted)
    const again = read(text)
    if (!again.ok || !isSame(plainOf(again.tree.root), meant)) continue
    if (commentsOf(again.tree) !== comments) continue
    return { ok: true, changes: sorted, text, tree: again.tree }
  }
  const isNumber = wanted.act === 'set' && wanted.value.kind === 'number'
  return { ok: false, why: isNumber && !wanted.node.fixed ? 'not-a-number' : 'not-here' }
}

function refusal(wanted: Edit): 'key-taken' | 'no-key' | 'not-here' | null {
  const { act, node } = wanted
  if (act === 'set') return node.fixed || node.kind === 'map' || node.kind === 'list' ? 'not-here' : null
  if (act === 'add') {
    if (node.fixed || (node.kind !== 'map' && node.kind !== 'list')) return 'not-here'
    if (node.kind === 'list') return null
    if (wanted.key === '') return 'no-key'
    return node.children.some((child) => child.key === wanted.key) ? 'key-taken' : null
  }
  if (!node.parent) return 'not-here'
  if (act === 'rename') {
    if (node.keyFixed || node.parent.kind !== 'map') return 'not-here'
    if (wanted.key === '') return 'no-key'
    const isTaken = node.parent.children.some((child) => child !== node && child.key === wanted.key)
    return isTaken ? 'key-taken' : null
  }
  if (act === 'move') return neighbor(node, wanted.by) && node.parent.kind === 'list' ? null : 'not-here'
  return null
}

function neighbor(node: TreeNode, by: 1 | -1): TreeNode | undefined {
  const list = node.parent?.children ?? []
  return list[list.indexOf(node) + by]
}

function* candidates(tree: Tree, wanted: Edit): Generator<Change[] | null> {
  const { node } = wanted
  const ends = endOfLines(tree.text)
  const inLines = (wanted.act === 'add' ? node : node.parent)?.layout === 'lines'
  if (wanted.act === 'set') {
    for (const literal of literals(wanted.value, around(tree, ends, node.parent, node))) {
      yield [setTo(tree, node, literal)]
    }
  } else if (wanted.act === 'rename') {
    const [first] = node.keys
    const written = first ? tree.text.slice(first.from, first.to) : ''
    for (const literal of keyLiterals(wanted.key, tree.format, written)) {
      yield node.keys.map((span) => ({ ...span, insert: literal }))
    }
  } else if (wanted.act === 'add') {
    const keys = node.kind === 'map' ? keyLiterals(wanted.key, tree.format, '') : [null]
    const values = literals(wanted.value, around(tree, ends, node, null))
    for (const key of keys) {
      for (const value of values) {
        const entry =
          key === null ? value : `${key}${{ yaml: ': ', toml: ' = ', json: ': ' }[tree.format]}${value}`
        if (inLines) yield addLine(tree, node, entry, ends)
        else yield* addBetween(tree, node, entry, ends)
      }
    }
  } else if (wanted.act === 'remove') {
    if (inLines) yield* removeLines(tree, node)
    else yield* removeBetween(tree, node)
  } else {
    const other = neighbor(node, wanted.by)!
    const [one, next] = wanted.by === 1 ? [node, other] : [other, node]
    if (inLines) yield moveLines(tree, one, next)
    else yield moveBetween(tree, one, next)
  }
}

function setTo(tree: Tree, node: TreeNode, literal: string): Change {
  const { from, to } = node.at
  const before = tree.text[from - 1] ?? ' '
  const isNew = from === to
  const lead = isNew && !/[\s[{(]/.test(before) ? ' ' : ''
  return { from, to, insert: lead + literal }
}

function meaning(tree: Tree, wanted: Edit): Plain {
  const target = wanted.act === 'set' || wanted.act === 'add' ? wanted.node : wanted.node.parent!
  const change = (node: TreeNode): Plain => {
    if (node !== target) {
      if (node.kind !== 'map' && node.kind !== 'list') return plainOf(node)
      return { kind: node.kind, entries: node.children.map((child) => [child.key, change(child)]) }
    }
    if (wanted.act === 'set') {
      const { kind, text } = wanted.value
      return { kind, text: kind === 'number' || kind === 'date' ? text.trim() : kind === 'null' ? '' : text }
    }
    const kind = node.kind === 'list' ? 'list' : 'map'
    let entries = node.children.map((child): [string, Plain] => [child.key, plainOf(child)])
    const at = node.children.indexOf(wanted.node)
    if (wanted.act === 'add') entries.push([wanted.key, freshPlain(wanted.value)])
    else if (wanted.act === 'rename') entries[at] = [wanted.key, entries[at]![1]]
    else if (wanted.act === 'remove') entries = entries.toSpliced(at, 1)
    else [entries[at], entries[at + wanted.by]] = [entries[at + wanted.by]!, entries[at]!]
    return { kind, entries }
  }
  return change(tree.root)
}

function freshPlain(value: Fresh): Plain {
  if (value.kind === 'map' || value.kind === 'list') return { kind: value.kind, entries: [] }
  return { kind: value.kind, text: value.kind === 'null' ? '' : value.text }
}

const commentsOf = (tree: Tree, but?: (span: Span) => boolean): string =>
  tree.comments
    .filter((span) => !but?.(span))
    .map((span) => tree.text.slice(span.from, span.to).trimEnd())
    .toSorted()
    .join('\n')

function commentsAfter(tree: Tree, wanted: Edit): string {
  if (wanted.act !== 'remove') return commentsOf(tree)
  const { entries } = wanted.node
  const own = new Set(commentsWith(tree, wanted.node).map(({ from }) => from))
  return commentsOf(tree, (span) => {
    const isWithin = entries.some((entry) => span.from >= entry.from && span.to <= entry.to)
    return isWithin || own.has(span.from)
  })
}
