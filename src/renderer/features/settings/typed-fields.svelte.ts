type Values = Readonly<Record<string, string | boolean>>

export interface FieldConflict<V extends Values, Key extends keyof V = keyof V> {
  key: Key
  mine: V[Key]
  theirs: V[Key]
}

/** Unsaved changes on top of the service's settings. Conflicting ones are kept; the user must choose before saving. */
export class TypedFields<V extends Values> {
  #given = $state.raw<V | null>(null)
  #typed = $state.raw<Partial<V>>({})
  #open = $state.raw<readonly (keyof V)[]>([])
  readonly #plain: (key: keyof V, value: V[keyof V]) => unknown

  /** @param plain the value as sent; equal ones don't conflict */
  constructor(plain: (key: keyof V, value: V[keyof V]) => unknown = (_key, value) => value) {
    this.#plain = plain
  }

  /** Call after `take`. */
  get now(): V {
    return { ...this.#given, ...this.#typed } as V
  }

  get changed(): Partial<V> {
    const given = this.#given
    const changed = Object.entries(this.#typed).filter(
      ([key, value]) => !given || !this.#same(key, value as V[string], given[key] as V[string]),
    )
    return Object.fromEntries(changed) as Partial<V>
  }

  get conflicts(): readonly FieldConflict<V>[] {
    const { now } = this
    return this.#open.map((key) => ({ key, mine: now[key], theirs: this.#given![key] }))
  }

  get typed(): Partial<V> {
    return this.#typed
  }

  /** Typing does not resolve a conflict, unless it matches the current value. */
  type(change: Partial<V>): void {
    this.#typed = { ...this.#typed, ...change }
    for (const key of Object.keys(change)) if (change[key] === this.#given?.[key]) this.#forget(key)
  }

  take(next: V): void {
    const before = this.#given
    this.#given = next
    if (before === null) return
    const keys = Object.keys(this.#typed) as (keyof V)[]
    for (const key of keys) if (this.#typed[key] === next[key]) this.#forget(key)
    const met = keys.filter((key) => !this.#same(key, next[key], before[key]))
    const isOpen = (key: keyof V) => key in this.#typed && !this.#same(key, this.#typed[key]!, next[key])
    this.#open = [...new Set([...this.#open, ...met])].filter(isOpen)
  }

  resolve(key: keyof V, whose: 'mine' | 'theirs'): void {
    if (whose === 'theirs') this.#forget(key)
    else this.#close(key)
  }

  discard(): void {
    this.#typed = {}
    this.#open = []
  }

  /** Keeps what was typed since, without conflicts. */
  saved(sent: Partial<V>): void {
    for (const key of Object.keys(sent) as (keyof V)[])
      if (this.#typed[key] === sent[key]) this.#forget(key)
      else if (this.#given && this.#same(key, sent[key]!, this.#given[key])) this.#close(key)
  }

  #forget(key: keyof V): void {
    const { [key]: _gone, ...rest } = this.#typed
    this.#typed = rest as Partial<V>
    this.#close(key)
  }

  #close(key: keyof V): void {
    this.#open = this.#open.filter((one) => one !== key)
  }

  #same(key: keyof V, one: V[keyof V], other: V[keyof V]): boolean {
    return this.#plain(key, one) === this.#plain(key, other)
  }
}
