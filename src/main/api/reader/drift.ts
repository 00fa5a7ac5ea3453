import type { Kind } from './scalars.ts'

/** A difference from the contract. Kinds and names, never values. */
export interface Drift {
  /** Such as `items.[].createdAt`, without list indexes. */
  path: string
  expected: Kind
  found: Kind
  /** The name actually found, if different. */
  as?: string
}

/** Differences reported per answer: a foreign list could have one for every item. */
const PLACES_MOST = 50
/** Whether this is a field name. Keys can also be data, such as addresses. */
const isName = (name: string): boolean => /^[A-Za-z_$][\w$.-]{0,59}$/.test(name)

export class Findings {
  readonly #path: string[] = []
  /** While reading under another name: that name, and the value's depth. */
  #under: { name: string; depth: number } | null = null
  readonly #places = new Map<string, Drift>()
  /** Strings that represent integers a double would round. */
  readonly long = new Set<string>()
  /** A string field received an integer that may have been rounded; read the source for exact digits. */
  rounded = false
  readonly numbers: (readonly [resource: string, id: string])[] = []
  /** Path of the last required field that did not fit, such as `items.3.name`. */
  misfit: string | null = null

  get drifts(): Drift[] {
    return [...this.#places.values()]
  }

  anew(): Findings {
    const other = new Findings()
    other.rounded = this.rounded
    for (const text of this.long) other.long.add(text)
    return other
  }

  within<T>(name: string, read: () => T): T {
    this.#path.push(name)
    try {
      return read()
    } finally {
      this.#path.pop()
    }
  }

  /** Reads this value under another name; findings about the value itself carry that name. */
  under<T>(name: string, read: () => T): T {
    const before = this.#under
    this.#under = { name, depth: this.#path.length }
    try {
      return read()
    } finally {
      this.#under = before
    }
  }

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
