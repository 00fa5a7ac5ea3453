import type { Log } from '../logging/log.ts'
import type { SecretStore } from './secret-store.ts'

/** What a header always holds, as a person typed it. */
export interface HeaderValue {
  name: string
  value: string
}

/** Where the value of a header is now; `unknown` while the keychain does not answer. */
export type ValueKept = 'keychain' | 'memory' | 'none' | 'unknown'

/** Whether a header can hold this: text that can be seen, without white space around it, which HTTP would drop. */
export const fitsHeader = (value: string): boolean =>
  /^[\x21-\x7e]([\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(value)

/** What was only tried is kept out of the log for so many ms longer. */
const SHOWN_AFTER = 60_000

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

  /** Where each value is. Asked anew each time: a keychain that was silent may have spoken since. */
  async kept(baseUrl: string, names: readonly string[]): Promise<ValueKept[]> {
    return Promise.all(
      names.map(async (name) => {
        const found = await this.#secrets.read(keychainEntry(baseUrl, name))
        if (found.kind === 'found') return found.kept
        return found.kind === 'absent' ? 'none' : 'unknown'
      }),
    )
  }

  /** Keeps a value that `fitsHeader`. */
  async set(baseUrl: string, { name, value }: HeaderValue): Promise<void> {
    const entry = keychainEntry(baseUrl, name)
    this.#hold(entry, value)
    await this.#secrets.write(entry, value)
  }

  /** Values that are tried before they are kept, over those that are. They are in no log either. */
  trying(baseUrl: string, values: readonly HeaderValue[]) {
    const tried = Object.fromEntries(values.map(({ name, value }) => [name.toLowerCase(), value]))
    const shown = values.map(({ value }) => this.#log.hide(value))
    return {
      of: async (names: readonly string[]) => ({ ...(await this.of(baseUrl, names)), ...tried }),
      // What still lies in buffers of the log may hold one, so they stay hidden for a while.
      [Symbol.dispose]: () => void setTimeout(() => shown.forEach((show) => show()), SHOWN_AFTER).unref(),
    }
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
