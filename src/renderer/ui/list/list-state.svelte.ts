import { Selection } from './selection.svelte.ts'

/** A list that can be filtered and sorted, with a selection. */
export abstract class ListState<Entry extends { id: string }, Key extends string> {
  filter = $state('')
  order = $state.raw<{ key: Key | 'name'; descending: boolean }>({ key: 'name', descending: false })
  readonly selection = new Selection(() => this.ids)

  /** By name. */
  abstract readonly entries: readonly Entry[]
  /** @param wanted the filter in lower case; may be empty */
  protected abstract isShown(entry: Entry, wanted: string): boolean
  /** What sorts by this key; entries with the same value keep the order of names. */
  protected abstract sortValue(key: Key): (entry: Entry) => number | string

  readonly rows = $derived.by((): readonly Entry[] => {
    const wanted = this.filter.trim().toLowerCase()
    const shown = this.entries.filter((entry) => this.isShown(entry, wanted))
    const { key, descending } = this.order
    if (key === 'name') return descending ? shown.reverse() : shown
    return sorted(shown, this.sortValue(key), descending)
  })
  readonly ids = $derived(this.rows.map(({ id }) => id))
  readonly selected = $derived.by((): readonly Entry[] => {
    const ids = new Set(this.selection.names)
    return ids.size === 0 ? [] : this.rows.filter(({ id }) => ids.has(id))
  })
  readonly filtering = $derived(this.filter.trim() !== '')

  sortBy(key: Key | 'name', descendingFirst = false): void {
    this.order = { key, descending: this.order.key === key ? !this.order.descending : descendingFirst }
  }

  entryOf(id: string): Entry | null {
    return this.entries.find((entry) => entry.id === id) ?? null
  }
}

function sorted<Entry>(
  entries: readonly Entry[],
  value: (entry: Entry) => number | string,
  descending: boolean,
): Entry[] {
  const collator = new Intl.Collator('en', { numeric: true })
  const compare = (a: number | string, b: number | string) => {
    if (typeof a === 'string' || typeof b === 'string') return collator.compare(String(a), String(b))
    // Infinity - Infinity is NaN.
    return a === b ? 0 : a - b
  }
  return entries
    .map((entry) => ({ entry, by: value(entry) }))
    .sort((a, b) => (descending ? compare(b.by, a.by) : compare(a.by, b.by)))
    .map(({ entry }) => entry)
}
