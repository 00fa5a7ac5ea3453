import { say } from '../../contract/messages/say.ts'
import { problem } from '../api/problem.ts'
import type { Log } from '../logging/log.ts'
import type { SecretRead, SecretStore } from './secret-store.ts'

/** What a header can always hold: text that can be seen. */
const VALUE = /^[\x20-\x7e]{1,4000}$/

/** A problem with this `detail` is none of the service: the keychain has a secret and does not give it. */
export const KEYCHAIN_SILENT = 'keychain'

/** Where the value of a header is kept; `unknown` while the keychain is silent. */
export type HeaderKept = 'keychain' | 'memory' | 'none' | 'unknown'

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
      const found = await this.#read(entryOf(baseUrl, name))
      if (found.kind === 'silent') throw problem('offline', found.reason, { detail: KEYCHAIN_SILENT })
      if (found.value !== null) values[name.toLowerCase()] = found.value
    }
    return values
  }

  /** Where the value of a header is kept. */
  async kept(baseUrl: string, name: string): Promise<HeaderKept> {
    const found = await this.#read(entryOf(baseUrl, name))
    return found.kind === 'silent' ? 'unknown' : found.kept
  }

  /** Keeps a value, or forgets it where it is empty. `invalid` with `fields.value` where no header can hold it. */
  async set(baseUrl: string, name: string, value: string): Promise<void> {
    const entry = entryOf(baseUrl, name)
    if (value === '') return this.#forget(entry)
    if (!VALUE.test(value)) {
      const why = say('profile.header-value')
      throw problem('invalid', why, { fields: { value: [why.message] } })
    }
    const held: Known = { value, kept: 'memory' }
    this.#hold(entry, held)
    const kept = await this.#secrets.write(entry, value)
    // Another one may have been set meanwhile, or this one forgotten.
    if (this.#known.get(entry) === held) this.#known.set(entry, { value, kept })
  }

  async forget(baseUrl: string, names: readonly string[]): Promise<void> {
    for (const name of names) await this.#forget(entryOf(baseUrl, name))
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

const entryOf = (baseUrl: string, name: string): string => `header ${name.toLowerCase()} ${baseUrl}`
