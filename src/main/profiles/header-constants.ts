import { Lanes } from '../../contract/rules/lanes.ts'
import { problem } from '../base/problem.ts'
import type { Log } from '../logging/log.ts'
import type { SecretResult, SecretStore } from '../accounts/secret-store.ts'

export interface HeaderValue {
  name: string
  value: string
}

/** Visible ASCII without surrounding white space, which HTTP would drop. */
export const fitsHeader = (value: string): boolean =>
  /^[\x21-\x7e]([\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(value)

/** Values that were only tried stay redacted for this many ms. */
const SHOWN_AFTER = 60_000

/** `detail` of problems caused by a silent keychain, not the service. */
export const KEYCHAIN_SILENT = 'keychain'

/** `unknown` while the keychain is silent. */
export type ValueStorage = 'keychain' | 'memory' | 'none' | 'unknown'

type ConstantValue = { value: string; kept: 'keychain' | 'memory' } | { value: null; kept: 'none' }

/** May be keys, so they are stored like tokens, sent to no other origin, and never shown or exported. */
export class HeaderConstants {
  readonly #secrets: SecretStore
  readonly #log: Log
  readonly #known = new Map<string, ConstantValue>()
  #sets = 0
  readonly #notes = new Lanes({ atOnce: 1 })

  constructor(secrets: SecretStore, log: Log) {
    this.#secrets = secrets
    this.#log = log
  }

  /**
   * Values by lower-case name, without those unset. Rejects with `offline` if the keychain is silent: without the
   * header the service would refuse, which would look like signed out.
   */
  async of(baseUrl: string, names: readonly string[]): Promise<Record<string, string>> {
    const values: Record<string, string> = Object.create(null) as Record<string, string>
    for (const name of names) {
      const found = await this.#read(keychainEntry(baseUrl, name))
      if (found.kind === 'silent') throw problem('offline', found.reason, { detail: KEYCHAIN_SILENT })
      if (found.value !== null) values[name.toLowerCase()] = found.value
    }
    return values
  }

  get sets(): number {
    return this.#sets
  }

  kept(baseUrl: string, names: readonly string[]): Promise<ValueStorage[]> {
    return Promise.all(
      names.map(async (name) => {
        const found = await this.#read(keychainEntry(baseUrl, name))
        return found.kind === 'silent' ? 'unknown' : found.kept
      }),
    )
  }

  async set(baseUrl: string, { name, value }: HeaderValue): Promise<void> {
    const entry = keychainEntry(baseUrl, name)
    this.#sets++
    const held: ConstantValue = { value, kept: 'memory' }
    this.#hold(entry, held)
    // Index first: no keychain entry may become unfindable.
    await this.#note(baseUrl, async (noted) => [...noted, name.toLowerCase()])
    const kept = await this.#secrets.write(entry, value)
    // It may have been replaced or forgotten meanwhile.
    if (this.#known.get(entry) === held) this.#known.set(entry, { value, kept })
  }

  /** Overlays unsaved values for a trial and redacts them in the log. */
  trying(baseUrl: string, values: readonly HeaderValue[]) {
    const tried = Object.fromEntries(values.map(({ name, value }) => [name.toLowerCase(), value]))
    const shown = values.map(({ value }) => this.#log.hide(value))
    return {
      of: async (names: readonly string[]) => {
        const others = names.filter((name) => !Object.hasOwn(tried, name.toLowerCase()))
        return { ...(await this.of(baseUrl, others)), ...tried }
      },
      // Log buffers may still contain them.
      [Symbol.dispose]: () => void setTimeout(() => shown.forEach((show) => show()), SHOWN_AFTER).unref(),
    }
  }

  async forget(baseUrl: string, names: readonly string[]): Promise<void> {
    const gone = new Set(names.map((name) => name.toLowerCase()))
    const left = await this.#forget(baseUrl, gone)
    await this.#note(baseUrl, async (noted) => noted.filter((name) => !gone.has(name) || left.has(name)))
  }

  /** @param asOf `sets` when the names were read: with values set since, the names are outdated */
  async keepOnly(baseUrl: string, names: readonly string[], asOf = this.#sets): Promise<void> {
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    await this.#note(baseUrl, async (noted) => {
      if (asOf !== this.#sets) return [...noted]
      const left = await this.#forget(baseUrl, new Set(noted.filter((name) => !wanted.has(name))))
      return noted.filter((name) => wanted.has(name) || left.has(name))
    })
  }

  /** Returns names the keychain did not confirm; they are retried. */
  async #forget(baseUrl: string, names: ReadonlySet<string>): Promise<Set<string>> {
    const left = new Set<string>()
    for (const name of names) {
      const entry = keychainEntry(baseUrl, name)
      // Mark it gone first: a pending read must not bring it back.
      this.#known.set(entry, NONE)
      if (!(await this.#secrets.clear(entry))) left.add(name)
    }
    return left
  }

  /** Updates the keychain's index of a service's headers with values. */
  #note(baseUrl: string, change: (noted: readonly string[]) => Promise<string[]>): Promise<void> {
    return this.#notes.run('', async () => {
      const entry = notedEntry(baseUrl)
      const found = await this.#secrets.read(entry)
      // A silent keychain can neither store nor delete.
      if (found.kind === 'silent' && !found.missing) return
      const noted = found.kind === 'found' ? namesIn(found.token) : []
      const now = [...new Set(await change(noted))].sort()
      if (now.join() === noted.join()) return
      if (now.length > 0) await this.#secrets.write(entry, now.join(' '))
      else await this.#secrets.clear(entry)
    })
  }

  async #read(entry: string): Promise<({ kind: 'known' } & ConstantValue) | KeychainSilence> {
    const known = this.#known.get(entry)
    if (known) return { kind: 'known', ...known }
    const found = await this.#secrets.read(entry)
    // Changes made meanwhile are newer than what was read.
    const now = this.#known.get(entry)
    if (now) return { kind: 'known', ...now }
    if (found.kind === 'silent') {
      // No keychain means no value. A silent one may respond later.
      return found.missing ? { kind: 'known', ...NONE } : found
    }
    if (found.kind === 'found') this.#hold(entry, { value: found.token, kept: found.kept })
    else this.#known.set(entry, NONE)
    return { kind: 'known', ...(this.#known.get(entry) ?? NONE) }
  }

  #hold(entry: string, known: ConstantValue & { value: string }): void {
    this.#known.set(entry, known)
    this.#log.hide(known.value)
  }
}

type KeychainSilence = Extract<SecretResult, { kind: 'silent' }>
const NONE: ConstantValue = { value: null, kept: 'none' }

/** Header names contain no spaces. */
const namesIn = (noted: string): string[] => noted.split(' ').filter((name) => name !== '')

const notedEntry = (baseUrl: string): string => `headers ${baseUrl}`
const keychainEntry = (baseUrl: string, name: string): string => `header ${name.toLowerCase()} ${baseUrl}`
