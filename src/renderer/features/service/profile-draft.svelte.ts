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

/** `then`: the content when the fault was found. */
interface Found extends ProfileFault {
  then: string
}

/** The text is the draft, and the form reads and writes it. Header values are kept apart from it. */
export class ProfileDraft {
  readonly #connectionId: string
  #kept = $state.raw<ServiceProfile | null>(null)
  #text = $state('')
  /** Typed header values by lower-case name. */
  #values = $state.raw<Readonly<Record<string, string>>>({})
  #faults = $state.raw<readonly Found[]>([])
  #tried = $state.raw<{ draft: string; checks: readonly ProfileCheck[] } | null>(null)
  readonly profile = $derived(readProfile(this.#text))
  readonly changed = $derived(this.#text !== this.#kept?.text || Object.keys(this.#values).length > 0)
  /** Faults whose place has not changed since. */
  readonly faults = $derived(this.#faults.filter(({ at, then }) => this.#at(at) === then))
  readonly checks = $derived(this.#tried?.draft === this.#draft() ? this.#tried.checks : null)

  /** The draft plus observed deviations; null if that adds nothing. */
  readonly proposed = $derived.by(() => {
    const [kept, proposed] = [this.#kept?.text, this.#kept?.proposed].map((text) => readProfile(text ?? ''))
    if (!this.profile || !kept || !proposed) return null
    const text = writeProfile(withSeen(this.profile, kept, proposed))
    return text === writeProfile(this.profile) ? null : text
  })

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

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

  async read(): Promise<void> {
    const kept = await call('service.profile', { connectionId: this.#connectionId })
    this.#kept = kept
    this.discard()
  }

  async seeMore(): Promise<void> {
    const { proposed } = await call('service.profile', { connectionId: this.#connectionId })
    if (this.#kept) this.#kept = { ...this.#kept, proposed }
  }

  discard(): void {
    this.#text = this.#kept?.text ?? ''
    this.#values = {}
    this.#faults = []
  }

  async save(): Promise<boolean> {
    const saved = await call('service.save-profile', this.#input())
    if (saved.kind === 'faulty') this.#found(saved.faults)
    else await this.read()
    return saved.kind === 'saved'
  }

  /** Tests the draft against the service; returns false if it has faults. */
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

  #at(at: readonly string[]): string {
    if (at.length === 0 || !this.profile) return this.#text
    if (at[0] === 'headers' && at[2] === 'value')
      return this.#values[this.profile.headers?.[Number(at[1])]?.toLowerCase() ?? ''] ?? ''
    return textAt(this.profile, at)
  }
}
