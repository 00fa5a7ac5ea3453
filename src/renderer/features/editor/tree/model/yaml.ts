import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  Parser,
  type Scalar,
  type ScalarTag,
  type Tags,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { indentAt, lineEnd, lineStart } from './lines-of-text.ts'
import { giveComments } from './own-comments.ts'
import { MOST_NODES, type NodeKind, Nodes, NoTreeError, type Span, type Tree, type TreeNode } from './tree.ts'

/** Servers read YAML 1.1, where these are booleans too. */
const yesNo: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/,
  resolve: (source) => /^(?:yes|on)$/i.test(source),
}

const OPTIONS = {
  keepSourceTokens: true,
  uniqueKeys: false,
  merge: false,
  logLevel: 'error',
  prettyErrors: false,
  customTags: (tags: Tags) => [yesNo, ...tags],
} as const

/** Aliases are read-only values, tags are only noted, merge keys are normal keys. Throws `NoTreeError`. */
export function readYaml(text: string): Tree {
  const builder = new Builder(text, new Nodes('yaml'))
  const root = builder.root(documentOf(text))
  const comments = commentsOf(text)
  giveComments(root, text, comments)
  return { format: 'yaml', text, root, comments }
}

/** Parses the single document and stops at the first error; garbage has one per character. */
function documentOf(text: string): Document {
  const composer = new Composer(OPTIONS)
  let only: Document | null = null
  const take = (documents: Iterable<Document>) => {
    for (const document of documents) {
      const [error] = document.errors
      if (error) throw wrong(error.message, error.pos[0])
      if (only) throw new NoTreeError({ kind: 'documents', at: document.range?.[0] ?? 0 })
      only = document
    }
  }
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error') throw wrong(token.message, token.offset)
    if (token.type === 'document') requireFew(token)
    take(composer.next(token))
  }
  take(composer.end(true, text.length))
  return only as unknown as Document
}

const wrong = (message: string, at: number) =>
  new NoTreeError(/call stack/.test(message) ? { kind: 'deep' } : { kind: 'syntax', message, at })

const SILENT = new Set(['space', 'newline', 'comment'])
/** Tokens per shown value: list or map item, dash or colon, comma, anchor or tag. */
const SIGNS = 4

/** Throws if there are too many values, before they are built: each misplaced token creates an error too. */
function requireFew(document: CST.Document): void {
  let count = 0
  const see = (signs: readonly CST.SourceToken[] = []) => {
    for (const { type } of signs) if (!SILENT.has(type)) count++
    if (count > SIGNS * MOST_NODES.yaml) throw new NoTreeError({ kind: 'large' })
  }
  see(document.end)
  const tokens: (CST.Token | null | undefined)[] = [document.value]
  while (tokens.length > 0) {
    const token = tokens.pop()
    if (!token) continue
    if ('end' in token) see(token.end)
    if (!('items' in token)) continue
    for (const { start, key, sep, value } of token.items) {
      count++
      see(start)
      see(sep)
      tokens.push(key, value)
    }
  }
}

type Token = { type: string; offset: number; source?: string }
type Item = { start?: Token[]; key?: { offset: number }; sep?: Token[] }

class Builder {
  readonly #text: string
  readonly #nodes: Nodes
  readonly #anchors = new Set<string>()

  constructor(text: string, nodes: Nodes) {
    this.#text = text
    this.#nodes = nodes
  }

  root(document: Document): TreeNode {
    const { contents } = document
    if (contents !== null && !isNothing(contents)) {
      const node = this.#build(contents, null, '', 0)
      node.entries = [node.at]
      return node
    }
    // The first entry turns an empty file into a map.
    const at = this.#text.length
    const node = this.#nodes.make('map', null, '', { from: at, to: at })
    node.layout = 'lines'
    node.growth = { at, lead: '' }
    if (document.directives?.docStart || document.directives?.docEnd) node.growth = null
    return node
  }

