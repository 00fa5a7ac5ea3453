import { addLine, removeLines } from './lines.ts'
import { columnOf, endOfLines } from './lines-of-text.ts'
import { commentsWith } from './own-comments.ts'
import { addPiece, movePiece, removePiece } from './pieces.ts'
import type { Reader } from './read-tree.ts'
import { valueSpellings } from './spelling.ts'
import {
  applied,
  type Change,
  type NewValue,
  isCollection,
  type Scalar,
  type Span,
  type Tree,
  type TreeNode,
} from './tree.ts'

export type Edit =
  | { act: 'set'; node: TreeNode; value: Scalar }
  | { act: 'add'; node: TreeNode; key: string; value: NewValue }
  | { act: 'rename'; node: TreeNode; key: string }
  | { act: 'remove'; node: TreeNode }
  | { act: 'move'; node: TreeNode; by: 1 | -1 }

export type EditResult =
  | { ok: true; changes: Change[]; text: string; tree: Tree }
  /** `not-here`: the edit would touch more of the text, so it must be done there. */
  | { ok: false; why: 'key-taken' | 'no-key' | 'not-a-number' | 'not-here' }

/** Parses every candidate again; one is accepted only if it means what was asked and keeps other comments. */
export function edit(tree: Tree, read: Reader, wanted: Edit): EditResult {
  const refused = refusal(wanted)
  if (refused) return { ok: false, why: refused }
  const meant = JSON.stringify(meaning(tree.root, wanted))
  const comments = commentsAfter(tree, wanted)
  for (const changes of candidates(tree, wanted)) {
    if (!changes) continue
    const sorted = changes.toSorted((one, other) => one.from - other.from || one.to - other.to)
    if (sorted.some(({ from, to }, index) => to < from || from < (sorted[index - 1]?.to ?? 0))) continue
    const text = applied(tree.text, sorted)
    const again = read(text)
    if (!again.ok || JSON.stringify(meaning(again.tree.root)) !== meant) continue
    if (commentsOf(again.tree) !== comments) continue
    return { ok: true, changes: sorted, text, tree: again.tree }
  }
  const isNumber = wanted.act === 'set' && wanted.value.kind === 'number'
  return { ok: false, why: isNumber && !wanted.node.fixed ? 'not-a-number' : 'not-here' }
}

function refusal(wanted: Edit): 'key-taken' | 'no-key' | 'not-here' | null {
  const { act, node } = wanted
  if (act === 'set') return node.fixed || isCollection(node) ? 'not-here' : null
  if (act === 'add') {
    if (node.fixed || !isCollection(node)) return 'not-here'
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
  const collection = wanted.act === 'add' ? node : node.parent
  const inLines = collection?.layout === 'lines' && (tree.format === 'toml' || collection.growth !== null)
  const spelled = (value: NewValue, old: TreeNode | null) => {
    const column = columnOf(tree.text, (old ?? node.children[0])?.entries[0]?.from ?? 0)
    return valueSpellings(tree, value, old, ends + ' '.repeat(column + 2))
  }
  if (wanted.act === 'set') {
    for (const value of spelled(wanted.value, node)) yield [setTo(tree, node, value)]
  } else if (wanted.act === 'rename') {
    const [first] = node.keys
    const written = first ? tree.text.slice(first.from, first.to) : ''
    for (const key of tree.spelling.key(wanted.key, written))
      yield node.keys.map((span) => ({ ...span, insert: key }))
  } else if (wanted.act === 'add') {
    const sign = tree.format === 'toml' ? ' = ' : ': '
    const keys = node.kind === 'map' ? tree.spelling.key(wanted.key, '').map((key) => key + sign) : ['']
    for (const key of keys) {
      for (const value of spelled(wanted.value, null)) {
        if (inLines) yield addLine(tree, node, key + value, ends)
        else yield* addPiece(tree, node, key + value, ends)
      }
    }
  } else if (wanted.act === 'remove') {
    if (inLines) yield removeLines(tree, node)
    else yield* removePiece(tree, node, ends)
  } else yield* movePiece(tree, node, wanted.by, ends)
}

function setTo(tree: Tree, node: TreeNode, literal: string): Change {
  const { from, to } = node.at
  const before = tree.text[from - 1] ?? ' '
  const isNew = from === to
  const lead = isNew && !/[\s[{(]/.test(before) ? ' ' : ''
  return { from, to, insert: lead + literal }
}

/** What a value says, after an edit. The order of keys is ignored. */
function meaning(node: TreeNode, wanted?: Edit): unknown {
  if (wanted?.act === 'set' && node === wanted.node) return meaningOf(wanted.value)
  if (!isCollection(node)) return meaningOf(node)
  let entries = node.children.map((child): [string, unknown] => [child.key, meaning(child, wanted)])
  if (wanted?.act === 'add' && node === wanted.node) entries.push([wanted.key, meaningOf(wanted.value)])
  else if (wanted && wanted.act !== 'add' && node === wanted.node.parent) {
    const at = node.children.indexOf(wanted.node)
    if (wanted.act === 'rename') entries[at]![0] = wanted.key
    else if (wanted.act === 'remove') entries = entries.toSpliced(at, 1)
    else if (wanted.act === 'move')
      [entries[at], entries[at + wanted.by]] = [entries[at + wanted.by]!, entries[at]!]
  }
  if (node.kind === 'list') return ['list', entries.map(([, value]) => value)]
  return ['map', entries.toSorted(([one], [other]) => (one < other ? -1 : 1))]
}

function meaningOf(value: NewValue | TreeNode): unknown {
  if (!('text' in value)) return [value.kind, []]
  const { kind, text } = value
  return [kind, kind === 'null' ? '' : kind === 'text' ? text : text.trim()]
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
