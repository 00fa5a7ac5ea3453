import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { giveComments } from './own-comments.ts'
import { jsonSpelling } from './spelling.ts'
import { type NodeKind, Nodes, NoTreeError, type Span, type Tree, type TreeNode } from './tree.ts'

/** The library's `SyntaxKind` is a const enum, absent at run time. */
const tokens = { line: 12, block: 13, end: 17 }

/** Reads JSON with comments and trailing commas. Throws `NoTreeError`. */
export function readJson(text: string): Tree {
  const errors: ParseError[] = []
  // Stop at the first error; garbage has one per character.
  errors.push = (error) => {
    throw wrong(printParseErrorCode(error.error), error.offset)
  }
  // Skip the byte order mark.
  const read = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const found = parseTree(read, errors, { allowTrailingComma: true, disallowComments: false })
  if (!found) throw wrong('ValueExpected', text.length)
  const comments = commentsOf(read)
  const nodes = new Nodes('json')
  const root = build(found, null, '', nodes, read)
  giveComments(root, text, comments)
  return { format: 'json', spelling: jsonSpelling, text, root, comments }
}

const wrong = (message: string, at: number) => new NoTreeError({ kind: 'syntax', message, at })

const spanOf = (node: Node): Span => ({ from: node.offset, to: node.offset + node.length })

const kinds: Record<string, NodeKind> = {
  object: 'map',
  array: 'list',
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function build(found: Node, parent: TreeNode | null, key: string, nodes: Nodes, text: string): TreeNode {
  const node = nodes.make(kinds[found.type] ?? 'null', parent, key, spanOf(found))
  node.entries = [node.at]
  if (found.type === 'object') {
    const known = new Set<string>()
    for (const property of found.children ?? []) {
      const [name, value] = property.children ?? []
      if (!name || !value) continue
      const called = String(name.value)
      if (known.has(called)) throw new NoTreeError({ kind: 'duplicate', key: called, at: name.offset })
      known.add(called)
      const child = build(value, node, called, nodes, text)
      child.keys = [spanOf(name)]
      child.entries = [{ from: name.offset, to: value.offset + value.length }]
    }
  } else if (found.type === 'array') {
    for (const [index, item] of (found.children ?? []).entries())
      build(item, node, String(index), nodes, text)
  } else if (found.type === 'number') node.text = text.slice(node.at.from, node.at.to)
  else node.text = found.value === null ? '' : String(found.value)
  return node
}

function commentsOf(text: string): Span[] {
  const scanner = createScanner(text, false)
  const comments: Span[] = []
  for (let kind: number = scanner.scan(); kind !== tokens.end; kind = scanner.scan()) {
    if (kind !== tokens.line && kind !== tokens.block) continue
    const from = scanner.getTokenOffset()
    comments.push({ from, to: from + scanner.getTokenLength() })
  }
  return comments
}
