import { problem } from '../base/problem.ts'
import type { Log } from '../logging/log.ts'
import type { SecretRead, SecretStore } from '../accounts/secret-store.ts'

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
  #sets = 0
  /** Changes of what is noted go one after the other. */
  #noting: Promise<unknown> = Promise.resolve()

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

  /** How many values were set in this run. */
  get sets(): number {
    return this.#sets
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
    this.#sets++
    const held: Known = { value, kept: 'memory' }
    this.#hold(entry, held)
    // Before the value itself: nothing may lie in the keychain that nobody would find again.
    await this.#note(baseUrl, async (noted) => [...noted, name.toLowerCase()])
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
    const gone = new Set(names.map((name) => name.toLowerCase()))
    const left = await this.#forget(baseUrl, gone)
    await this.#note(baseUrl, async (noted) => noted.filter((name) => !gone.has(name) || left.has(name)))
  }

  /**
   * Forgets the values of all headers but these, such as of one that was taken out of a profile's file by hand.
   *
   * @param asOf what `sets` was when the names were read: where a value was set since, they are too old to judge by
   */
  async keepOnly(baseUrl: string, names: readonly string[], asOf = this.#sets): Promise<void> {
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    await this.#note(baseUrl, async (noted) => {
      if (asOf !== this.#sets) return [...noted]
      const left = await this.#forget(baseUrl, new Set(noted.filter((name) => !wanted.has(name))))
      return noted.filter((name) => wanted.has(name) || left.has(name))
    })
  }

  /** Answers those that the keychain did not confirm to have forgotten: they are tried again the next time. */
  async #forget(baseUrl: string, names: ReadonlySet<string>): Promise<Set<string>> {
    const left = new Set<string>()
    for (const name of names) {
      const entry = keychainEntry(baseUrl, name)
      // It is gone from now on: a read that began before must not bring it back.
      this.#known.set(entry, NONE)
      if (!(await this.#secrets.clear(entry))) left.add(name)
    }
    return left
  }

  /** Changes what the keychain notes beside the values: the names of a service's headers that have one. */
  #note(baseUrl: string, change: (noted: readonly string[]) => Promise<string[]>): Promise<void> {
    const done = this.#noting.then(async () => {
      const entry = notedEntry(baseUrl)
      const found = await this.#secrets.read(entry)
      // While the keychain is silent nothing can be noted, and nothing in it forgotten.
      if (found.kind === 'silent' && !found.missing) return
      const noted = found.kind === 'found' ? namesIn(found.token) : []
      const now = [...new Set(await change(noted))].sort()
      if (now.join() === noted.join()) return
      if (now.length > 0) await this.#secrets.write(entry, now.join(' '))
      else await this.#secrets.clear(entry)
    })
    // One that failed is its caller's affair, and stops no later one.
    this.#noting = done.catch(() => undefined)
    return done
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

/** Names of headers hold no spaces. */
const namesIn = (noted: string): string[] => noted.split(' ').filter((name) => name !== '')

const notedEntry = (baseUrl: string): string => `headers ${baseUrl}`
const keychainEntry = (baseUrl: string, name: string): string => `header ${name.toLowerCase()} ${baseUrl}`
