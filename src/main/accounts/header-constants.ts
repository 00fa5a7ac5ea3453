import { say } from '../../contract/messages/say.ts'
import { problem } from '../api/problem.ts'
import type { Log } from '../logging/log.ts'
import type { SecretStore } from './secret-store.ts'

/** What a header can always hold: text that can be seen. */
const VALUE = /^[\x20-\x7e]{1,4000}$/

/**
 * Values of the headers that API profiles name: they can be keys of a service, so they lie where tokens do, go to no
 * other origin, and are never shown or exported.
 */
export class HeaderConstants {
  readonly #secrets: SecretStore
  readonly #log: Log
  /** By entry of the keychain. Null: there is none. */
  readonly #known = new Map<string, string | null>()

  constructor(secrets: SecretStore, log: Log) {
    this.#secrets = secrets
    this.#log = log
  }

  /** The values of these headers, by name in lower case. One that has none, or cannot be had now, is left out. */
  async of(baseUrl: string, names: readonly string[]): Promise<Record<string, string>> {
    const values: Record<string, string> = Object.create(null) as Record<string, string>
    for (const name of names) {
      const value = await this.#read(keychainEntry(baseUrl, name))
      if (value !== null) values[name.toLowerCase()] = value
    }
    return values
  }

  /** Keeps a value, or forgets it where it is empty. `invalid` with `fields.value` where no header can hold it. */
  async set(baseUrl: string, name: string, value: string): Promise<void> {
    const entry = keychainEntry(baseUrl, name)
    if (value === '') return this.#forget(entry)
    if (!VALUE.test(value)) {
      const why = say('profile.header-value')
      throw problem('invalid', why, { fields: { value: [why.message] } })
    }
    this.#hold(entry, value)
    await this.#secrets.write(entry, value)
  }

  async forget(baseUrl: string, names: readonly string[]): Promise<void> {
    for (const name of names) await this.#forget(keychainEntry(baseUrl, name))
  }

  async #forget(entry: string): Promise<void> {
    this.#known.delete(entry)
    await this.#secrets.clear(entry)
  }

  async #read(entry: string): Promise<string | null> {
    const known = this.#known.get(entry)
    if (known !== undefined) return known
    const found = await this.#secrets.read(entry)
    // A keychain that is silent may speak the next time.
    if (found.kind === 'silent') return null
    if (found.kind === 'found') this.#hold(entry, found.token)
    else this.#known.set(entry, null)
    return this.#known.get(entry) ?? null
  }

  #hold(entry: string, value: string): void {
    this.#known.set(entry, value)
    this.#log.hide(value)
  }
}

const keychainEntry = (baseUrl: string, name: string): string => `header ${name.toLowerCase()} ${baseUrl}`
