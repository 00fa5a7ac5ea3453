import { untrack } from 'svelte'
import { type Edit, type EditResult, edit } from './model/edit.ts'
import { explained } from './model/own-comments.ts'
import { loadReader, type Reader } from './model/read-tree.ts'
import {
  type Change,
  type Format,
  isCollection,
  type ParseFailure,
  type Tree,
  type TreeNode,
  walk,
} from './model/tree.ts'

/** All offsets refer to `plain`. */
export interface TreeText {
  plain(): string
  savedPlain(): string
  change(changes: readonly Change[]): void
}

export type TreeState =
  | { kind: 'loading' }
  | { kind: 'shown'; tree: Tree }
  /** The text cannot be parsed; the last tree is shown read-only. */
  | { kind: 'broken'; why: ParseFailure; tree: Tree | null }

export interface TreeRow {
  /** Its path; stable while other values change. */
  id: string
  node: TreeNode
  level: number
  open: boolean | null
  changed: boolean
  above: string
  beside: string
}

/** Files with fewer values start fully expanded. */
const SMALL = 150

export class TreeView {
  readonly format: Format
  readonly #text: TreeText
  readonly #mayEdit: () => boolean
  #reader: Reader | null = null
  /** Duration of the last parse in ms. */
  took = 0
  #standing = $state.raw<TreeState>({ kind: 'loading' })
  #saved = $state.raw<{ text: string; tree: Tree | null }>({ text: '', tree: null })
  #toggled = $state.raw<ReadonlyMap<string, boolean>>(new Map())
  #refused = $state.raw<Exclude<EditResult, { ok: true }>['why'] | null>(null)
  wanted = $state('')
  changedOnly = $state(false)
  cursor = $state<string | null>(null)

  constructor(format: Format, text: TreeText, mayEdit: () => boolean) {
    this.format = format
    this.#text = text
    this.#mayEdit = mayEdit
  }

  async load(): Promise<void> {
    this.#reader = await loadReader(this.format)
    this.take()
  }

  get standing(): TreeState {
    return this.#standing
  }
  get refused(): Exclude<EditResult, { ok: true }>['why'] | null {
    return this.#refused
  }
  get tree(): Tree | null {
    return this.#standing.kind === 'loading' ? null : this.#standing.tree
  }
  get isInert(): boolean {
    return this.#standing.kind !== 'shown'
  }

  take(): void {
    if (!this.#reader) return
    const before = untrack(() => this.tree)
    const text = this.#text.plain()
    if (before?.text !== text || untrack(() => this.#standing.kind) !== 'shown') {
      const began = performance.now()
      const read = this.#reader(text)
      this.took = performance.now() - began
      this.#standing = read.ok
        ? { kind: 'shown', tree: read.tree }
        : { kind: 'broken', why: read.why, tree: before }
    }
    const saved = this.#text.savedPlain()
    const known = untrack(() => this.#saved)
    const read = known.text === saved ? null : this.#reader(saved)
    // Where the saved text cannot be parsed, the last one that could tells what has changed.
    const tree = read?.ok ? read.tree : (known.tree ?? untrack(() => this.tree))
    if (read || tree !== known.tree) this.#saved = { text: saved, tree }
  }

  /** Nodes by ID, with whether they differ from the saved text. */
  readonly #known = $derived.by(() => {
    const known = new Map<TreeNode, { id: string; changed: boolean }>()
    const { tree } = this
    if (!tree) return known
    const before = new Map<string, string>()
    const saved = this.#saved.tree
    if (saved) eachWithId(saved.root, '', (node, id) => void before.set(id, saidBy(node)))
    const nodes: [TreeNode, string][] = []
    eachWithId(tree.root, '', (node, id) => void nodes.push([node, id]))
    for (const [node, id] of nodes.reverse()) {
      const changed =
        before.get(id) !== saidBy(node) || node.children.some((child) => known.get(child)?.changed)
      known.set(node, { id, changed })
    }
    return known
  })

  readonly #isSmall = $derived(this.#known.size < SMALL)

  /** Nodes that match the search; null without a search. */
  readonly #found = $derived.by((): ReadonlySet<TreeNode> | null => {
    const words = this.wanted.trim().toLowerCase().split(/\s+/).filter(Boolean)
    const { tree } = this
    if (!tree || (words.length === 0 && !this.changedOnly)) return null
    const found = new Set<TreeNode>()
    const within = new Set<TreeNode>()
    for (const node of walk(tree.root)) {
      const said = `${node.key} ${node.text}`.toLowerCase()
      const isOfFound = node.parent !== null && within.has(node.parent)
      const isHit = words.length > 0 && node.parent !== null && words.every((word) => said.includes(word))
      if (words.length > 0 && !isHit && !isOfFound) continue
      // Children of a matching key match too.
      if (isHit || isOfFound) within.add(node)
      if (this.changedOnly && !this.#known.get(node)?.changed) continue
      for (let up: TreeNode | null = node; up && !found.has(up); up = up.parent) found.add(up)
    }
    return found
  })

