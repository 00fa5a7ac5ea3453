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
  #byPlain: Map<string, string> | null = null

  /** @param declared contract names of this object; they never match another field */
  constructor(raw: Fields, declared: ReadonlyMap<string, unknown>) {
    this.#raw = raw
    this.#declared = declared
  }

  /** Candidate names, likeliest first: other spellings, then synonyms. */
  of(name: string, synonyms: readonly string[]): string[] {
    const byPlain = (this.#byPlain ??= this.#spelled())
    return [name, ...synonyms].flatMap((wanted) => byPlain.get(plain(wanted)) ?? [])
  }

  #spelled(): Map<string, string> {
    const names = new Map<string, string>()
    for (const name of Object.keys(this.#raw)) {
      const known = plain(name)
      if (!this.#declared.has(name) && !names.has(known)) names.set(known, name)
    }
    return names
  }
}
