import { type Fields, isFields, own } from './fields.ts'
import { type ListItem, LOOKED_AT } from './list-item.ts'
import { plain } from './scalars.ts'
import { isAboutOthers, isBeside } from './wrapped.ts'

/** Where an object of items by their IDs is looked for. */
export interface SoughtByIds {
  item: ListItem
  /** Names a list may stand under. */
  known: ReadonlySet<string>
  /** Those of them that say nothing of what the list holds. */
  general: ReadonlySet<string>
}

/** Items by their IDs; null where there are items, and not all that stands among them can be one. */
export interface FoundByIds {
  raw: readonly unknown[] | null
  path: readonly string[]
}

/** What nobody calls a thing and many call an ID: a number, the digits of an ObjectId, a UUID. */
const ID = /^(?:\d{1,20}|[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** An object of items by their IDs: under a known name, else the answer itself where its names prove to be IDs. */
export function listByIds(value: Fields, sought: SoughtByIds): FoundByIds | null {
  const { known, general, item } = sought
  for (const name of Object.keys(value)) {
    const all = own(value, name)
    if (!known.has(plain(name)) || !isFields(all)) continue
    const entries = Object.entries(all).filter(([, one]) => one !== null)
    const isGeneral = general.has(plain(name))
    const raw = itemsOf(entries, sought, isGeneral)
    // A word such as `owner` is no ID, though what stands under it has a name.
    if (raw && (!isGeneral || areIds(entries, item)))
      return { raw: raw.includes(undefined) ? null : raw, path: [name] }
  }
  const entries = Object.entries(value).filter(
    ([key, one]) => one !== null && !isAboutOthers(key) && (isFields(one) || !isBeside(key)),
  )
  const raw = itemsOf(entries, sought, true)
  return raw && !raw.includes(undefined) && areIds(entries, item) ? { raw, path: [] } : null
}

/** The items, with `undefined` for what is none; null where there is none at all, or what looks like one is around others. */
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

/** Whether keys are IDs: one of the items says so of its own, or they can be nothing else. */
const areIds = (entries: readonly [string, unknown][], item: ListItem): boolean =>
  entries.every(([key]) => ID.test(key)) || entries.some(([key, one]) => item.idOf(one) === key)
