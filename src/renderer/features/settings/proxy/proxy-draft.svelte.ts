import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, call, Problem } from '../../../core/bridge.ts'
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

export interface ProxyConflict {
  key: string
  mine: Value | null
  theirs: Value | null
}

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
  #edits = $state.raw<ReadonlyMap<string, Value | null>>(new Map())
  #conflicts = $state.raw<readonly ProxyConflict[]>([])
  #sent = $state.raw<ReadonlyMap<string, Value | null> | null>(null)
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

  get conflicts(): readonly ProxyConflict[] {
    return this.#conflicts
  }

  get saving(): boolean {
    return this.#sent !== null
  }

  get problem(): Problem | null {
    return this.#problem
  }

  readonly values = $derived.by<Values>(() => {
    const values = new Map(this.#base?.values)
    for (const [key, value] of this.#edits) {
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

  readonly count = $derived(this.#edits.size)
  readonly dirty = $derived(this.#edits.size > 0)

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

  /** Rebases unsaved changes on the file; changes on both sides become conflicts. */
  async load(): Promise<void> {
    // During a save the result could be from before or after; saving reloads anyway.
    if (!this.#sent) await this.#load()
  }

  async #load(): Promise<void> {
    const asked = ++this.#asked
    try {
      const [file, read] = await Promise.all([
        call('files.read-text', { ...this.#server, path: VELOCITY_FILE }),
        loadReader('toml'),
      ])
      if (asked !== this.#asked) return
      const found = file.content.kind === 'text' ? read(file.content.text) : null
      if (!found?.ok) {
        this.#state = { kind: 'damaged' }
        return
      }
      const { text } = found.tree
      this.#take({ text, etag: file.etag, values: valuesIn(found.tree), beside: besideIn(found.tree), read })
      this.#state = { kind: 'read' }
    } catch (thrown) {
      if (asked !== this.#asked) return
      const problem = asProblem(thrown)
      this.#state = problem.code === 'not-found' ? { kind: 'none' } : { kind: 'failed', problem }
    }
  }

  #take(now: FileSnapshot): void {
    const edits = new Map(this.#edits)
    const conflicts = new Map(this.#conflicts.map((one) => [one.key, one]))
    for (const [key, mine] of this.#edits) {
      const theirs = now.values.get(key) ?? null
      if (isSameValue(theirs, mine)) edits.delete(key)
      else if (this.#base && !isSameValue(theirs, this.#base.values.get(key)))
        conflicts.set(key, { key, mine, theirs })
    }
    this.#base = now
    this.#edits = edits
    this.#conflicts = [...conflicts.values()].filter(({ key }) => edits.has(key))
  }

  /** Makes the saved version the new base, keeping what was typed meanwhile. */
  #saved(
    sent: ReadonlyMap<string, Value | null>,
    base: FileSnapshot,
    text: string,
    etag: string | null,
  ): void {
    const found = base.read(text)
    if (!found.ok) return
    const { values: mine } = this
    const values = valuesIn(found.tree)
    const edits = new Map<string, Value | null>()
    for (const key of new Set([...sent.keys(), ...this.#edits.keys()])) {
      const wanted = mine.get(key) ?? null
      if (!isSameValue(wanted, values.get(key))) edits.set(key, wanted)
    }
    this.#base = { ...base, text, etag, values, beside: besideIn(found.tree) }
    this.#edits = edits
  }

  resolve({ key, theirs }: ProxyConflict, whose: 'mine' | 'theirs'): void {
    if (whose === 'theirs') this.#put(key, theirs)
    this.#conflicts = this.#conflicts.filter((one) => one.key !== key)
    if (this.#conflicts.length === 0) this.#problem = null
  }

  #put(key: string, value: Value | null): void {
    const edits = new Map(this.#edits)
    if (isSameValue(value, this.#base?.values.get(key))) edits.delete(key)
    else edits.set(key, value)
    this.#edits = edits
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

  /** A running save is not canceled. */
  discard(): void {
    this.#edits = this.#sent ?? new Map()
    this.#conflicts = []
    this.#problem = null
  }

  /** Saves all changes. Returns false if it failed; `problem` or `conflicts` say why. */
  async save(): Promise<boolean> {
    const base = this.#base
    if (!base || this.#sent || this.wrong.size > 0 || this.#conflicts.length > 0) return false
    const sent = this.#edits
    this.#sent = sent
    this.#asked++
    this.#problem = null
    try {
      const text = withValues(base.text, base.read, sent)
      if (text === null)
        throw new Problem({ code: 'invalid', message: t('proxy.not-here'), retryable: false })
      const { etag } = base
      const from = etag === null ? ({ kind: 'overwrite' } as const) : ({ kind: 'etag', etag } as const)
      const file = { ...this.#server, path: VELOCITY_FILE, text, base: from }
      const done = await call('files.write-text', file)
      this.#saved(sent, base, text, done.etag)
      await this.#load()
      return true
    } catch (thrown) {
      const problem = asProblem(thrown)
      this.#problem = problem
      if (problem.code === 'changed') await this.#load()
      return false
    } finally {
      this.#sent = null
    }
  }
}
