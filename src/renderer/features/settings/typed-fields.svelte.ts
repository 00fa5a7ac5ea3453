type Values = Readonly<Record<string, string | boolean>>

/** A field that was changed here, and meanwhile elsewhere too. */
export interface FieldConflict<V extends Values, Key extends keyof V = keyof V> {
  key: Key
  mine: V[Key]
  theirs: V[Key]
}

/**
 * What was changed in a form and is not saved, on top of the settings as the service says them. A field that was changed
 * elsewhere too keeps what was typed, and a person chooses before anything is saved.
 */
export class TypedFields<V extends Values> {
  #given = $state.raw<V | null>(null)
  #typed = $state.raw<Partial<V>>({})
  #open = $state.raw<readonly (keyof V)[]>([])
  readonly #plain: (key: keyof V, value: V[keyof V]) => unknown

  /** @param plain what is sent of a value: two that are sent alike are no two opinions. */
  constructor(plain: (key: keyof V, value: V[keyof V]) => unknown = (_key, value) => value) {
    this.#plain = plain
  }

  /** What each field shows. To be asked after `take`. */
  get now(): V {
    return { ...this.#given, ...this.#typed } as V
  }

  /** The fields that are not what the service says. */
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

  /** What was typed and is not saved. */
  get typed(): Partial<V> {
    return this.#typed
  }

  /** A conflict stays open until a person chooses, or types what is there: the next letter is no choice. */
  type(change: Partial<V>): void {
    this.#typed = { ...this.#typed, ...change }
    // What was taken back is no longer anybody's change.
    for (const key of Object.keys(change)) if (change[key] === this.#given?.[key]) this.#forget(key)
  }

  /** The settings as they are now. */
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

  /** Of a field that both have changed, takes the one or the other. */
  resolve(key: keyof V, whose: 'mine' | 'theirs'): void {
    if (whose === 'theirs') this.#forget(key)
    else this.#close(key)
  }

  /** Takes back all that was typed. */
  discard(): void {
    this.#typed = {}
    this.#open = []
  }

  /** What was sent is saved. What was typed since stays, and has nobody else's change to be asked about. */
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
