import { z } from 'zod'
import { alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { always, maybe } from '../declarations/fields.ts'
import { all, list, openEnum, Paging, TARGET_KINDS, Time } from '../declarations/operation.ts'

const { read } = area('activity')

/** Entries of one answer, unless fewer are asked for. */
export const ACTIVITY_PAGE = 100
/** Names of what one entry is about, at most; `count` says how many there were. */
export const TARGETS_MOST = 10
/** People that a log names, at most. */
export const PEOPLE_MOST = 500

/** Who did something, named also when they have lost access. */
export const Actor = alsoNamed(
  z.object({
    id: maybe.text,
    name: maybe.text,
    /** Whether it is the owner of the server. */
    owner: maybe.flag,
    /** Whether it is who asks. */
    you: maybe.flag,
    /** Whether nobody did it, but the service by itself. */
    service: maybe.flag,
  }),
  ['actor', 'user', 'account'],
  { id: ID_NAMES, name: ['displayName', 'username', 'email'], you: ['isYou', 'self'], service: ['system'] },
)
export type Actor = z.output<typeof Actor>

/** What became of it. `accepted`: it was begun, and what came of it is told elsewhere or not known. */
export const ActivityResult = openEnum(['done', 'accepted', 'partly', 'refused', 'failed', 'canceled'], {
  done: ['ok', 'success', 'succeeded', 'completed'],
  accepted: ['pending', 'started'],
  partly: ['partial'],
  refused: ['denied', 'forbidden', 'rejected'],
  failed: ['error', 'failure'],
  canceled: ['cancelled', 'aborted'],
})

/** Who did what at a server, when and from where, and what became of it. */
export const ActivityEntry = alsoNamed(
  z.object({
    /** Where it stands in the log: `before` takes it. */
    id: z.string().min(1).nullish(),
    at: Time.nullish(),
    actor: Actor.nullish(),
    /** The id of the operation; of one that does several things followed by which, such as `servers.power.start`. */
    action: always.filled,
    /** What kind of thing `target` is. */
    what: openEnum(TARGET_KINDS).nullish(),
    target: maybe.text,
    /** Where there are several: the first ten, of `count`. */
    targets: z.array(z.string()).nullish(),
    count: maybe.whole,
    /** How often the same was done within a minute. */
    times: maybe.whole,
    result: ActivityResult.nullish(),
    /** Why it was not done: the code that was answered. */
    reason: maybe.text,
    /** Where it was asked from; told to who may see with whom the server is shared, and of oneself. */
    address: maybe.text,
  }),
  ['entry', 'activity', 'event'],
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

/** Which entries: all unless something is given. */
const Filter = z.object({
  /** The id of who did it; `service`: nobody. */
  actor: z.string().max(200).optional(),
  /** The area of the operation, such as `files`. */
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
    /** `before`: the id of an entry, so that any of them begins a page. */
    query: Paging.extend({ ...Filter.shape, before: z.string().max(60).optional() }),
    answer: list(ActivityEntry, 'id'),
    keep: 'disk',
  }),
  people: read({
    id: 'activity.people',
    summary: 'List everyone in the activity log, including former collaborators',
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
    path: '/servers/activity/export/:serverId',
    origin: 'extension',
    scope: 'activity.read',
    query: Filter.extend({ format: z.enum(['csv', 'json']).optional() }),
    answer: { kind: 'bytes' },
    bridge: 'own',
    keep: 'never',
  }),
}
