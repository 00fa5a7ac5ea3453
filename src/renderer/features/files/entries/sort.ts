import type { FileEntry } from '../../../../contract/bridge/values.ts'
import { compareByNumber } from '../../../core/compare-by-number.ts'

export type SortKey = 'name' | 'size' | 'modified'

export interface Order {
  key: SortKey
  descending: boolean
}

export function isFolder(entry: FileEntry): boolean {
  return entry.kind === 'folder'
}

/** Natural order: `2` before `10`, ignoring case. Costly to create, so made once for all rows. */
export function nameOrder(locale: string): Intl.Collator {
  return new Intl.Collator(locale, { numeric: true })
}

/** Folders always first; entries without size or time last in either direction. */
export function sorted(entries: readonly FileEntry[], order: Order, names: Intl.Collator): FileEntry[] {
  const way = order.descending ? -1 : 1
  const byName = (a: FileEntry, b: FileEntry) =>
    compareByNumber(a.name, b.name) || names.compare(a.name, b.name)
  const within =
    order.key === 'name'
      ? (a: FileEntry, b: FileEntry) => way * byName(a, b)
      : byNumber(order.key === 'size' ? sizes : times, way, byName)
  const folders: FileEntry[] = []
  const others: FileEntry[] = []
  for (const entry of entries) (isFolder(entry) ? folders : others).push(entry)
  // Folders have no size.
  folders.sort(order.key === 'size' ? byName : within)
  others.sort(within)
  return [...folders, ...others]
}

type EntryComparator = (a: FileEntry, b: FileEntry) => number

function byNumber(
  read: (entry: FileEntry) => number | null,
  way: number,
  otherwise: EntryComparator,
): EntryComparator {
  const known = new Map<FileEntry, number | null>()
  const of = (entry: FileEntry) => {
    let number = known.get(entry)
    if (number === undefined) known.set(entry, (number = read(entry)))
    return number
  }
  return (a, b) => {
    const left = of(a)
    const right = of(b)
    if (left === right) return otherwise(a, b)
    if (left === null) return 1
    if (right === null) return -1
    return way * (left - right)
  }
}

const sizes = (entry: FileEntry): number | null => entry.size ?? null
const times = (entry: FileEntry): number | null => (entry.modifiedAt ? Date.parse(entry.modifiedAt) : null)

/** Normalizes accents and case for comparing. */
export function plainText(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase()
}

export function filtered(entries: readonly FileEntry[], typed: string): readonly FileEntry[] {
  const needle = plainText(typed.trim())
  if (needle === '') return entries
  return entries.filter((entry) => plainText(entry.name).includes(needle))
}
