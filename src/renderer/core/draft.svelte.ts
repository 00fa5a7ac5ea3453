export interface Conflict<V extends object, Key extends keyof V = keyof V> {
  key: Key
  mine: V[Key]
  theirs: V[Key]
}

/** `from`: what the service had when it was typed, or when the user chose to keep it. */
interface Edit<T> {
  value: T
  from: T
}

/** Unsaved changes on top of what the service has. A value changed on both sides is a conflict to resolve before saving. */
export class Draft<V extends object> {
  readonly #base: (key: keyof V) => V[keyof V]
  readonly #isSame: (key: keyof V, one: V[keyof V], other: V[keyof V]) => boolean
  #edits = $state.raw<ReadonlyMap<keyof V, Edit<V[keyof V]>>>(new Map())
  /** The edits being saved. */
  #sent = $state.raw<ReadonlyMap<keyof V, Edit<V[keyof V]>> | null>(null)

  /**
   * @param base what the service has now; read reactively
   * @param isSame whether the service would see no difference
   */
  constructor(
    base: (key: keyof V) => V[keyof V],
    isSame: (key: keyof V, one: V[keyof V], other: V[keyof V]) => boolean = (_key, one, other) =>
      one === other,
  ) {
    this.#base = base
    this.#isSame = isSame
  }

  readonly changes: ReadonlyMap<keyof V, V[keyof V]> = $derived.by(() => {
    const changes = new Map<keyof V, V[keyof V]>()
    for (const [key, { value }] of this.#edits)
      if (!this.#isSame(key, value, this.#base(key))) changes.set(key, value)
    return changes
  })

  readonly conflicts: readonly Conflict<V>[] = $derived(
    [...this.changes].flatMap(([key, mine]) => {
      const theirs = this.#base(key)
      const sent = this.#sent?.get(key)
      const isKnown =
        this.#isSame(key, this.#edits.get(key)!.from, theirs) ||
        (sent !== undefined && this.#isSame(key, sent.value, theirs))
      return isKnown ? [] : [{ key, mine, theirs }]
    }),
  )

  readonly dirty = $derived(this.changes.size > 0)

  get saving(): boolean {
    return this.#sent !== null
  }

  get changed(): Partial<V> {
    return Object.fromEntries(this.changes) as Partial<V>
  }

  get<Key extends keyof V>(key: Key): V[Key] {
    const edit = this.#edits.get(key)
    return (edit ? edit.value : this.#base(key)) as V[Key]
  }

  set<Key extends keyof V>(key: Key, value: V[Key]): void {
    const base = this.#base(key)
    const edits = new Map(this.#edits)
    const before = edits.get(key)
    // Undoing a value that is being saved changes it again.
    if (value === base && !this.#sent?.has(key)) edits.delete(key)
    else edits.set(key, { value, from: before ? before.from : base })
    this.#edits = edits
  }

  /** Makes these the only changes. */
  replace(changes: ReadonlyMap<keyof V, V[keyof V]>): void {
    for (const key of this.#edits.keys()) if (!changes.has(key)) this.#forget(key)
    for (const [key, value] of changes) this.set(key, value)
  }

  resolve(key: keyof V, whose: 'mine' | 'theirs'): void {
    if (whose === 'theirs') this.#forget(key)
    else this.#edits = new Map(this.#edits).set(key, { value: this.get(key), from: this.#base(key) })
  }

  /** A running save is not canceled. */
  discard(): void {
    this.#edits = this.#sent ?? new Map()
  }

  /** Runs `send`, which has to renew the base too. What is typed meanwhile stays a change. */
  async save(send: () => Promise<void>): Promise<void> {
    const sent = this.#edits
    this.#sent = sent
    try {
      await send()
      for (const [key, { value }] of sent) {
        const now = this.get(key)
        if (this.#isSame(key, now, value)) this.#forget(key)
        else this.#edits = new Map(this.#edits).set(key, { value: now, from: value })
      }
    } finally {
      this.#sent = null
    }
  }

  #forget(key: keyof V): void {
    const edits = new Map(this.#edits)
    edits.delete(key)
    this.#edits = edits
  }
}
