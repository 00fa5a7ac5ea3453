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
import { giveComments } from './own-comments.ts'
import {
  MOST_DEPTH,
  MOST_NODES,
  type NodeKind,
  Nodes,
  NoTreeError,
  type Span,
  type Tree,
  type TreeNode,
} from './tree.ts'
import { yamlSpelling } from './yaml-spelling.ts'

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
  const { document, comments } = parse(text)
  const root = new Builder(text, new Nodes('yaml')).root(document)
  giveComments(root, text, comments)
  return { format: 'yaml', spelling: yamlSpelling, text, root, comments }
}

/** Parses the single document and stops at the first error; garbage has one per character. */
function parse(text: string): { document: Document; comments: Span[] } {
  const parser = new Parser()
  const composer = new Composer(OPTIONS)
  const comments: Span[] = []
  let only: Document | null = null
  const take = (documents: Iterable<Document>) => {
    for (const document of documents) {
      const [error] = document.errors
      if (error) throw wrong(error.message, error.pos[0])
      if (only) throw new NoTreeError({ kind: 'documents', at: document.range?.[0] ?? 0 })
      only = document
    }
  }
  const compose = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) {
      if (token.type === 'error') throw wrong(token.message, token.offset)
      take(composer.next(token))
    }
  }
  for (const lexeme of boundedLexemes(text, comments)) compose(parser.next(lexeme))
  compose(parser.end())
  take(composer.end(true, text.length))
  return { document: only as unknown as Document, comments }
}

const wrong = (message: string, at: number) =>
  new NoTreeError(
    /call stack/.test(message) ? { kind: 'deep' } : { kind: 'syntax', message: message.slice(0, 200), at },
  )

/** Lexemes per shown value: key, colon, text, dash, comma, bracket, anchor or tag. */
const LEXEMES = 5

/** Throws if there are too many values or brackets, before they are built. */
function* boundedLexemes(text: string, comments: Span[]): Generator<string> {
  let [at, count, depth, isScalar] = [0, 0, 0, false]
  for (const lexeme of new Lexer().lex(text)) {
    yield lexeme
    // Control characters are markers, which are not in the text.
    const isMarker = /^[\u0002\u0018\u001f]$/.test(lexeme) // eslint-disable-line no-control-regex
    if (!isMarker && !isScalar) {
      if (lexeme.startsWith('#')) comments.push({ from: at, to: at + lexeme.length })
      else if (lexeme === '[' || lexeme === '{') depth++
      else if (lexeme === ']' || lexeme === '}') depth--
      if (depth > MOST_DEPTH) throw new NoTreeError({ kind: 'deep' })
      if (/^[^\s#]/.test(lexeme) && ++count > LEXEMES * MOST_NODES.yaml)
        throw new NoTreeError({ kind: 'large' })
    }
    if (!isMarker) at += lexeme.length
    isScalar = lexeme === '\u001f'
  }
}

const kinds: Partial<Record<string, NodeKind>> = { boolean: 'boolean', number: 'number', bigint: 'number' }

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
        throw wrong(`Unresolved alias ${found.source}`, node.at.from)
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
    const kind = value === null ? 'null' : (kinds[typeof value] ?? 'text')
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

  /** A block collection ends with its last entry. */
  #bounded(node: TreeNode): TreeNode {
    if (node.layout !== 'lines') return node
    const last = node.children.at(-1)?.entries.at(-1)
    const first = node.children[0]?.entries[0]
    if (!last || !first) return node
    node.at = { from: first.from, to: last.to }
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
