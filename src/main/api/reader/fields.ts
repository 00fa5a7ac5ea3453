import { plain } from './scalars.ts'

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (raw: unknown): raw is Fields =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** What stands under a name itself, never what an object inherits. `null` is not given. */
export function own(raw: Fields, name: string): unknown {
  const value = Object.hasOwn(raw, name) ? raw[name] : undefined
  return value === null ? undefined : value
}

/** Finds fields of one object under other names than the contract's. */
export class Names {
  readonly #raw: Fields
  readonly #declared: ReadonlyMap<string, unknown>
  readonly #things: readonly string[]
  #byPlain: Map<string, string> | null = null

  /**
   * @param declared names the contract has for this object: what stands under one is never another's
   * @param things what such a thing is called
   */
  constructor(raw: Fields, declared: ReadonlyMap<string, unknown>, things: readonly string[]) {
    this.#raw = raw
    this.#declared = declared
    this.#things = things
  }

  /**
   * Names that may hold the field, the likeliest first: in another spelling, then the synonyms, then both behind what the
   * thing is called, such as `server_id`.
   */
  *of(name: string, synonyms: readonly string[]): Generator<string> {
    for (const before of ['', ...this.#things])
      for (const wanted of [name, ...synonyms]) {
        const found = this.#find(plain(before + wanted))
        if (found !== undefined && found !== name) yield found
      }
  }

  /**
   * A flag that says `is` before this word, or the word alone where no field is called so; undefined where there is none.
   */
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
