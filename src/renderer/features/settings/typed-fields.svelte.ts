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

  /** What each field shows. To be asked after `take`. */
  get now(): V {
    return { ...this.#given, ...this.#typed } as V
  }

  /** The fields that are not what the service says. */
  get changed(): Partial<V> {
    const given = this.#given
    const changed = Object.entries(this.#typed).filter(([key, value]) => value !== given?.[key])
    return Object.fromEntries(changed) as Partial<V>
  }

  get conflicts(): readonly FieldConflict<V>[] {
    const { now } = this
    return this.#open.map((key) => ({ key, mine: now[key], theirs: this.#given![key] }))
  }

  type(change: Partial<V>): void {
    this.#typed = { ...this.#typed, ...change }
    this.#close((key) => !(key in change))
  }

  /** The settings as they are now. */
  take(next: V): void {
    const before = this.#given
    this.#given = next
    if (before === null) return
    const keys = Object.keys(this.#typed) as (keyof V)[]
    const same = keys.filter((key) => this.#typed[key] === next[key])
    for (const key of same) this.#forget(key)
    const met = keys.filter((key) => !same.includes(key) && next[key] !== before[key])
    this.#open = [...new Set([...this.#open, ...met])].filter((key) => !same.includes(key))
  }

  /** Of a field that both have changed, takes the one or the other. */
  resolve(key: keyof V, whose: 'mine' | 'theirs'): void {
    if (whose === 'theirs') this.#forget(key)
    this.#close((one) => one !== key)
  }

  /** It is saved. */
  clear(): void {
    this.#typed = {}
    this.#open = []
  }

  #forget(key: keyof V): void {
    const { [key]: _gone, ...rest } = this.#typed
    this.#typed = rest as Partial<V>
  }

  #close(stays: (key: keyof V) => boolean): void {
    this.#open = this.#open.filter(stays)
  }
}
