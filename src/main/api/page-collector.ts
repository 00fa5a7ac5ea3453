import { isDeepStrictEqual } from 'node:util'
import type { InvalidItem, Page } from '../../contract/declarations/operation.ts'

/** Joins pages. A repeat on a later page is skipped; a duplicate key within one page is reported as left out. */
export class PageCollector<T extends object> {
  readonly items: T[] = []
  readonly leftOut: InvalidItem[] = []
  readonly #unreadable = new Set<string>()
  readonly #by: string | null
  readonly #seen = new Set<unknown>()
  readonly #pages: Pick<Page<T>, 'items' | 'leftOut'>[] = []
  #count = 0

  /** @param by field that identifies items; null if two may be equal */
  constructor(by: string | null) {
    this.#by = by
  }

  get unreadable(): Pick<Page<T>, 'unreadable'> {
    return this.#unreadable.size > 0 ? { unreadable: [...this.#unreadable] } : {}
  }

  get count(): number {
    return this.#count
  }

  isWhole({ complete, total }: Pick<Page<T>, 'complete' | 'total'>): boolean {
    return complete || (total !== undefined && this.#count >= total)
  }

  /** Whether an identical page was added before. Empty pages don't count. */
  has({ items, leftOut }: Pick<Page<T>, 'items' | 'leftOut'>): boolean {
    if (items.length + leftOut.length === 0) return false
    return this.#pages.some((one) => isDeepStrictEqual(one, { items, leftOut }))
  }

  add(page: Page<T>): this {
    const before = this.#count
    this.#pages.push({ items: page.items, leftOut: page.leftOut })
    for (const part of page.unreadable ?? []) this.#unreadable.add(part)
    for (const left of page.leftOut) this.leftOut.push({ ...left, index: before + left.index })
    const here = new Set<unknown>()
    for (const [index, item] of page.items.entries()) {
      const key = this.#by === null ? item : (item as Record<string, unknown>)[this.#by]
      if (here.has(key)) this.leftOut.push({ index: before + index, path: `items.${index}.${this.#by}` })
      else if (!this.#seen.has(key)) this.items.push(item)
      here.add(key)
      this.#seen.add(key)
    }
    this.#count += page.items.length + page.leftOut.length
    return this
  }
}
