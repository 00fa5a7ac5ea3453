import type { Kind } from './scalars.ts'

/** One thing that an answer does otherwise than the contract. Kinds and names, never values. */
export interface Drift {
  /** Where, such as `items.[].createdAt`; places in lists are not told apart. */
  path: string
  expected: Kind
  found: Kind
  /** The name it was found under, where that is another one. */
  as?: string
}

/** Most different places one answer tells of: a foreign list could have as many as it has items. */
const PLACES_MOST = 50
/** A name that somebody gave a field. What stands in the place of one can be a value too, such as an address. */
const isName = (name: string): boolean => /^[A-Za-z_$][\w$.-]{0,59}$/.test(name)

/** What reading one answer found out: where it drifted, and the required field that was not there. */
export class Findings {
  readonly #path: string[] = []
  /** Of a field that is read under another name: the name, and how deep its value lies. */
  #under: { name: string; depth: number } | null = null
  readonly #places = new Map<string, Drift>()
  /** Texts that stand for integers which a double would round. */
  readonly long = new Set<string>()
  /** An integer was to be read as a text and may have been rounded: the source says it exactly. */
  rounded = false
  /** Ids that came as numbers, by what they name. */
  readonly numbers: (readonly [resource: string, id: string])[] = []
  /** Path of the required field that did not fit last, such as `items.3.name`. */
  misfit: string | null = null

  get drifts(): Drift[] {
    return [...this.#places.values()]
  }

  /** For another reading of the same answer. */
  anew(): Findings {
    const other = new Findings()
    other.rounded = this.rounded
    for (const text of this.long) other.long.add(text)
    return other
  }

  /** Reads something that stands below, so that what is found there is told with its path. */
  within<T>(name: string, read: () => T): T {
    this.#path.push(name)
    try {
      return read()
    } finally {
      this.#path.pop()
    }
  }

  /** Reads the value that stands here under another name: what is found of the value itself is told with that name. */
  under<T>(name: string, read: () => T): T {
    const before = this.#under
    this.#under = { name, depth: this.#path.length }
    try {
      return read()
    } finally {
      this.#under = before
    }
  }

  /** Where reading stands, with places in lists as numbers. */
  get here(): string {
    return this.#path.join('.')
  }

  note(expected: Kind, found: Kind, name?: string): void {
    const as = name ?? (this.#under?.depth === this.#path.length ? this.#under.name : undefined)
    const path = this.#path.map((part) => (/^\d+$/.test(part) ? '[]' : part)).join('.')
    const key = `${path}\n${found}\n${as ?? ''}`
    if (this.#places.has(key) || this.#places.size >= PLACES_MOST) return
    this.#places.set(key, {
      path,
      expected,
      found,
      ...(as !== undefined && isName(as) ? { as } : {}),
    })
  }
}