  /** @param empty offset for a missing value */
  #build(found: unknown, parent: TreeNode | null, key: string, empty: number): TreeNode {
    if (isNode(found) && 'anchor' in found && found.anchor) this.#anchors.add(found.anchor)
    if (isMap(found)) return this.#map(found, parent, key)
    if (isSeq(found)) return this.#list(found, parent, key)
    if (isAlias(found)) {
      const node = this.#nodes.make('alias', parent, key, spanOf(found.range))
      node.text = found.source
      // Only checks that the anchor exists.
      if (!this.#anchors.has(found.source)) {
        throw new NoTreeError({
          kind: 'syntax',
          message: `Unresolved alias ${found.source}`,
          at: node.at.from,
        })
      }
      node.fixed = 'alias'
      return node
    }
    const scalar = found as Scalar | null
    if (!scalar || isNothing(scalar)) {
      const node = this.#nodes.make('null', parent, key, { from: empty, to: empty })
      if (scalar?.anchor || scalar?.tag) node.fixed = 'tag'
      return node
    }
    const at = spanOf(scalar.range)
    // A block scalar ends with its last non-empty line.
    if (scalar.type === 'BLOCK_LITERAL' || scalar.type === 'BLOCK_FOLDED') {
      at.to = at.from + this.#text.slice(at.from, at.to).trimEnd().length
    }
    const { value } = scalar
    const kind: NodeKind =
      value === null
        ? 'null'
        : typeof value === 'boolean'
          ? 'boolean'
          : typeof value === 'number' || typeof value === 'bigint'
            ? 'number'
            : 'text'
    const node = this.#nodes.make(kind, parent, key, at)
    node.text = kind === 'text' || kind === 'boolean' ? String(value) : ''
    if (kind === 'number') node.text = this.#text.slice(at.from, at.to)
    if (scalar.tag !== undefined) node.fixed = 'tag'
    return node
  }

  #map(found: YAMLMap, parent: TreeNode | null, key: string): TreeNode {
    const node = this.#nodes.make('map', parent, key, spanOf(found.range))
    if (found.srcToken?.type !== 'block-map') node.layout = 'separated'
    else node.layout = 'lines'
    if (found.tag !== undefined) node.fixed = 'tag'
    const known = new Set<string>()
    for (const pair of found.items) {
      const child = this.#pair(pair, node)
      if (known.has(child.key)) {
        throw new NoTreeError({ kind: 'duplicate', key: child.key, at: child.entries[0]!.from })
      }
      known.add(child.key)
    }
    return this.#bounded(node)
  }

  #pair(pair: Pair, node: TreeNode): TreeNode {
    const item = (pair as unknown as { srcToken?: Item }).srcToken
    const name = isScalar(pair.key) ? pair.key : null
    const from = item?.key?.offset ?? name?.range?.[0] ?? node.at.from
    const colon = item?.sep?.find((token) => token.type === 'map-value-ind')
    const range = name ? spanOf(name.range) : { from, to: colon?.offset ?? from }
    const written = this.#text.slice(range.from, range.to).trim()
    const isQuoted = name?.type === 'QUOTE_DOUBLE' || name?.type === 'QUOTE_SINGLE'
    const called = name && isQuoted ? String(name.value) : written
    const child = this.#build(pair.value, node, called, colon ? colon.offset + 1 : range.to)
    child.keys = [range]
    // Not plain: explicit keys (`?`), anchors, tags, or collections as keys.
    const isPlain = name && !name.anchor && name.tag === undefined && colon
    child.keyFixed = !isPlain || (item?.start ?? []).some((token) => token.type === 'explicit-key-ind')
    if (child.keyFixed && !colon) child.fixed ??= 'tag'
    child.entries = [{ from: range.from, to: Math.max(colon ? colon.offset + 1 : range.to, child.at.to) }]
    return child
  }

  #list(found: YAMLSeq, parent: TreeNode | null, key: string): TreeNode {
    const node = this.#nodes.make('list', parent, key, spanOf(found.range))
    const source = found.srcToken as { type: string; items: Item[] } | undefined
    node.layout = source?.type === 'block-seq' ? 'lines' : 'separated'
    if (found.tag !== undefined) node.fixed = 'tag'
    for (const [index, item] of found.items.entries()) {
      const dash = source?.items[index]?.start?.find((token) => token.type === 'seq-item-ind')
      const child = this.#build(item, node, String(index), dash ? dash.offset + 1 : node.at.from)
      child.entries = [
        dash ? { from: dash.offset, to: Math.max(dash.offset + 1, child.at.to) } : { ...child.at },
      ]
      // A single-pair map in a flow list has no source of its own, so nothing can be added to it.
      if (!dash && isMap(item) && !item.srcToken) child.fixed = 'tag'
    }
    return this.#bounded(node)
  }

  /** A block collection ends with its last entry and grows after that line. */
  #bounded(node: TreeNode): TreeNode {
    if (node.layout !== 'lines') return node
    const last = node.children.at(-1)?.entries.at(-1)
    const first = node.children[0]?.entries[0]
    if (!last || !first) return node
    node.at = { from: first.from, to: last.to }
    const column = first.from - lineStart(this.#text, first.from)
    const lead = indentAt(this.#text, first.from).padEnd(column, ' ').slice(0, column)
    node.growth = { at: lineEnd(this.#text, last.to), lead }
    return node
  }
}

function isNothing(found: unknown): boolean {
  return isScalar(found) && found.value === null && (found.range?.[0] ?? 0) === (found.range?.[1] ?? 0)
}

const spanOf = (range: readonly number[] | null | undefined): Span => ({
  from: range?.[0] ?? 0,
  to: range?.[1] ?? 0,
})

function commentsOf(text: string): Span[] {
  const comments: Span[] = []
  let at = 0
  let isScalarNext = false
  for (const token of new Lexer().lex(text)) {
    // The lexer emits control characters as markers, which are not in the text.
    if (token === '\u001f') isScalarNext = true
    else if (token === '\u0002' || token === '\u0018') continue
    else {
      if (token.startsWith('#') && !isScalarNext) comments.push({ from: at, to: at + token.length })
      isScalarNext = false
      at += token.length
    }
  }
  return comments
}
