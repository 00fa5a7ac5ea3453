import type { ProfileCheck, ProfileFault, ServiceProfile } from '../../../../contract/bridge/values.ts'
import { call } from '../../../core/bridge.ts'
import { said } from '../../../messages/t.svelte.ts'
import { headersIn, textAt, withSeen } from './profile-text.ts'

/** `then`: the content when the fault was found. */
interface FaultRecord extends ProfileFault {
  then: string
}

/** Text and typed header values, which are kept apart from it. */
export class ProfileDraft {
  readonly #connectionId: string
  #kept = $state.raw<ServiceProfile | null>(null)
  text = $state('')
  /** Typed header values by lower-case name. */
  #values = $state.raw<Readonly<Record<string, string>>>({})
  #faults = $state.raw<readonly FaultRecord[]>([])
  #tried = $state.raw<{ draft: string; checks: readonly ProfileCheck[] } | null>(null)
  readonly headers = $derived(headersIn(this.text))
  readonly changed = $derived(this.text !== this.#kept?.text || Object.keys(this.#values).length > 0)
  /** Faults whose place has not changed since. */
  readonly faults = $derived(this.#faults.filter(({ at, then }) => this.#at(at) === then))
  readonly checks = $derived(this.#tried?.draft === this.#draft() ? this.#tried.checks : null)
  /** The draft plus observed deviations; null if that adds nothing. */
  readonly proposed = $derived(withSeen(this.text, this.#kept?.proposed ?? null))

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

  get kept(): ServiceProfile | null {
    return this.#kept
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
    this.text = this.#kept?.text ?? ''
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

  setValue(name: string, value: string): void {
    const { [name.toLowerCase()]: _before, ...others } = this.#values
    this.#values = value === '' ? others : { ...others, [name.toLowerCase()]: value }
  }

  #input() {
    const values = this.headers.flatMap((name) => {
      const value = this.#values[name.toLowerCase()]
      return value === undefined ? [] : [{ name: name.toLowerCase(), value }]
    })
    return { connectionId: this.#connectionId, text: this.text, values }
  }

  #draft(): string {
    return JSON.stringify([this.text, this.#values])
  }

  #found(faults: readonly ProfileFault[]): void {
    this.#faults = faults.map((fault) => ({ ...fault, then: this.#at(fault.at) }))
  }

  #at(at: readonly string[]): string {
    return at[0] === 'headers' && at[2] === 'value'
      ? (this.#values[this.headers[Number(at[1])]?.toLowerCase() ?? ''] ?? '')
      : textAt(this.text, at)
  }
}
