import type { FileEntry } from '../../../../contract/bridge/values.ts'
import { compareByNumber } from '../../../core/compare-by-number.ts'

export type SortKey = 'name' | 'size' | 'modified'

export interface Order {
  key: SortKey
  descending: boolean
}

/** Whether something can be gone into. */
export function isFolder(entry: FileEntry): boolean {
  return entry.kind === 'folder'
}

/** How names are compared in a language: `2` before `10`, upper case beside lower case. Made once, used for all rows. */
export function nameOrder(locale: string): Intl.Collator {
  return new Intl.Collator(locale, { numeric: true })
}

/** Entries in order, folders always first. What has no size or time comes last, whichever way round. */
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
  // Folders have no size of their own.
  folders.sort(order.key === 'size' ? byName : within)
  others.sort(within)
  return [...folders, ...others]
}

type Compare = (a: FileEntry, b: FileEntry) => number

/** Numbers are read once for each entry, not once for each comparison. */
function byNumber(read: (entry: FileEntry) => number | null, way: number, otherwise: Compare): Compare {
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

/** Text as it is compared while typing: however an accent was composed, in either case. */
export function plainText(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase()
}

/** The entries whose name holds what was typed. */
export function filtered(entries: readonly FileEntry[], typed: string): readonly FileEntry[] {
  const needle = plainText(typed.trim())
  if (needle === '') return entries
  return entries.filter((entry) => plainText(entry.name).includes(needle))
}
