/** So many are held in memory, and those of them that are read again when they go stale: what somebody may be looking at. */
const HELD = 24
const RECENT = 4
/** Items of all of them held in memory, unless the few shown last have more: 20,000 take some 7 MB. */
const HELD_ITEMS = 20_000

/** Views that are many and can be large, such as folders: those that were shown longest ago are let go. */
export class LruViews {
  /** How many items each has, by its key; the one shown last at the end. */
  readonly #items = new Map<string, number>()

  has(key: string): boolean {
    return this.#items.has(key)
  }

  /** It is shown now and has so many items. Answers those that are let go for it. */
  show(key: string, items: number): string[] {
    this.#items.delete(key)
    this.#items.set(key, items)
    let all = [...this.#items.values()].reduce((sum, count) => sum + count, 0)
    const gone: string[] = []
    for (const [oldest, count] of this.#items) {
      const isLarge = this.#items.size > RECENT && all > HELD_ITEMS
      if (this.#items.size <= HELD && !isLarge) break
      all -= count
      this.#items.delete(oldest)
      gone.push(oldest)
    }
    return gone
  }

  /** One that is held has so many items now. */
  count(key: string, items: number): void {
    if (this.#items.has(key)) this.#items.set(key, items)
  }

  forget(key: string): void {
    this.#items.delete(key)
  }

  /** Those that were shown last. */
  recent(): ReadonlySet<string> {
    return new Set([...this.#items.keys()].slice(-RECENT))
  }
}
