/** Views in memory; recent ones are refreshed when they become stale. */
const HELD = 24
const RECENT = 4
/** Items in memory, about 7 MB; the views shown last may exceed it. */
const HELD_ITEMS = 20_000

/** Evicts large views such as folders, least recently shown first. */
export class LruViews {
  /** Item counts by key, most recently shown last. */
  readonly #items = new Map<string, number>()

  has(key: string): boolean {
    return this.#items.has(key)
  }

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

  count(key: string, items: number): void {
    if (this.#items.has(key)) this.#items.set(key, items)
  }

  forget(key: string): void {
    this.#items.delete(key)
  }

  recent(): ReadonlySet<string> {
    return new Set([...this.#items.keys()].slice(-RECENT))
  }
}
