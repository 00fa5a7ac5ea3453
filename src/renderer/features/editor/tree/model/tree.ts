/** Offsets in UTF-16 units; `to` is exclusive. */
export interface Span {
  from: number
  to: number
}

/** A replacement. Several are sorted, don't overlap, and use offsets of the original text. */
export interface Change extends Span {
  insert: string
}

export type Format = 'yaml' | 'toml' | 'json'
export type ScalarKind = 'text' | 'number' | 'boolean' | 'null' | 'date'
export type NodeKind = ScalarKind | 'alias' | 'map' | 'list'

/** Text is decoded, everything else as spelled in the file (booleans as `true` and `false`). */
export interface Scalar {
  kind: ScalarKind
  text: string
}

export type NewValue = Scalar | { kind: 'map' } | { kind: 'list' }

export type Layout =
  | 'lines'
  /** Between brackets, with commas. */
  | 'separated'

/** Where a new line goes in TOML's tables, and in an empty YAML file. */
export interface InsertionPoint {
  /** The end of the line to append after, or the start of a line. */
  at: number
  /** Indentation and dotted key prefix of the new line. */
  lead: string
}

export interface TreeNode {
  kind: NodeKind
  parent: TreeNode | null
  /** The key, or the index in a list; empty for the root. */
  key: string
  /** Positions of the key: several for a TOML table named repeatedly, none for list items. */
  keys: Span[]
  /** Key and value; a TOML table may have several pieces. */
  entries: Span[]
  at: Span
  /** Scalars decoded; numbers and dates as written. */
  text: string
  children: TreeNode[]
  layout: Layout
  growth: InsertionPoint | null
  /** Why the value is read-only: it is an alias or has a custom type. */
  fixed: 'alias' | 'tag' | null
  /** The key is more than a plain name. */
  keyFixed: boolean
  comments: Span[]
}

/** Possible spellings, closest to `former` first; it is empty for what is new. */
export interface Spelling {
  /** @param lead the line break and indentation before further lines */
  text(text: string, former: string, lead: string): string[]
  key(key: string, former: string): string[]
}

export interface Tree {
  format: Format
  spelling: Spelling
  text: string
  root: TreeNode
  comments: Span[]
}

/** `at` is an offset in the text. */
export type ParseFailure =
  | { kind: 'syntax'; message: string; at: number }
  | { kind: 'duplicate'; key: string; at: number }
  | { kind: 'documents'; at: number }
  | { kind: 'large' }
  | { kind: 'deep' }

export type ParseResult = { ok: true; tree: Tree } | { ok: false; why: ParseFailure }

/**
 * In UTF-16 units. Texts are parsed on the UI thread at every edit; on a busy dual-core the first parse of this size
 * took 130 to 330 ms for YAML, 70 to 130 for TOML and 30 to 55 for JSON.
 */
export const MOST_TEXT: Readonly<Record<Format, number>> = {
  yaml: 128 * 1024,
  toml: 256 * 1024,
  json: 512 * 1024,
}
/** Parsing this many values takes about 50 ms. */
export const MOST_NODES: Readonly<Record<Format, number>> = { yaml: 1500, toml: 4000, json: 5000 }
/** Lines without values cost parsing time too. */
export const MOST_LINES: Readonly<Record<Format, number>> = { yaml: 8000, toml: 16_000, json: 16_000 }
export const MOST_DEPTH = 64

export class NoTreeError extends Error {
  readonly why: ParseFailure
  constructor(why: ParseFailure) {
    super(why.kind)
    this.why = why
  }
}

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

/** Parents before children. */
export function* walk(node: TreeNode): Generator<TreeNode> {
  yield node
  for (const child of node.children) yield* walk(child)
}

export function applied(text: string, changes: readonly Change[]): string {
  let result = ''
  let at = 0
  for (const { from, to, insert } of changes) {
    result += text.slice(at, from) + insert
    at = to
  }
  return result + text.slice(at)
}
