import type { z } from 'zod'
import { activity, type ActivityEntry, type Actor, ACTIVITY_PAGE } from '../../../contract/areas/activity.ts'
import type { AccessGrant } from '../../base/access.ts'
import { isoTime } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import type { EntryFilter, EntryPosition, EntryRow } from '../../store/activity.ts'
import type { ActivityLog } from './activity-log.ts'
import { exportOf } from './export.ts'

const PEOPLE_PAGE = 50
const SERVICE = 'service'

export type ActivityEntryInput = z.input<typeof ActivityEntry>

interface Reader extends AccessGrant {
  accountId: string
}

export function mountActivity(app: ServiceApp, log: ActivityLog): void {
  serve(app, activity.list, ({ server, held, caller, query }) => {
    const reader = { server, held, accountId: caller.accountId }
    const place = query.before ?? query.cursor
    const before =
      place === undefined ? NEWEST : placeOf(place, query.before === undefined ? 'cursor' : 'before')
    const limit = query.limit ?? ACTIVITY_PAGE
    const rows = log.page(server.id, filterOf(query), before, limit + 1)
    const items = rows.slice(0, limit).map((row) => shown(row, reader))
    return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
  })

  serve(app, activity.people, ({ server, caller, query }) => {
    const limit = query.limit ?? PEOPLE_PAGE
    const found = log.people(server.id, query.cursor ?? '', limit + 1)
    const rows = (query.cursor === undefined ? found : found.filter(({ actor }) => actor !== '')).slice(
      0,
      limit,
    )
    return {
      items: rows.map((row) => actorOf(row, server.ownerId, caller.accountId)),
      nextCursor: found.length > limit ? (rows.at(-1)?.actor ?? null) : null,
    }
  })

  serve(app, activity.export, ({ server, held, caller, query, c }) => {
    const reader = { server, held, accountId: caller.accountId }
    const filter = filterOf(query)
    const read = (before: EntryPosition, limit: number) => log.page(server.id, filter, before, limit)
    return exportOf(c, query.format ?? 'csv', read, (row) => shown(row, reader))
  })
}

const NEWEST: EntryPosition = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

interface ActivityQuery {
  actor?: string | undefined
  area?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

const filterOf = ({ actor, area, since, until }: ActivityQuery): EntryFilter => ({
  ...(actor === undefined ? {} : { actor: actor === SERVICE ? '' : actor }),
  ...(area === undefined ? {} : { area }),
  ...(since === undefined ? {} : { since: Date.parse(since) }),
  ...(until === undefined ? {} : { until: Date.parse(until) }),
})

/** Encodes the position, since the entry may be gone when asked for. */
const idOf = ({ at, id }: EntryPosition): string => `${at}-${id}`

function placeOf(id: string, field: string): EntryPosition {
  const [, at, number] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? []
  if (at !== undefined && number !== undefined) return { at: Number(at), id: Number(number) }
  throw refusal(422, 'request.invalid.place').at(field)
}

const actorOf = (
  { actor, name }: Pick<EntryRow, 'actor' | 'name'>,
  ownerId: string,
  reader: string,
): z.input<typeof Actor> =>
  actor === ''
    ? { id: SERVICE, service: true }
    : { id: actor, name, owner: actor === ownerId, you: actor === reader }

function shown(row: EntryRow, { server, held, accountId }: Reader): ActivityEntryInput {
  // Addresses and emails only for those who may see who shares the server.
  const seesPeople = held === 'owner' || held.includes('access.read')
  const said = row.kind === 'person' && !seesPeople ? row.targets.map(masked) : row.targets
  return {
    id: idOf(row),
    at: isoTime(row.at),
    actor: actorOf(row, server.ownerId, accountId),
    action: row.action,
    what: row.kind,
    target: said[0] ?? null,
    ...(row.count > 1 && { targets: [...said], count: row.count }),
    ...(row.times > 1 && { times: row.times }),
    result: row.result,
    reason: row.reason,
    address: (seesPeople || row.actor === accountId) && row.address ? row.address : null,
    ...(row.rule !== null && { rule: row.rule }),
  }
}

/** Recognizable only for those who know the email. */
const masked = (text: string): string => text.replace(/^(.)[^@]*@/, '$1…@')
