/** For all windows, far more than they can show. */
const MOST = 1000

export class ShownViews {
  readonly #windows = new Map<string, Set<object>>()

  has(key: string): boolean {
    return this.#windows.has(key)
  }

  keys(): string[] {
    return [...this.#windows.keys()]
  }

  show(key: string, by: object): void {
    const windows = this.#windows.get(key) ?? new Set()
    if (windows.size === 0 && this.#windows.size >= MOST) return
    this.#windows.set(key, windows.add(by))
  }

  leave(key: string, by: object): void {
    const windows = this.#windows.get(key)
    windows?.delete(by)
    if (windows?.size === 0) this.#windows.delete(key)
  }

  detach(by: object): void {
    for (const key of this.keys()) this.leave(key, by)
  }
}
