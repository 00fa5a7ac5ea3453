import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import { indentAt, lineEnd, lineStart } from './lines-of-text.ts'
import { giveComments } from './own-comments.ts'
import { tomlSpelling } from './spelling.ts'
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

/** Tables named in several places become one value with several pieces. Throws `NoTreeError`. */
export function readToml(text: string): Tree {
  requireFew(text)
  const program = parse(text)
  const [top] = program.body
  const comments = program.comments.map((comment) => spanOf(comment))
  const builder = new Builder(text, new Nodes('toml'))
  const root = builder.root(top.body)
  giveComments(root, text, comments)
  return { format: 'toml', spelling: tomlSpelling, text, root, comments }
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text)
  } catch (thrown) {
    if (!(thrown instanceof ParseError)) throw thrown
    throw new NoTreeError({ kind: 'syntax', message: thrown.message, at: thrown.index })
  }
}

/** Unterminated quotes end at their line, so matching stays linear. */
const TOKEN =
  /"""(?:[^\\]|\\.)*?(?:"""|$)|'''.*?(?:'''|$)|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?|#[^\n]*|[[\]{},=]/gs

/** The parser takes long for many values, and recurses. */
function requireFew(text: string): void {
  let [depth, values] = [0, 0]
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ',' || token === '=') values++
    else if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > MOST_DEPTH) throw new NoTreeError({ kind: 'deep' })
    if (values > MOST_NODES.toml) throw new NoTreeError({ kind: 'large' })
  }
}

const spanOf = ({ range }: { range: readonly [number, number] | number[] }): Span => ({
  from: range[0],
  to: range[1],
})

const kinds: Record<string, NodeKind> = {
  string: 'text',
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
}

class Builder {
  readonly #text: string
  readonly #nodes: Nodes

  constructor(text: string, nodes: Nodes) {
    this.#text = text
    this.#nodes = nodes
  }

  root(body: readonly (AST.TOMLKeyValue | AST.TOMLTable)[]): TreeNode {
    const root = this.#nodes.make('map', null, '', { from: 0, to: this.#text.length })
    root.layout = 'lines'
    const first = body.find((one) => one.type === 'TOMLTable')
    root.entries = [root.at]
    root.growth = this.#beforeTables(first)
    for (const one of body) {
      if (one.type === 'TOMLKeyValue') this.#keyValue(one, root, root)
      else this.#table(one, root)
    }
    return root
  }

  /** Root values go before the first table, after the file's leading comment. */
  #beforeTables(first: AST.TOMLTable | undefined): { at: number; lead: string } {
    if (!first) return { at: this.#text.length, lead: '' }
    const before = this.#text.slice(0, lineStart(this.#text, first.range[0]))
    // A comment directly above the table belongs to it.
    const gap = /^(?:.*\n)*?(?=[ \t]*\r?\n(?:[ \t]*#.*\n)*$)/.exec(before)
    return { at: gap ? gap[0].length : 0, lead: '' }
  }

  #table(table: AST.TOMLTable, root: TreeNode): void {
    const piece = spanOf(table)
    const names = table.key.keys
    let node = root
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1
      const wanted = isLast && table.kind === 'array' ? 'list' : 'map'
      node = this.#within(node, name, wanted, piece)
      if (node.kind !== 'list') continue
      if (isLast) {
        const item = this.#nodes.make('map', node, String(node.children.length), piece)
        item.layout = 'lines'
        item.entries = [piece]
        node = item
      } else {
        node = node.children.at(-1) ?? node
        this.#add(node.entries, piece)
      }
    }
    const header = table.key.range[1]
    node.growth = { at: lineEnd(this.#text, header), lead: indentAt(this.#text, piece.from) }
    for (const one of table.body) this.#keyValue(one, node, node)
  }

  #within(
    parent: TreeNode,
    name: AST.TOMLBare | AST.TOMLQuoted,
    kind: 'map' | 'list',
    piece: Span,
  ): TreeNode {
    const key = nameOf(name)
    let node = parent.children.find((child) => child.key === key)
    if (!node) {
      node = this.#nodes.make(kind, parent, key, piece)
      node.layout = 'lines'
    }
    node.keys.push(spanOf(name))
    this.#add(node.entries, piece)
    return node
  }

  #add(entries: Span[], piece: Span): void {
    if (entries.at(-1)?.from !== piece.from) entries.push(piece)
  }

  #keyValue(found: AST.TOMLKeyValue, parent: TreeNode, table: TreeNode | null): void {
    const piece = spanOf(found)
    const names = found.key.keys
    let node = parent
    const growing: [TreeNode, string][] = []
    for (const [index, name] of names.entries()) {
      if (index === names.length - 1) break
      node = this.#within(node, name, 'map', piece)
      if (!table) node.layout = 'separated'
      const path = this.#text.slice(found.range[0], names[index + 1]!.range[0])
      growing.push([node, path])
    }
    const last = names.at(-1)!
    const child = this.#value(found.value, node, nameOf(last))
    child.keys = [spanOf(last)]
    child.entries = [piece]
    if (!table) return
    const at = lineEnd(this.#text, piece.to)
    const lead = indentAt(this.#text, piece.from)
    table.growth = { at, lead }
    for (const [within, path] of growing) within.growth = { at, lead: lead + path }
  }

  #value(found: AST.TOMLContentNode, parent: TreeNode, key: string): TreeNode {
    const at = spanOf(found)
    if (found.type === 'TOMLArray') {
      const node = this.#nodes.make('list', parent, key, at)
      for (const [index, item] of found.elements.entries()) {
        const child = this.#value(item, node, String(index))
        child.entries = [child.at]
      }
      return node
    }
    if (found.type === 'TOMLInlineTable') {
      const node = this.#nodes.make('map', parent, key, at)
      for (const one of found.body) this.#keyValue(one, node, null)
      return node
    }
    const kind = kinds[found.kind] ?? 'date'
    const node = this.#nodes.make(kind, parent, key, at)
    node.text = kind === 'text' || kind === 'boolean' ? String(found.value) : this.#text.slice(at.from, at.to)
    return node
  }
}

function nameOf(name: AST.TOMLBare | AST.TOMLQuoted): string {
  return name.type === 'TOMLBare' ? name.name : name.value
}
