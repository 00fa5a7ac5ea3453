/** How a click or a key changes what is selected. */
export type Reach =
  /** Only this one. */
  | 'only'
  /** This one in or out, the others stay. */
  | 'toggle'
  /** Everything from the anchor to here. */
  | 'range'
  /** Everything from the anchor to here, and what was selected before. */
  | 'add-range'

/** What is selected in a list of names, and where its cursor is. Names stay selected wherever sorting puts them. */
export class Selection {
  #names = $state.raw<ReadonlySet<string>>(new Set())
  #cursor = $state.raw<string | null>(null)
  #anchor: string | null = null
  /** Where the cursor was found last: there it mostly still is, and an index of 20,000 names takes 10 ms. */
  #at = -1
  #source: () => readonly string[]
  #list = $derived.by(() => this.#source())
  #index = $derived.by(() => {
    const index = new Map<string, number>()
    for (const [at, name] of this.#list.entries()) index.set(name, at)
    return index
  })

  /** @param list the names as they are shown, in order */
  constructor(list: () => readonly string[]) {
    this.#source = list
  }

  /** The selected names that are shown, in their order. */
  get names(): string[] {
    if (this.#names.size === 0) return []
    if (this.#names.size === 1) return [...this.#names].filter((name) => this.#isShown(name))
    return this.#list.filter((name) => this.#names.has(name))
  }

  get size(): number {
    let size = 0
    for (const name of this.#names) if (this.#isShown(name)) size += 1
    return size
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** The row that keys begin from, or -1. */
  get cursor(): number {
    const name = this.#cursor
    if (name === null) return -1
    if (this.#list[this.#at] !== name) this.#at = this.#index.get(name) ?? -1
    return this.#at
  }

  get cursorName(): string | null {
    return this.cursor === -1 ? null : this.#cursor
  }

  /** Moves the cursor to a row and selects from there. */
  go(index: number, reach: Reach): void {
    const name = this.#list[index]
    if (name === undefined) return
    this.#at = index
    this.#cursor = name
    switch (reach) {
      case 'only':
        this.#anchor = name
        this.#names = new Set([name])
        break
      case 'toggle': {
        const next = new Set(this.#names)
        if (!next.delete(name)) next.add(name)
        this.#anchor = name
        this.#names = next
        break
      }
      case 'range':
        this.#names = new Set(this.#between(index))
        break
      case 'add-range':
        this.#names = new Set([...this.#names, ...this.#between(index)])
        break
    }
  }

  /** Moves the cursor and leaves the selection as it is. */
  point(index: number): void {
    const name = this.#list[index]
    if (name === undefined) return
    this.#at = index
    this.#cursor = name
    this.#anchor ??= name
  }

  /** Selects these names, as after something was made or pasted; the first gets the cursor. */
  take(names: readonly string[]): void {
    this.#names = new Set(names)
    this.#cursor = names[0] ?? null
    this.#anchor = this.#cursor
  }

  all(): void {
    this.#names = new Set(this.#list)
    if (this.cursor === -1) this.#cursor = this.#list[0] ?? null
  }

  none(): void {
    this.#names = new Set()
    this.#anchor = this.#cursor
  }

  #isShown(name: string): boolean {
    return name === this.#cursor ? this.cursor !== -1 : this.#index.has(name)
  }

  #between(index: number): readonly string[] {
    const from = this.#anchor === null ? index : (this.#index.get(this.#anchor) ?? index)
    if (this.#anchor === null) this.#anchor = this.#list[index] ?? null
    return this.#list.slice(Math.min(from, index), Math.max(from, index) + 1)
  }
}
