import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, call, Problem } from '../../../core/bridge.ts'
import { type Conflict, Draft } from '../../../core/draft.svelte.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'
import { loadReader, type Reader } from '../../editor/tree/model/read-tree.ts'
import {
  type RelatedSettings,
  besideIn,
  hostKey,
  isAddress,
  isSameValue,
  type Mode,
  modes,
  nameIn,
  serverKey,
  type Value,
  type Values,
  valuesIn,
  VELOCITY_FILE,
  withValues,
} from './velocity-text.ts'

/** Null: not in the file. */
export type ProxyValues = Record<string, Value | null>

/** `none`: Velocity writes it on start. `damaged`: not valid TOML. */
export type FileState =
  | { kind: 'loading' }
  | { kind: 'none' }
  | { kind: 'failed'; problem: Problem }
  | { kind: 'damaged' }
  | { kind: 'read' }

interface FileSnapshot {
  text: string
  etag: string | null
  values: Values
  beside: RelatedSettings
  read: Reader
}

export class ProxyDraft {
  readonly #server: ServerRef
  #state = $state.raw<FileState>({ kind: 'loading' })
  #base = $state.raw<FileSnapshot | null>(null)
  readonly #draft = new Draft<ProxyValues>(
    (key) => this.#base?.values.get(key) ?? null,
    (_key, one, other) => isSameValue(one, other),
  )
  #asked = 0
  #problem = $state.raw<Problem | null>(null)

  constructor({ connectionId, serverId }: ServerRef) {
    this.#server = { connectionId, serverId }
  }

  get state(): FileState {
    return this.#state
  }

  get beside(): RelatedSettings | null {
    return this.#base?.beside ?? null
  }

  get conflicts(): readonly Conflict<ProxyValues>[] {
    return this.#draft.conflicts
  }

  get saving(): boolean {
    return this.#draft.saving
  }

  get problem(): Problem | null {
    return this.#problem
  }

  readonly values = $derived.by<Values>(() => {
    const values = new Map(this.#base?.values)
    for (const [key, value] of this.#draft.changes) {
      if (value === null) values.delete(key)
      else values.set(key, value)
    }
    return values
  })

  readonly servers = $derived(
    [...this.values].flatMap(([key, value]) => {
      const name = nameIn(key, 'server')
      return name === null ? [] : [{ name, address: String(value) }]
    }),
  )

  readonly hosts = $derived(
    [...this.values].flatMap(([key, value]) => {
      const host = nameIn(key, 'host')
      return host === null ? [] : [{ host, servers: value as readonly string[] }]
    }),
  )

  readonly order = $derived((this.values.get('try') ?? []) as readonly string[])

  /** Null if the file has a value unknown to Velocity. */
  readonly mode = $derived<Mode | null>(modes.find((one) => one === this.values.get('mode')) ?? null)

  get changes(): ReadonlyMap<string, Value | null> {
    return this.#draft.changes
  }

  /** As in the file. */
  savedValue(key: string): Value | null {
    return this.#base?.values.get(key) ?? null
  }

  readonly dirty = $derived(this.#draft.dirty)

  /** Faults by key that would keep Velocity from starting; they block saving. */
  readonly wrong = $derived.by(() => {
    const wrong = new Map<string, Words>()
    const known = new Set(this.servers.map(({ name }) => name))
    for (const { name, address } of this.servers)
      if (!isAddress(address)) wrong.set(serverKey(name), () => t('proxy.bad-address'))
    const lost = this.order.find((name) => !known.has(name))
    if (lost !== undefined) wrong.set('try', () => t('proxy.unknown-server', { name: lost }))
    for (const { host, servers } of this.hosts) {
      const missing = servers.find((name) => !known.has(name))
      if (servers.length === 0) wrong.set(hostKey(host), () => t('proxy.host-empty'))
      else if (missing !== undefined)
        wrong.set(hostKey(host), () => t('proxy.unknown-server', { name: missing }))
    }
    return wrong
  })

  async load(): Promise<void> {
    // During a save the result could be from before or after; saving reloads anyway.
    if (!this.saving) await this.#load()
  }

  async #load(): Promise<void> {
    const asked = ++this.#asked
    try {
      const [file, read] = await Promise.all([
        call('files.read-text', { ...this.#server, path: VELOCITY_FILE }),
        loadReader('toml'),
      ])
      if (asked !== this.#asked) return
      const { content, etag } = file
      const isRead = content.kind === 'text' && this.#take(content.text, etag, read)
      this.#state = { kind: isRead ? 'read' : 'damaged' }
    } catch (thrown) {
      if (asked !== this.#asked) return
      const problem = asProblem(thrown)
      this.#state = problem.code === 'not-found' ? { kind: 'none' } : { kind: 'failed', problem }
    }
  }

  /** Returns false if the text is damaged. */
  #take(given: string, etag: string | null, read: Reader): boolean {
    const found = read(given)
    if (!found.ok) return false
    const { text } = found.tree
    this.#base = { text, etag, values: valuesIn(found.tree), beside: besideIn(found.tree), read }
    return true
  }

  resolve(key: string, whose: 'mine' | 'theirs'): void {
    this.#draft.resolve(key, whose)
    if (this.conflicts.length === 0) this.#problem = null
  }

  #put(key: string, value: Value | null): void {
    const base = this.#base?.values.get(key) ?? null
    this.#draft.set(key, isSameValue(value, base) ? base : value)
    this.#problem = null
  }

  /** The first server added becomes the one to join. */
  setServer(name: string, address: string): void {
    const isFirst = this.servers.length === 0
    this.#put(serverKey(name), address)
    if (isFirst) this.setOrder([name])
  }

  /** Also removes it from everything that names it. */
  removeServer(name: string): void {
    this.#put(serverKey(name), null)
    this.setOrder(this.order.filter((one) => one !== name))
    for (const { host, servers } of this.hosts) {
      const others = servers.filter((one) => one !== name)
      if (others.length < servers.length) this.#put(hostKey(host), others.length > 0 ? others : null)
    }
  }

  setOrder(names: readonly string[]): void {
    this.#put('try', names)
  }

  move(name: string, by: 1 | -1): void {
    const at = this.order.indexOf(name)
    const other = this.order[at + by]
    if (at === -1 || other === undefined) return
    this.setOrder(this.order.with(at, other).with(at + by, name))
  }

  /** Null removes the host. */
  setHost(host: string, servers: readonly string[] | null): void {
    this.#put(hostKey(host), servers)
  }

  setMode(mode: Mode): void {
    this.#put('mode', mode)
  }

  discard(): void {
    this.#draft.discard()
    this.#problem = null
  }

  /** Saves all changes. Returns false if it failed; `problem` or `conflicts` say why. */
  async save(): Promise<boolean> {
    const base = this.#base
    if (!base || this.saving || this.wrong.size > 0 || this.conflicts.length > 0) return false
    this.#asked++
    this.#problem = null
    try {
      const text = withValues(base.text, base.read, this.#draft.changes)
      if (text === null)
        throw new Problem({ code: 'invalid', message: t('proxy.not-here'), retryable: false })
      const { etag } = base
      const from = etag === null ? ({ kind: 'overwrite' } as const) : ({ kind: 'etag', etag } as const)
      const file = { ...this.#server, path: VELOCITY_FILE, text, base: from }
      await this.#draft.save(async () => {
        const saved = await call('files.write-text', file)
        this.#take(text, saved.etag, base.read)
        await this.#load()
      })
      return true
    } catch (thrown) {
      const problem = asProblem(thrown)
      this.#problem = problem
      if (problem.code === 'changed') await this.#load()
      return false
    }
  }
}