  readonly rows: readonly TreeRow[] = $derived.by(() => {
    const { tree } = this
    const rows: TreeRow[] = []
    const found = this.#found
    const add = (node: TreeNode, level: number) => {
      if (found && !found.has(node)) return
      const { id, changed } = this.#known.get(node) ?? { id: '', changed: false }
      const canOpen = isCollection(node) && node.children.length > 0
      const open = canOpen ? (this.#toggled.get(id) ?? (found !== null || this.#isSmall || level < 2)) : null
      rows.push({ id, node, level, open, changed, ...explained(tree!.text, node) })
      if (open) for (const child of node.children) add(child, level + 1)
    }
    if (tree && isCollection(tree.root)) for (const child of tree.root.children) add(child, 1)
    else if (tree) add(tree.root, 1)
    return rows
  })

  readonly at = $derived(this.rows.findIndex((row) => row.id === this.cursor))
  readonly row: TreeRow | null = $derived(this.rows[this.at] ?? null)

  toggle(row: TreeRow, open = !row.open): void {
    if (row.open !== null) this.#toggled = new Map(this.#toggled).set(row.id, open)
  }

  go(id: string): void {
    const toggled = new Map(this.#toggled)
    const parts = id.split('/')
    for (let end = 2; end < parts.length; end += 1) toggled.set(parts.slice(0, end).join('/'), true)
    this.#toggled = toggled
    this.cursor = id
  }

  /** Returns false if the edit failed; `refused` says why. */
  do(asked: Edit): boolean {
    const wanted = this.#ofNow(asked)
    const { tree } = this
    if (!this.#mayEdit() || this.isInert || !tree || !this.#reader) return false
    const edited = wanted ? edit(tree, this.#reader, wanted) : ({ ok: false, why: 'not-here' } as const)
    if (!edited.ok) {
      this.#refused = edited.why
      return false
    }
    this.#refused = null
    this.#standing = { kind: 'shown', tree: edited.tree }
    this.#text.change(edited.changes)
    this.take()
    return true
  }

  flip(node: TreeNode): void {
    const text = node.text === 'true' ? 'false' : 'true'
    if (node.kind === 'boolean') this.do({ act: 'set', node, value: { kind: 'boolean', text } })
  }

  become(node: TreeNode, kind: 'text' | 'number' | 'boolean' | 'null'): void {
    const number = /^-?\d+(?:\.\d+)?$/.test(node.text) ? node.text : '0'
    const said = { text: node.text, number, boolean: 'false', null: '' }
    this.do({ act: 'set', node, value: { kind, text: said[kind] } })
  }

  /** Maps the edit to the current text, which may be newer than the tree. Null if the value is gone. */
  #ofNow(wanted: Edit): Edit | null {
    const id = this.#known.get(wanted.node)?.id
    if (this.tree?.text === this.#text.plain()) return id === undefined ? null : wanted
    this.take()
    const node = id === undefined ? null : this.nodeOf(id)
    return node?.kind === wanted.node.kind ? { ...wanted, node } : null
  }

  nodeOf(id: string): TreeNode | null {
    for (const [node, known] of this.#known) if (known.id === id) return node
    return null
  }

  dismiss(): void {
    this.#refused = null
  }

  idOf(node: TreeNode, child?: string): string {
    const id = this.#known.get(node)?.id ?? ''
    return child === undefined ? id : `${id}/${escaped(child)}`
  }
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

function eachWithId(node: TreeNode, id: string, take: (node: TreeNode, id: string) => void): void {
  take(node, id)
  for (const child of node.children) eachWithId(child, `${id}/${escaped(child.key)}`, take)
}

const saidBy = (node: TreeNode): string =>
  isCollection(node) ? `${node.kind} ${node.children.length}` : `${node.kind} ${node.text}`
