import { type Edit, edit } from '../../editor/tree/model/edit.ts'
import { type Reader } from '../../editor/tree/model/read-tree.ts'
import type { Tree, TreeNode } from '../../editor/tree/model/tree.ts'

export const VELOCITY_FILE = 'velocity.toml'

export const modes = ['modern', 'bungeeguard', 'legacy', 'none'] as const
export type Mode = (typeof modes)[number]

/** Flattened for field-by-field merging: `mode`, `try`, `server NAME` (address), `host NAME` (servers). */
export type Values = ReadonlyMap<string, Value>
export type Value = string | readonly string[]
export type Changes = ReadonlyMap<string, Value | null>

export const serverKey = (name: string): string => `server ${name}`
export const hostKey = (name: string): string => `host ${name}`
export function nameIn(key: string, kind: 'server' | 'host'): string | null {
  return key.startsWith(`${kind} `) ? key.slice(kind.length + 1) : null
}

export const isSameValue = (one: Value | null | undefined, other: Value | null | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const child = (node: TreeNode | undefined, key: string): TreeNode | undefined =>
  node?.children.find((one) => one.key === key)

export interface RelatedSettings {
  onlineMode: boolean
  /** Null if the secret is stored elsewhere or referenced by a path. */
  secretFile: string | null
}

export function besideIn({ root }: Tree): RelatedSettings {
  const file = child(root, 'forwarding-secret-file')?.text ?? 'forwarding.secret'
  return {
    onlineMode: child(root, 'online-mode')?.text !== 'false',
    secretFile: /^[\w-][\w.-]*$/.test(file) ? file : null,
  }
}

/** Values of unexpected types are left out, and stay in the file. */
export function valuesIn({ root }: Tree): Values {
  const values = new Map<string, Value>()
  const mode = child(root, 'player-info-forwarding-mode')?.text.toLowerCase() ?? 'none'
  values.set('mode', mode)
  const servers = child(root, 'servers')
  for (const node of servers?.children ?? []) {
    if (node.key !== 'try' && node.kind === 'text') values.set(serverKey(node.key), node.text)
  }
  values.set('try', textsOf(child(servers, 'try')))
  for (const node of child(root, 'forced-hosts')?.children ?? []) {
    if (node.kind === 'list' || node.kind === 'text') values.set(hostKey(node.key), textsOf(node))
  }
  return values
}

function textsOf(node: TreeNode | undefined): string[] {
  if (node?.kind === 'text') return [node.text]
  const texts = node?.kind === 'list' ? node.children.filter(({ kind }) => kind === 'text') : []
  return [...new Set(texts.map(({ text }) => text))]
}

/** Keeps every other byte; null if that is impossible. */
export function withValues(text: string, read: Reader, changes: Changes): string | null {
  const writer = Writer.of(text, read)
  if (!writer) return null
  // A server must exist before it is referenced, and be removed after its references.
  const order = ['server ', 'mode', 'try', 'host ']
  const rank = ([key, value]: [string, Value | null]) =>
    (value === null && key.startsWith('server ') ? order.length : 0) +
    order.findIndex((one) => key.startsWith(one))
  for (const [key, value] of [...changes].toSorted((one, other) => rank(one) - rank(other)))
    if (!writer.put(key, value)) return null
  return writer.text
}

/** Changes a text step by step, verifying each step by parsing. */
class Writer {
  readonly #read: Reader
  #tree: Tree

  private constructor(read: Reader, tree: Tree) {
    this.#read = read
    this.#tree = tree
  }

  static of(text: string, read: Reader): Writer | null {
    const found = read(text)
    return found.ok ? new Writer(read, found.tree) : null
  }

  get text(): string {
    return this.#tree.text
  }

  put(key: string, value: Value | null): boolean {
    if (key === 'mode') return this.#set([], 'player-info-forwarding-mode', value)
    if (key === 'try') return this.#set(['servers'], 'try', value)
    const server = nameIn(key, 'server')
    if (server !== null) return this.#set(['servers'], server, value)
    const host = nameIn(key, 'host')
    return host !== null && this.#set(['forced-hosts'], host, value)
  }

  #at(path: readonly string[]): TreeNode | undefined {
    let node: TreeNode | undefined = this.#tree.root
    for (const key of path) node = child(node, key)
    return node
  }

  #edit(wanted: Edit): boolean {
    const done = edit(this.#tree, this.#read, wanted)
    if (done.ok) this.#tree = done.tree
    return done.ok
  }

  #set(table: readonly string[], key: string, value: Value | null): boolean {
    const there = this.#at([...table, key])
    if (value === null) return !there || this.#edit({ act: 'remove', node: there })
    if (!this.#at(table) && !this.#addTable(table[0]!)) return false
    if (typeof value === 'string') {
      const scalar = { kind: 'text', text: value } as const
      if (there) return this.#edit({ act: 'set', node: there, value: scalar })
      return this.#edit({ act: 'add', node: this.#at(table)!, key, value: scalar })
    }
    if (there && there.kind !== 'list' && !this.#edit({ act: 'remove', node: there })) return false
    if (there?.kind !== 'list') {
      const fresh = { act: 'add', node: this.#at(table)!, key, value: { kind: 'list' } } as const
      if (!this.#edit(fresh)) return false
    }
    return this.#setList([...table, key], value)
  }

  /** Edits item by item to keep the comments between them. */
  #setList(path: readonly string[], wanted: readonly string[]): boolean {
    const items = () => this.#at(path)?.children ?? []
    for (let at = items().length - 1; at >= 0; at--) {
      const { text } = items()[at]!
      const isTwice = items().findIndex((one) => one.text === text) < at
      if (wanted.includes(text) && !isTwice) continue
      if (!this.#edit({ act: 'remove', node: items()[at]! })) return false
    }
    for (const [at, text] of wanted.entries()) {
      let is = items().findIndex((one) => one.text === text)
      if (is === -1) {
        const value = { kind: 'text', text } as const
        if (!this.#edit({ act: 'add', node: this.#at(path)!, key: '', value })) return false
        is = items().length - 1
      }
      for (; is > at; is--) if (!this.#edit({ act: 'move', node: items()[is]!, by: -1 })) return false
    }
    return true
  }

  #addTable(name: string): boolean {
    const { text } = this.#tree
    const end = text.includes('\r\n') ? '\r\n' : '\n'
    const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end
    const found = this.#read(`${text}${gap}[${name}]${end}`)
    if (found.ok) this.#tree = found.tree
    return found.ok
  }
}

/** Velocity does not start with others: a host or IP address, with an optional port. */
export function isAddress(text: string): boolean {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (host === undefined || !isHost(host)) return false
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65535)
}

/** Like Java's URI: ASCII only, and the last of several labels starts with a letter. */
function isHost(text: string): boolean {
  if (text.startsWith('[')) return /^\[[\da-f:.]+\]$/i.test(text) && URL.canParse(`http://${text}`)
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return text.split('.').every((part) => Number(part) <= 255)
  const labels = text.replace(/\.$/, '').split('.')
  if (!labels.every((label) => /^[a-z\d]([a-z\d-]*[a-z\d])?$/i.test(label))) return false
  return labels.length === 1 || /^[a-z]/i.test(labels.at(-1)!)
}
