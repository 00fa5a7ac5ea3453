import { plain } from './scalars.ts'

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (raw: unknown): raw is Fields =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** Own properties only; `null` counts as missing. */
export function own(raw: Fields, name: string): unknown {
  const value = Object.hasOwn(raw, name) ? raw[name] : undefined
  return value === null ? undefined : value
}

export class Names {
  readonly #raw: Fields
  readonly #declared: ReadonlyMap<string, unknown>
  readonly #things: readonly string[]
  #byPlain: Map<string, string> | null = null

  /** @param declared contract names of this object; they never match another field */
  constructor(raw: Fields, declared: ReadonlyMap<string, unknown>, things: readonly string[]) {
    this.#raw = raw
    this.#declared = declared
    this.#things = things
  }

  /** Candidate names, likeliest first: other spellings, synonyms, then both prefixed, as in `server_id`. */
  *of(name: string, synonyms: readonly string[]): Generator<string> {
    for (const before of ['', ...this.#things])
      for (const wanted of [name, ...synonyms]) {
        const found = this.#find(plain(before + wanted))
        if (found !== undefined && found !== name) yield found
      }
  }

  /** `undefined` if missing. The word without `is` counts only if no field has that name. */
  flag(word: string): boolean | undefined {
    const isField = [...this.#declared.keys()].some((name) => plain(name) === plain(word))
    for (const wanted of isField ? [`is${word}`] : [`is${word}`, word]) {
      const found = this.#find(plain(wanted))
      const value = found === undefined ? undefined : own(this.#raw, found)
      if (typeof value === 'boolean') return value
    }
    return undefined
  }

  #find(wanted: string): string | undefined {
    if (!this.#byPlain) {
      this.#byPlain = new Map()
      for (const name of Object.keys(this.#raw)) {
        if (this.#declared.has(name)) continue
        const known = plain(name)
        if (!this.#byPlain.has(known)) this.#byPlain.set(known, name)
      }
    }
    return this.#byPlain.get(wanted)
  }
}
