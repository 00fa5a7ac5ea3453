import { z } from 'zod'
import { alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { all, list, openEnum, Paging, TARGET_KINDS, Time, always, maybe } from '../declarations/operation.ts'

const { read } = area('activity')

export const ACTIVITY_PAGE = 100
export const TARGETS_MOST = 10
export const PEOPLE_MOST = 500

/** Named even after losing access. */
export const Actor = alsoNamed(
  z.object({
    id: maybe.text,
    name: maybe.text,
    owner: maybe.flag,
    you: maybe.flag,
    service: maybe.flag,
  }),
  { id: ID_NAMES, name: ['displayName', 'username', 'email'], you: ['isYou', 'self'], service: ['system'] },
)
export type Actor = z.output<typeof Actor>

/** `accepted`: started; the outcome is reported elsewhere, or unknown. */
export const ActivityResult = openEnum(['done', 'accepted', 'partly', 'refused', 'failed', 'canceled'], {
  done: ['ok', 'success', 'succeeded', 'completed'],
  accepted: ['pending', 'started'],
  partly: ['partial'],
  refused: ['denied', 'forbidden', 'rejected'],
  failed: ['error', 'failure'],
  canceled: ['cancelled', 'aborted'],
})

export const ActivityEntry = alsoNamed(
  z.object({
    /** Position in the log, as taken by `before`. */
    id: z.string().min(1).nullish(),
    at: Time.nullish(),
    actor: Actor.nullish(),
    /** Operation id, followed by the variant if there are several, such as `servers.power.start`. */
    action: always.filled,
    what: openEnum(TARGET_KINDS).nullish(),
    target: maybe.text,
    targets: z.array(z.string()).nullish(),
    count: maybe.whole,
    /** Repetitions within a minute. */
    times: maybe.whole,
    result: ActivityResult.nullish(),
    reason: maybe.text,
    /** Network address. Only for callers who may see collaborators, and for one's own entries. */
    address: maybe.text,
    /** Name of the rule that did it, for its author. An extension. */
    rule: maybe.text,
  }),
  {
    id: ID_NAMES,
    at: ['time', 'timestamp', 'createdAt', 'date'],
    actor: ['user', 'by'],
    action: ['event', 'type', 'kind'],
    target: ['subject', 'object'],
    result: ['outcome', 'status'],
    address: ['ip', 'ipAddress'],
  },
)
export type ActivityEntry = z.output<typeof ActivityEntry>

const Filter = z.object({
  actor: z.string().max(200).optional(),
  area: z.string().max(60).optional(),
  since: Time.optional(),
  until: Time.optional(),
})

export const activity = {
  list: read({
    id: 'activity.list',
    summary: 'List who did what on the server, newest first',
    path: '/servers/activity/:serverId',
    origin: 'extension',
    scope: 'activity.read',
    query: Paging.extend({ ...Filter.shape, before: z.string().max(60).optional() }),
    answer: list(ActivityEntry, 'id'),
    keep: 'disk',
  }),
  people: read({
    id: 'activity.people',
    summary: 'List everyone in the activity log',
    path: '/servers/activity/people/:serverId',
    origin: 'extension',
    scope: 'activity.read',
    query: Paging,
    answer: list(Actor, null),
    pages: all(PEOPLE_MOST, 200),
    keep: 'memory',
  }),
  export: read({
    id: 'activity.export',
    summary: 'Download the activity log, newest first',
    rate: { burst: 10, perSecond: 0.1 },
    lane: 'reading',
    path: '/servers/activity/export/:serverId',
    origin: 'extension',
    scope: 'activity.read',
    query: Filter.extend({ format: z.enum(['csv', 'json']).optional() }),
    answer: { kind: 'bytes' },
    bridge: 'own',
    keep: 'never',
  }),
}
