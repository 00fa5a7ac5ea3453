/** A piece of a text, by offsets in UTF-16 units; `to` is the first that no longer belongs to it. */
export interface Span {
  from: number
  to: number
}

/** One replacement in a text. Several together are sorted and do not overlap; all offsets are of the text before. */
export interface Change extends Span {
  insert: string
}

export type Format = 'yaml' | 'toml' | 'json'
export type ScalarKind = 'text' | 'number' | 'boolean' | 'null' | 'date'
export type NodeKind = ScalarKind | 'alias' | 'map' | 'list'

/** What is written for a value: text decoded, everything else as the file spells it (`true` and `false` for switches). */
export interface Scalar {
  kind: ScalarKind
  text: string
}

/** A value that is added: one to fill in later, or one of these. */
export type Fresh = Scalar | { kind: 'map' } | { kind: 'list' }

/** How the entries of a collection stand in the text. */
export type Layout =
  /** Each on lines of its own. */
  | 'lines'
  /** Between brackets, with commas. */
  | 'separated'

/** Where a new entry of a collection goes whose entries have lines of their own. */
export interface Growth {
  /** The end of the line after which it goes, or the begin of a line. */
  at: number
  /** What stands before it on its line: the indentation, and a path of dotted keys. */
  lead: string
}

/** One value of the file, and where all of it stands. */
export interface TreeNode {
  kind: NodeKind
  parent: TreeNode | null
  /** Its key, or its position in a list, from 0; empty for the root. */
  key: string
  /** Where the key stands; a table of TOML may be named in several places, an item of a list in none. */
  keys: Span[]
  /** Key and value together; a table of TOML may be in several pieces. */
  entries: Span[]
  /** The value alone. */
  at: Span
  /** What a scalar says, decoded; numbers and dates as they are written. */
  text: string
  children: TreeNode[]
  layout: Layout
  growth: Growth | null
  /** Why the value cannot be changed here: it stands elsewhere, or has a type of its own. */
  fixed: 'alias' | 'tag' | null
  /** The key is more than a name. */
  keyFixed: boolean
  /** The comments above it and behind it on its line; they explain it, and go with it. */
  comments: Span[]
}

/** A file that was read. */
export interface Tree {
  format: Format
  text: string
  root: TreeNode
  /** All comments, in order. */
  comments: Span[]
}

/** Why there is no tree. `at` is an offset in the text. */
export type NoTree =
  | { kind: 'syntax'; message: string; at: number }
  | { kind: 'duplicate'; key: string; at: number }
  | { kind: 'documents'; at: number }
  | { kind: 'large' }
  | { kind: 'deep' }

export type Read = { ok: true; tree: Tree } | { ok: false; why: NoTree }

/**
 * Longer texts are not read as a tree, in UTF-16 units: a text is read on the page's own thread, at every edit. The first
 * reading of so much, the slowest, took 130 to 330 ms of YAML, 70 to 130 of TOML and 30 to 55 of JSON on a busy computer
 * of two cores, by how many values there are; most files have a tenth of it.
 */
export const MOST_TEXT: Readonly<Record<Format, number>> = {
  yaml: 128 * 1024,
  toml: 256 * 1024,
  json: 512 * 1024,
}
/** More values than these are not shown as a tree: within these it is read in some 50 ms. */
export const MOST_NODES: Readonly<Record<Format, number>> = { yaml: 1500, toml: 4000, json: 5000 }
/** More lines neither: most of them say nothing, and the parser still looks at each. */
export const MOST_LINES: Readonly<Record<Format, number>> = { yaml: 8000, toml: 16_000, json: 16_000 }
/** Deeper ones neither. */
export const MOST_DEPTH = 64

/** Thrown while a tree is built, where there is none. */
export class NoTreeError extends Error {
  readonly why: NoTree
  constructor(why: NoTree) {
    super(why.kind)
    this.why = why
  }
}

/** Makes the nodes of one tree, within its bounds. */
export class Nodes {
  readonly #most: number
  #count = 0

  constructor(format: Format) {
    this.#most = MOST_NODES[format]
  }

  make(kind: NodeKind, parent: TreeNode | null, key: string, at: Span): TreeNode {
    if (++this.#count > this.#most) throw new NoTreeError({ kind: 'large' })
    const node: TreeNode = {
      kind,
      parent,
      key,
      at,
      keys: [],
      entries: [],
      text: '',
      children: [],
      layout: 'separated',
      growth: null,
      fixed: null,
      keyFixed: false,
      comments: [],
    }
    let depth = 0
    for (let up = parent; up; up = up.parent) depth += 1
    if (depth > MOST_DEPTH) throw new NoTreeError({ kind: 'deep' })
    parent?.children.push(node)
    return node
  }
}

export function isCollection(node: TreeNode): boolean {
  return node.kind === 'map' || node.kind === 'list'
}

/** All nodes, each before those within it. */
export function* walk(node: TreeNode): Generator<TreeNode> {
  yield node
  for (const child of node.children) yield* walk(child)
}

/** What a text says, without how. */
export type Plain =
  { kind: ScalarKind | 'alias'; text: string } | { kind: 'map' | 'list'; entries: [key: string, Plain][] }

export function plainOf(node: TreeNode): Plain {
  if (node.kind !== 'map' && node.kind !== 'list') return { kind: node.kind, text: node.text }
  return { kind: node.kind, entries: node.children.map((child) => [child.key, plainOf(child)]) }
}

/** Whether two texts say the same. The order of keys says nothing, that of a list does. */
export function isSame(one: Plain, other: Plain): boolean {
  if (one.kind !== other.kind) return false
  if (!('entries' in one) || !('entries' in other)) {
    return 'text' in one && 'text' in other && one.text === other.text
  }
  if (one.entries.length !== other.entries.length) return false
  if (one.kind === 'list') {
    return one.entries.every(([, value], index) => isSame(value, other.entries[index]![1]))
  }
  const there = new Map(other.entries)
  return one.entries.every(([key, value]) => {
    const same = there.get(key)
    return same !== undefined && isSame(value, same)
  })
}

/** The text with the changes in it. */
export function applied(text: string, changes: readonly Change[]): string {
  let result = ''
  let at = 0
  for (const { from, to, insert } of changes) {
    result += text.slice(at, from) + insert
    at = to
  }
  return result + text.slice(at)
}
