import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { ACTIVITY_PAGE, type ActivityEntry, type Actor } from '../../contract/areas/activity.ts'
import { activityCsv, activityJson } from '../../contract/rules/activity-file.ts'
import { type HostOperations, HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { areaOf, entryIn } from './activity-events.ts'
import { Account, LogEntry, Subuser, timeOf } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import { isSame, type NamedUser } from './people.ts'
import { pathOf } from './servers.ts'

type Entry = z.input<typeof ActivityEntry>
type Person = z.input<typeof Actor> & { id: string }
type AccountEntry = z.output<typeof Account>

const PAGE = 100
/** Pages of the host per question. A panel allows few requests a minute. */
const PAGES_MOST = 5
const EXPORT_PAGES_MOST = 200
const PLACES_KEPT = 100

interface Filter {
  actor?: string | undefined
  area?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The host's log. It filters by nothing but the name of an event, so its pages are read and chosen from here. */
export function activityOf(api: PanelApi): HostOperations {
  const log = new PanelLog(api)
  return {
    'activity.list': async (caller) => {
      const { before, cursor, limit, ...filter } = caller.query
      const place = placeOf(before ?? cursor)
      return log.page(caller.params.serverId, { filter, place, limit: limit ?? ACTIVITY_PAGE }, caller)
    },
    'activity.people': async (caller) => {
      const me = await api.one('/account', Account, caller)
      // Who may read the log may not be one who may see people.
      const { items } = await api
        .page(`${pathOf(caller.params.serverId)}/users`, Subuser, caller)
        .catch((error: unknown) => {
          if (error instanceof HostRefusal && error.status === 403) return { items: [] }
          throw error
        })
      const others = items.filter((user) => !isSame(user, me)).map(personOf)
      return { items: [{ ...personOf(me), you: true }, ...others], nextCursor: null }
    },
    'activity.export': async (caller) => {
      const { format, ...filter } = caller.query
      const text = await log.file(caller.params.serverId, filter, format ?? 'csv', caller)
      return { stream: Readable.from([Buffer.from(text)]), size: null }
    },
  }
}

/** Where an answer ended: the time, and the entry's id. */
interface Place {
  at: number
  id: string
  page: number
}

function placeOf(text: string | undefined): Place | null {
  const at = Number(/^\d{1,15}(?=-)/.exec(text ?? '')?.[0] ?? Number.NaN)
  return text === undefined || Number.isNaN(at) ? null : { at, id: text, page: 1 }
}

class PanelLog {
  readonly #api: PanelApi
  #me: AccountEntry | null = null
  /** Where answers ended: an entry only moves to later pages. */
  readonly #pageOf = new Map<string, number>()

  constructor(api: PanelApi) {
    this.#api = api
  }

  /** Entries after a place, newest first. `nextCursor` also where a further question would have to go on looking. */
  async page(
    id: string,
    { filter, place, limit }: { filter: Filter; place: Place | null; limit: number },
    caller: Caller,
  ): Promise<{ items: Entry[]; nextCursor: string | null }> {
    const items: Entry[] = []
    let last = place
    let hasPassed = place === null
    const from = (place && this.#pageOf.get(`${id} ${place.id}`)) ?? 1
    for await (const { rows, page, isLast } of this.#pages(id, from, from + PAGES_MOST - 1, caller)) {
      for (const row of rows) {
        if (isOlder(row, filter.since)) return { items, nextCursor: null }
        if (!hasPassed && place) {
          // It may be gone by now: then what is older comes after it.
          hasPassed = row.id === place.id || row.at < place.at
          if (!hasPassed || row.id === place.id) continue
        }
        if (items.length === limit) return { items, nextCursor: this.#keep(id, last) }
        if (isWanted(row, filter)) items.push(row.entry)
        if (isWanted(row, filter) || items.length === 0) last = { at: row.at, id: row.id, page }
      }
      if (isLast) return { items, nextCursor: null }
    }
    return { items, nextCursor: this.#keep(id, last) }
  }

  #keep(id: string, place: Place | null): string | null {
    if (!place) return null
    this.#pageOf.set(`${id} ${place.id}`, place.page)
    for (const [oldest] of this.#pageOf) if (this.#pageOf.size > PLACES_KEPT) this.#pageOf.delete(oldest)
    return place.id
  }

  /** All of it, or a refusal. */
  async file(id: string, filter: Filter, format: 'csv' | 'json', caller: Caller): Promise<string> {
    const wanted: Entry[] = []
    let isWhole = false
    for await (const { rows, isLast } of this.#pages(id, 1, EXPORT_PAGES_MOST, caller)) {
      for (const row of rows) if (isWanted(row, filter) && !isOlder(row, filter.since)) wanted.push(row.entry)
      isWhole = isLast
    }
    if (!isWhole) throw hostRefusal(502, 'host.too-long')
    return (format === 'csv' ? activityCsv : activityJson)(wanted, { isFirst: true, isLast: true })
  }

  async *#pages(id: string, first: number, last: number, caller: Caller) {
    const me = (this.#me ??= await this.#api.one('/account', Account, caller))
    const query = { per_page: PAGE, sort: '-timestamp', 'include[]': 'actor' }
    for (let page = first; page <= last; page++) {
      const read = await this.#api.page(`${pathOf(id)}/activity`, LogEntry, caller, { ...query, page })
      const isLast = page >= read.pages
      yield { rows: joined(read.items.map((entry) => rowOf(entry, me))), page, isLast }
      if (isLast) return
    }
  }
}

interface Row {
  id: string
  at: number
  event: string
  entry: Entry
}

function rowOf(entry: LogEntry, me: AccountEntry): Row {
  const { event, ip, properties, timestamp, relationships } = entry
  const user = relationships?.actor?.attributes ?? null
  const time = timeOf(timestamp)
  const at = time === null ? 0 : Date.parse(time)
  const own = JSON.stringify([event, ip, properties, user?.username, entry.batch])
  const id = `${at}-${createHash('sha1')
    .update(entry.id ?? own)
    .digest('hex')
    .slice(0, 16)}`
  const actor = user && { ...personOf(user), ...(isSame(user, me) && { you: true }) }
  return {
    id,
    at,
    event,
    entry: { id, at: time, ...(actor && { actor }), ...entryIn(event, properties), address: ip },
  }
}

/** The same within a second is told once, with how often. */
function joined(rows: readonly Row[]): Row[] {
  const found = new Map<string, Row>()
  for (const row of rows) {
    const same = found.get(row.id)
    if (same) same.entry.times = (same.entry.times ?? 1) + 1
    else found.set(row.id, row)
  }
  return [...found.values()]
}

const isOlder = ({ at }: Row, since: string | undefined): boolean =>
  since !== undefined && at < Date.parse(since)

const isWanted = ({ at, event, entry }: Row, { actor, area, until }: Filter): boolean =>
  (actor === undefined || entry.actor?.id === actor) &&
  (area === undefined || areaOf(event) === area) &&
  (until === undefined || at <= Date.parse(until))

/** By name: Pterodactyl doesn't tell an account's own id. */
const personOf = ({ username }: NamedUser): Person => ({ id: username || '?', name: username })
