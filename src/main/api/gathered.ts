import type { LeftOut, Page } from '../../contract/areas/operation.ts'

/**
 * What the pages of a list hold together. An item is named by its key once: a list that shifts between two pages can show
 * one again, which is passed over; two of one name in the same answer are told as left out.
 */
export class Gathered<T> {
  readonly items: T[] = []
  readonly leftOut: LeftOut[] = []
  readonly #keyOf: (item: T) => string
  readonly #field: string
  readonly #seen = new Set<string>()
  #count = 0

  /** @param field where the key stands in an item, for people */
  constructor(field: keyof T & string, keyOf: (item: T) => string) {
    this.#field = field
    this.#keyOf = keyOf
  }

  /** How many the service has sent, those that were left out among them. */
  get count(): number {
    return this.#count
  }

  add(page: Page<T>): this {
    const before = this.#count
    for (const left of page.leftOut) this.leftOut.push({ ...left, index: before + left.index })
    const here = new Set<string>()
    for (const [index, item] of page.items.entries()) {
      const key = this.#keyOf(item)
      if (here.has(key)) this.leftOut.push({ index: before + index, path: `items.${index}.${this.#field}` })
      else if (!this.#seen.has(key)) this.items.push(item)
      here.add(key)
      this.#seen.add(key)
    }
    this.#count += page.items.length + page.leftOut.length
    return this
  }
}
