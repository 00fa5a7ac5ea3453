import { problem } from '../api/problem.ts'
import type { Log } from '../logging/log.ts'
import type { SecretRead, SecretStore } from './secret-store.ts'

/** What a header always holds, as a person typed it. */
export interface HeaderValue {
  name: string
  value: string
}

/** Whether a header can hold this: text that can be seen, without white space around it, which HTTP would drop. */
export const fitsHeader = (value: string): boolean =>
  /^[\x21-\x7e]([\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(value)

/** What was only tried is kept out of the log for so many ms longer. */
const SHOWN_AFTER = 60_000

/** A problem with this `detail` is none of the service: the keychain has a secret and does not give it. */
export const KEYCHAIN_SILENT = 'keychain'

/** Where the value of a header is kept; `unknown` while the keychain is silent. */
export type ValueKept = 'keychain' | 'memory' | 'none' | 'unknown'

type Known = { value: string; kept: 'keychain' | 'memory' } | { value: null; kept: 'none' }

/**
 * Values of the headers that API profiles name: they can be keys of a service, so they lie where tokens do, go to no
 * other origin, and are never shown or exported.
 */
export class HeaderConstants {
  readonly #secrets: SecretStore
  readonly #log: Log
  /** By entry of the keychain. */
  readonly #known = new Map<string, Known>()

  constructor(secrets: SecretStore, log: Log) {
    this.#secrets = secrets
    this.#log = log
  }

  /**
   * The values of these headers, by name in lower case. One that has none is left out. Rejects with `offline` where the
   * keychain is silent: the service would refuse a request without the header, and that would look like signed out.
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

  /** Where each value is kept. */
  kept(baseUrl: string, names: readonly string[]): Promise<ValueKept[]> {
    return Promise.all(
      names.map(async (name) => {
        const found = await this.#read(keychainEntry(baseUrl, name))
        return found.kind === 'silent' ? 'unknown' : found.kept
      }),
    )
  }

  /** Keeps a value that `fitsHeader`. */
  async set(baseUrl: string, { name, value }: HeaderValue): Promise<void> {
    const entry = keychainEntry(baseUrl, name)
    const held: Known = { value, kept: 'memory' }
    this.#hold(entry, held)
    const kept = await this.#secrets.write(entry, value)
    // Another one may have been set meanwhile, or this one forgotten.
    if (this.#known.get(entry) === held) this.#known.set(entry, { value, kept })
  }

  /** Values that are tried before they are kept, over those that are. They are in no log either. */
  trying(baseUrl: string, values: readonly HeaderValue[]) {
    const tried = Object.fromEntries(values.map(({ name, value }) => [name.toLowerCase(), value]))
    const shown = values.map(({ value }) => this.#log.hide(value))
    return {
      of: async (names: readonly string[]) => {
        const others = names.filter((name) => !Object.hasOwn(tried, name.toLowerCase()))
        return { ...(await this.of(baseUrl, others)), ...tried }
      },
      // What still lies in buffers of the log may hold one, so they stay hidden for a while.
      [Symbol.dispose]: () => void setTimeout(() => shown.forEach((show) => show()), SHOWN_AFTER).unref(),
    }
  }

  async forget(baseUrl: string, names: readonly string[]): Promise<void> {
    for (const name of names) await this.#forget(keychainEntry(baseUrl, name))
  }

  async #forget(entry: string): Promise<void> {
    // It is gone from now on: a read that began before must not bring it back.
    this.#known.set(entry, NONE)
    await this.#secrets.clear(entry)
  }

  async #read(entry: string): Promise<({ kind: 'known' } & Known) | Silent> {
    const known = this.#known.get(entry)
    if (known) return { kind: 'known', ...known }
    const found = await this.#secrets.read(entry)
    // What was set or forgotten meanwhile is newer than what was read.
    const now = this.#known.get(entry)
    if (now) return { kind: 'known', ...now }
    if (found.kind === 'silent') {
      // Where there is no keychain at all there is no value in it either. One that is silent may speak the next time.
      return found.missing ? { kind: 'known', ...NONE } : found
    }
    if (found.kind === 'found') this.#hold(entry, { value: found.token, kept: found.kept })
    else this.#known.set(entry, NONE)
    return { kind: 'known', ...(this.#known.get(entry) ?? NONE) }
  }

  #hold(entry: string, known: Known & { value: string }): void {
    this.#known.set(entry, known)
    this.#log.hide(known.value)
  }
}

type Silent = Extract<SecretRead, { kind: 'silent' }>
const NONE: Known = { value: null, kept: 'none' }

const keychainEntry = (baseUrl: string, name: string): string => `header ${name.toLowerCase()} ${baseUrl}`
