import { type Fields, isFields, own } from './fields.ts'
import { type ListItem, LOOKED_AT } from './list-item.ts'
import { plain } from './scalars.ts'
import { isAboutOthers, isBeside } from './wrapped.ts'

export interface SoughtByIds {
  item: ListItem
  known: ReadonlySet<string>
  /** Known names that don't identify the type of item. */
  general: ReadonlySet<string>
}

/** Items keyed by ID; null if some entries can't be items. */
export interface FoundByIds {
  raw: readonly unknown[] | null
  path: readonly string[]
}

/** Keys that are certainly IDs: a number, an ObjectId, a UUID. */
const ID = /^(?:\d{1,20}|[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Finds an object of items keyed by ID: under a known name, or the whole answer if its keys are IDs. */
export function listByIds(value: Fields, sought: SoughtByIds): FoundByIds | null {
  const { known, general, item } = sought
  for (const name of Object.keys(value)) {
    const all = own(value, name)
    if (!known.has(plain(name)) || !isFields(all)) continue
    const entries = Object.entries(all).filter(([, one]) => one !== null)
    const isGeneral = general.has(plain(name))
    const raw = itemsOf(entries, sought, isGeneral)
    // A word like `owner` isn't an ID, even if its value has a name.
    if (raw && (!isGeneral || areIds(entries, item)))
      return { raw: raw.includes(undefined) ? null : raw, path: [name] }
  }
  const entries = Object.entries(value).filter(
    ([key, one]) => one !== null && !isAboutOthers(key) && (isFields(one) || !isBeside(key)),
  )
  const raw = itemsOf(entries, sought, true)
  return raw && !raw.includes(undefined) && areIds(entries, item) ? { raw, path: [] } : null
}

/** `undefined` for entries that aren't items; null if there are none, or if an apparent item contains others. */
function itemsOf(
  entries: readonly [string, unknown][],
  { item, known }: SoughtByIds,
  strict: boolean,
): unknown[] | null {
  const isWrapper = ([key, one]: readonly [string, unknown]) =>
    Array.isArray(one) || known.has(plain(key)) || isAboutOthers(key) || item.isCalled(key)
  if (entries.some(isWrapper)) return null
  const first = entries.slice(0, LOOKED_AT)
  if (first.every(([key, one]) => item.under(key, one, strict) === undefined)) return null
  const raw = entries.map(([key, one]) => item.under(key, one, strict))
  return raw.some((one) => one !== undefined) ? raw : null
}

/** Keys are IDs if an item repeats its own, or if they can't be anything else. */
const areIds = (entries: readonly [string, unknown][], item: ListItem): boolean =>
  entries.every(([key]) => ID.test(key)) || entries.some(([key, one]) => item.idOf(one) === key)
