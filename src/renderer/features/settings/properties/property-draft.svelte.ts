import { propertiesIn, withProperties } from '../../../../contract/rules/properties-text.ts'
import type { ServerConfig, ServerRef } from '../../../../contract/bridge/values.ts'
import { asProblem, call, Problem, send } from '../../../core/bridge.ts'
import { type Conflict, Draft } from '../../../core/draft.svelte.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'
import { propertiesOf, type Property, wrongWith } from './property.ts'

export const PROPERTIES_FILE = 'server.properties'

interface FileSnapshot {
  base: string
  etag: string | null
  isThere: boolean
}

export type RawFile =
  | { kind: 'closed' }
  | { kind: 'loading' }
  | { kind: 'failed'; problem: Problem }
  | ({ kind: 'text'; text: string } & FileSnapshot)

/** Null: not in the file, so the default applies. */
export type PropertyValues = Record<string, string | null>

/** The configuration as the service has it. */
export interface ConfigSource {
  readonly value: Pick<ServerConfig, 'properties'> | null
  readonly tag: string | null
  again(): Promise<void>
}

export class PropertyDraft {
  readonly #server: ServerRef
  readonly #config: ConfigSource
  readonly #base: Property[] = $derived.by(() => propertiesOf(this.#config.value?.properties ?? []))
  #raw = $state.raw<RawFile>({ kind: 'closed' })
  #problem = $state.raw<Problem | null>(null)
  readonly #byKey = $derived(new Map(this.#base.map((one) => [one.key, one])))
  readonly #draft = new Draft<PropertyValues>((key) => this.#byKey.get(key)?.value ?? null)

  constructor(server: ServerRef, config: ConfigSource) {
    this.#server = { connectionId: server.connectionId, serverId: server.serverId }
    this.#config = config
  }

  get properties(): readonly Property[] {
    return this.#base
  }

  get edits(): ReadonlyMap<string, string | null> {
    return this.#draft.changes
  }

  get conflicts(): readonly Conflict<PropertyValues>[] {
    return this.#draft.conflicts
  }

  get raw(): RawFile {
    return this.#raw
  }

  get saving(): boolean {
    return this.#draft.saving
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** The text has changes the form cannot show: comments, order, unknown keys. */
  readonly textAlone = $derived(
    this.#raw.kind === 'text' &&
      this.#raw.text !== (withProperties(this.#raw.base, this.edits) ?? this.#raw.base),
  )

  readonly dirty = $derived(this.edits.size > 0 || this.textAlone)

  /** Faults by key; they block saving. */
  readonly wrong = $derived.by(() => {
    const wrong = new Map<string, Words>()
    for (const [key, value] of this.edits) {
      const property = this.#byKey.get(key)
      const words = property && value !== null ? wrongWith(property, value) : null
      if (words) wrong.set(key, words)
    }
    return wrong
  })

  /** As in the file; null if missing or unknown. */
  savedValue(key: string): string | null {
    return this.#byKey.get(key)?.value ?? null
  }

  property(key: string): Property | null {
    return this.#byKey.get(key) ?? null
  }

  valueOf({ key, fallback }: Property): string {
    return this.#draft.get(key) ?? fallback ?? ''
  }

  /** Null restores the default. */
  set(key: string, value: string | null): void {
    const property = this.#byKey.get(key)
    const hasOwnText = this.textAlone
    // Setting the default that applies is no change.
    const isDefault = property?.value === null && value === property.fallback
    this.#draft.set(key, isDefault ? null : value)
    this.#problem = null
    const raw = this.#raw
    if (raw.kind !== 'text') return
    const there = propertiesIn(raw.base).get(key) ?? null
    const change = new Map([[key, this.edits.has(key) ? value : there]])
    const [text, changes] = hasOwnText ? [raw.text, change] : [raw.base, this.edits]
    this.#raw = { ...raw, text: withProperties(text, changes) ?? text }
  }

  type(text: string): void {
    const raw = this.#raw
    if (raw.kind !== 'text' || text === raw.text) return
    const [before, now] = [propertiesIn(raw.base), propertiesIn(text)]
    const edits = new Map<string, string | null>()
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      const value = now.get(key) ?? null
      if (value !== (before.get(key) ?? null)) edits.set(key, value)
    }
    this.#draft.replace(edits)
    this.#raw = { ...raw, text }
    this.#problem = null
  }

