import type { ProfileCheck, ProfileFault, ServiceProfile } from '../../../contract/bridge/values.ts'
import { call } from '../../core/bridge.ts'
import { said } from '../../messages/t.svelte.ts'
import {
  type Override,
  type Profile,
  readProfile,
  textAt,
  withField,
  withSeen,
  writeProfile,
} from './profile-json.ts'

/** A fault, and what stood in its place when it was found. */
interface Found extends ProfileFault {
  then: string
}

/**
 * A profile that is being edited. Its text is the draft; the form reads and writes that text too. What headers hold is
 * beside it and never part of it.
 */
export class ProfileDraft {
  readonly #connectionId: string
  #kept = $state.raw<ServiceProfile | null>(null)
  #text = $state('')
  /** What was typed for headers, by name in lower case. */
  #values = $state.raw<Readonly<Record<string, string>>>({})
  #faults = $state.raw<readonly Found[]>([])
  #tried = $state.raw<{ draft: string; checks: readonly ProfileCheck[] } | null>(null)
  /** The form's view of the text; null where a form cannot show it. */
  readonly profile = $derived(readProfile(this.#text))
  /** Whether there is something that was not saved. */
  readonly changed = $derived(this.#text !== this.#kept?.text || Object.keys(this.#values).length > 0)
  /** What is wrong and has not been changed since. */
  readonly faults = $derived(this.#faults.filter(({ at, then }) => this.#at(at) === then))
  /** What the service answered to this very draft. */
  readonly checks = $derived(this.#tried?.draft === this.#draft() ? this.#tried.checks : null)

  /** The draft with what was seen of the service; null where that would add nothing. */
  readonly proposed = $derived.by(() => {
    const [kept, proposed] = [this.#kept?.text, this.#kept?.proposed].map((text) => readProfile(text ?? ''))
    if (!this.profile || !kept || !proposed) return null
    const text = writeProfile(withSeen(this.profile, kept, proposed))
    return text === writeProfile(this.profile) ? null : text
  })

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

  /** The profile that is kept; null until it was read. */
  get kept(): ServiceProfile | null {
    return this.#kept
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
  }

  get values(): Readonly<Record<string, string>> {
    return this.#values
  }

  /** Reads what is kept; the draft is that then. */
  async read(): Promise<void> {
    const kept = await call('service.profile', { connectionId: this.#connectionId })
    this.#kept = kept
    this.discard()
  }

  /** Takes what has been seen of the service since, and leaves the draft alone. */
  async seeMore(): Promise<void> {
    const { proposed } = await call('service.profile', { connectionId: this.#connectionId })
    if (this.#kept) this.#kept = { ...this.#kept, proposed }
  }

  /** Goes back to what is kept. */
  discard(): void {
    this.#text = this.#kept?.text ?? ''
    this.#values = {}
    this.#faults = []
  }

  /** Saves the draft; false where something is wrong with it. */
  async save(): Promise<boolean> {
    const saved = await call('service.save-profile', this.#input())
    if (saved.kind === 'faulty') this.#found(saved.faults)
    else await this.read()
    return saved.kind === 'saved'
  }

  /** Asks the service as the draft says; false where something is wrong with it. */
  async check(): Promise<boolean> {
    const draft = this.#draft()
    const tried = await call('service.check-profile', this.#input())
    this.#tried = tried.kind === 'tried' ? { draft, checks: tried.checks } : null
    this.#found(tried.kind === 'faulty' ? tried.faults : [])
    return tried.kind === 'tried'
  }

  async remove(): Promise<void> {
    await call('service.remove-profile', { connectionId: this.#connectionId })
    await this.read()
  }

  /** What is wrong at a place. */
  error(...at: string[]): string | null {
    const place = at.join('\n')
    const fault = this.faults.find((one) => one.at.join('\n') === place)
    return fault ? said(fault.said) : null
  }

  set(field: 'baseUrl' | 'tokenHeader' | 'tokenScheme', value: string | undefined): void {
    this.#change({ [field]: value })
  }

  addHeader(name: string): void {
    this.#setHeaders((names) => [...names, name])
  }

  removeHeader(name: string): void {
    this.#setHeaders((names) => names.filter((other) => other !== name))
    this.setValue(name, '')
  }

  /** Takes what was typed for a header; empty where nothing was. */
  setValue(name: string, value: string): void {
    this.#values = withField(this.#values, name.toLowerCase(), value === '' ? undefined : value)
  }

  addOperation(id: string): void {
    this.#setOperation(id, {})
  }

  removeOperation(id: string): void {
    this.#setOperation(id, undefined)
  }

  setIn<F extends keyof Override>(id: string, field: F, value: Override[F] | undefined): void {
    this.#setOperation(id, { ...this.profile?.operations?.[id], [field]: value })
  }

  setName(id: string, of: 'answer' | 'request', field: string, place: string | undefined): void {
    const names = withField(this.profile?.operations?.[id]?.[of], field, place)
    this.setIn(id, of, Object.keys(names).length > 0 ? names : undefined)
  }

  #setHeaders(next: (names: readonly string[]) => readonly string[]): void {
    const names = next(this.profile?.headers ?? [])
    this.#change({ headers: names.length > 0 ? names : undefined })
  }

  #setOperation(id: string, override: Override | undefined): void {
    const operations = withField(this.profile?.operations, id, override)
    this.#change({ operations: Object.keys(operations).length > 0 ? operations : undefined })
  }

  /** Writes fields of the profile; those that are undefined are left out. */
  #change(fields: { [F in keyof Profile]: Profile[F] | undefined }): void {
    if (this.profile) this.#text = writeProfile({ ...this.profile, ...fields })
  }

  #input() {
    const values = Object.entries(this.#values).map(([name, value]) => ({ name, value }))
    return { connectionId: this.#connectionId, text: this.#text, values }
  }

  #draft(): string {
    return JSON.stringify([this.#text, this.#values])
  }

  #found(faults: readonly ProfileFault[]): void {
    this.#faults = faults.map((fault) => ({ ...fault, then: this.#at(fault.at) }))
  }

  /** What stands at a place now: of a header's value what was typed, of the whole the text. */
  #at(at: readonly string[]): string {
    if (at.length === 0 || !this.profile) return this.#text
    if (at[0] === 'headers' && at[2] === 'value')
      return this.#values[this.profile.headers?.[Number(at[1])]?.toLowerCase() ?? ''] ?? ''
    return textAt(this.profile, at)
  }
}