  discard(): void {
    this.#draft.discard()
    this.#problem = null
    if (this.#raw.kind === 'text') this.#raw = { ...this.#raw, text: this.#raw.base }
  }

  resolve(key: string, whose: 'mine' | 'theirs'): void {
    // Not only forgotten: the text shows it too.
    if (whose === 'theirs') this.set(key, this.#byKey.get(key)?.value ?? null)
    else this.#draft.resolve(key, whose)
    if (this.conflicts.length === 0) this.#problem = null
  }

  async openRaw(): Promise<void> {
    this.#raw = { kind: 'loading' }
    try {
      const now = await this.#readFile()
      if (this.#raw.kind === 'loading')
        this.#raw = { kind: 'text', ...now, text: withProperties(now.base, this.edits) ?? now.base }
    } catch (thrown) {
      this.#raw = { kind: 'failed', problem: asProblem(thrown) }
    }
  }

  /** Stays open if closing would lose changes only the text has. */
  closeRaw(): void {
    if (!this.textAlone) this.#raw = { kind: 'closed' }
  }

  /** Saves form and text. Returns false if it failed; `problem` or `conflicts` say why. */
  async save(): Promise<boolean> {
    if (this.saving || this.wrong.size > 0 || this.conflicts.length > 0) return false
    this.#problem = null
    try {
      const inForm = [...this.edits.keys()].every((key) => this.#byKey.has(key))
      await this.#draft.save(async () => {
        await (this.textAlone || !inForm ? this.#saveText() : this.#saveValues())
        await this.#config.again()
        await this.#rereadFile()
      })
      return true
    } catch (thrown) {
      const problem = asProblem(thrown)
      this.#problem = problem
      if (problem.code === 'changed') await this.#meet()
      return false
    }
  }

  async #saveValues(): Promise<void> {
    const properties = [...this.edits].map(([key, value]) => ({ key, value }))
    const { connectionId, serverId } = this.#server
    await send('servers.change-config', {
      ...{ connectionId, params: { serverId }, body: { properties }, ifMatch: this.#config.tag },
    })
  }

  async #saveText(): Promise<void> {
    const raw = this.#raw
    if (raw.kind !== 'text') return
    const { etag, isThere } = raw
    const base =
      etag !== null
        ? ({ kind: 'etag', etag } as const)
        : ({ kind: isThere ? 'overwrite' : 'create' } as const)
    await call('files.write-text', { ...this.#server, path: PROPERTIES_FILE, text: raw.text, base })
  }

  async #meet(): Promise<void> {
    await this.#config.again()
    const raw = this.#raw
    if (raw.kind !== 'text') return
    const file = await this.#readFile().catch(() => raw)
    const [before, now] = [propertiesIn(raw.base), propertiesIn(file.base)]
    const theirs = new Map<string, string | null>()
    for (const key of new Set([...before.keys(), ...now.keys()]))
      if (before.get(key) !== now.get(key) && !this.edits.has(key)) theirs.set(key, now.get(key) ?? null)
    this.#raw = { ...file, kind: 'text', text: withProperties(raw.text, theirs) ?? raw.text }
  }

  async #rereadFile(): Promise<void> {
    if (this.#raw.kind !== 'text') return
    try {
      const now = await this.#readFile()
      this.#raw = { kind: 'text', ...now, text: now.base }
    } catch (thrown) {
      this.#raw = { kind: 'failed', problem: asProblem(thrown) }
    }
  }

  async #readFile(): Promise<FileSnapshot> {
    try {
      const { content, etag } = await call('files.read-text', { ...this.#server, path: PROPERTIES_FILE })
      if (content.kind === 'text') return { base: content.text, etag, isThere: true }
    } catch (thrown) {
      if (asProblem(thrown).code !== 'not-found') throw thrown
      return { base: '', etag: null, isThere: false }
    }
    throw new Problem({ code: 'invalid', message: t('properties.no-text'), retryable: false })
  }
}
