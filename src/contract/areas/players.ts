import { z } from 'zod'
import { FailureReason } from '../declarations/errors.ts'
import { isNameLine } from '../messages/one-line.ts'
import { fieldError } from '../messages/refusals/field-error.ts'
import { REASON_MAX } from '../rules/game/list-entries.ts'
import { PLAYER_ACT_NEEDS } from '../rules/scopes.ts'
import { alsoNamed, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { all, json, list, listOfParts, openEnum, Time, always, maybe } from '../declarations/operation.ts'

const { read, write } = area('players')

export const PLAYERS_MOST = 10_000
export const ACT_NAMES = 100
export const SESSIONS_MOST = 2000

const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(PLAYERS_MOST).optional(),
  cursor: z.string().max(200).optional(),
})

/** A UUID with hyphens, or another id a service uses. */
const Uuid = idOf('player', z.string().min(1).max(200))

const PLAYER_NAMES = ['username', 'playerName', 'displayName', 'nickname', 'player'] as const

const PlayerBan = alsoNamed(
  z.object({
    reason: maybe.text,
    /** Null: permanent. */
    until: Time.nullish(),
    since: Time.nullish(),
  }),
  { until: ['expires', 'expiresAt', 'end'], since: ['created', 'createdAt'] },
)

/** `whitelist.json`, `ops.json`, `banned-players.json` and `usercache.json`. */
export const UNREADABLE_LISTS = ['whitelist', 'ops', 'bans', 'usercache'] as const
export type UnreadableList = (typeof UNREADABLE_LISTS)[number]

/** Anyone who was on a server or is on one of its lists. Mostly assumed; see contract.md. */
export const Player = alsoNamed(
  z.object({
    /** Equals `uuid` if the name is unknown. */
    name: always.filled,
    uuid: Uuid.nullish(),
    online: maybe.flag,
    /** Only while online. An extension. */
    onlineSince: Time.nullish(),
    firstSeen: Time.nullish(),
    lastSeen: Time.nullish(),
    op: maybe.flag,
    whitelisted: maybe.flag,
    /** Null or absent: not banned, unless the answer's `unreadable` names `bans`. */
    banned: PlayerBan.nullish(),
    /** Head of the skin, `data:image/png;base64,…`, if known. */
    head: z.string().max(8000).nullish(),
  }),
  {
    name: PLAYER_NAMES,
    uuid: ['playerId', 'id'],
    online: ['isOnline', 'connected'],
    firstSeen: ['firstJoin', 'firstPlayed'],
    lastSeen: ['lastJoin', 'lastPlayed', 'lastOnline'],
    op: ['isOp', 'operator'],
    whitelisted: ['isWhitelisted'],
    banned: ['ban'],
  },
)
export type Player = z.output<typeof Player>

/** Distances in meters. */
export const PlayerStats = alsoNamed(
  z.object({
    /** Equals `uuid` if the name is unknown. */
    name: always.filled,
    uuid: Uuid.nullish(),
    playTimeSeconds: maybe.number,
    deaths: maybe.number,
    mobKills: maybe.number,
    playerKills: maybe.number,
    blocksMined: maybe.number,
    distanceMetres: maybe.number,
    /** The game's raw statistics: group → key → value. Only for a single player (`?uuid=`). */
    groups: z.record(z.string(), z.record(z.string(), z.number())).nullish(),
  }),
  {
    name: PLAYER_NAMES,
    uuid: ['playerId', 'id'],
    playTimeSeconds: ['playTime', 'playtime', 'playtimeSeconds'],
    blocksMined: ['blocksBroken', 'mined'],
    distanceMetres: ['distanceMeters', 'distance'],
    groups: ['raw', 'stats'],
  },
)
export type PlayerStats = z.output<typeof PlayerStats>

export const PlayerSession = alsoNamed(
  z.object({
    name: always.filled,
    uuid: Uuid.nullish(),
    joinedAt: Time,
    /** Null or absent: still online. */
    leftAt: Time.nullish(),
  }),
  {
    name: PLAYER_NAMES,
    joinedAt: ['start', 'startedAt', 'from', 'joined'],
    leftAt: ['end', 'endedAt', 'to', 'left'],
  },
)
export type PlayerSession = z.output<typeof PlayerSession>

export const PlayerAction = z.enum([
  'kick',
  'ban',
  'pardon',
  'op',
  'deop',
  'whitelist-add',
  'whitelist-remove',
  'message',
])
export type PlayerAction = z.infer<typeof PlayerAction>

export const PlayerAct = z.object({
  action: PlayerAction,
  /** Names, or uuids of players without a known name. */
  names: z
    .array(
      z
        .string()
        .min(1, fieldError('request.invalid.players'))
        .max(64)
        .refine(isNameLine, fieldError('request.invalid.name-line')),
    )
    .min(1, fieldError('request.invalid.players'))
    .max(ACT_NAMES, fieldError('request.invalid.players-many', { most: ACT_NAMES })),
  /** For kicks and bans; for messages, the text. One line. */
  reason: z
    .string()
    .trim()
    .max(REASON_MAX, fieldError('request.invalid.reason-long', { most: REASON_MAX }))
    .refine(isNameLine, fieldError('request.invalid.reason-line'))
    .optional(),
  until: Time.optional(),
})
export type PlayerActRequest = z.output<typeof PlayerAct>

export const PlayerResult = alsoNamed(
  z.object({
    name: always.text,
    /** `unchanged`: already so. `unconfirmed`: sent to the server, but the result couldn't be read. */
    outcome: openEnum(['done', 'unchanged', 'failed', 'unconfirmed'], {
      done: ['ok', 'success', 'succeeded', 'completed'],
      unchanged: ['skipped'],
      failed: ['error', 'failure'],
    }),
    error: FailureReason.nullish(),
  }),
  { name: PLAYER_NAMES, outcome: ['result', 'status'] },
)
export type PlayerResult = z.output<typeof PlayerResult>
export type PlayerActResult = z.input<typeof PlayerResult>

export const Whitelist = alsoNamed(z.object({ enabled: maybe.flag }), {
  enabled: ['isEnabled', 'on', 'active', 'whitelist'],
})
export type Whitelist = z.output<typeof Whitelist>

export const players = {
  list: read({
    id: 'players.list',
    summary: 'List everyone who has played or is on a player list',
    lane: 'reading',
    path: '/servers/players/:serverId',
    origin: 'assumed',
    scope: 'players.read',
    query: Paging,
    answer: listOfParts(Player, null, UNREADABLE_LISTS),
    pages: all(PLAYERS_MOST),
    keep: 'disk',
  }),
  stats: read({
    id: 'players.stats',
    summary: "List player statistics; with `uuid`, all of one player's",
    lane: 'reading',
    path: '/servers/players/stats/:serverId',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
    scope: 'players.read',
    query: Paging.extend({ uuid: Uuid.optional() }),
    answer: list(PlayerStats, null),
    pages: all(PLAYERS_MOST),
    keep: 'memory',
  }),
  sessions: read({
    id: 'players.sessions',
    summary: 'List when players were online, newest first',
    lane: 'reading',
    path: '/servers/players/sessions/:serverId',
    origin: 'extension',
    scope: 'players.read',
    query: z.object({
      uuid: Uuid.optional(),
      limit: z.coerce.number().int().min(1).max(SESSIONS_MOST).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: list(PlayerSession, null),
    pages: all(SESSIONS_MOST),
    keep: 'memory',
  }),
  act: write({
    id: 'players.act',
    summary: 'Kick, ban, pardon, op, deop, whitelist or message players',
    rate: { burst: 60, perSecond: 2 },
    lane: 'changing',
    method: 'POST',
    path: '/servers/players/act/:serverId',
    origin: 'extension',
    scope: { by: 'action', needs: PLAYER_ACT_NEEDS },
    body: PlayerAct,
    answer: json(
      z.object({
        results: z.array(PlayerResult),
        /** The running server was told; else its files were changed, which it reads at its next start. */
        running: maybe.flag,
      }),
    ),
    stale: ['players.list', 'players.sessions', 'servers.status'],
    logged: { is: 'player', by: 'body', field: 'names' },
    bridge: 'pass',
  }),
  whitelist: read({
    id: 'players.whitelist',
    summary: 'Get whether the whitelist is on',
    path: '/servers/players/whitelist/:serverId',
    origin: 'extension',
    scope: 'players.read',
    answer: json(Whitelist),
    keep: 'memory',
  }),
  turnWhitelist: write({
    id: 'players.turn-whitelist',
    summary: 'Turn the whitelist on or off',
    rate: { burst: 60, perSecond: 2 },
    lane: 'changing',
    method: 'PUT',
    path: '/servers/players/whitelist/:serverId',
    origin: 'extension',
    scope: 'players.act',
    body: z.object({ enabled: z.boolean() }),
    answer: json(Whitelist),
    stale: ['players.whitelist'],
    logged: { is: 'switch', by: 'body', field: 'enabled' },
    bridge: 'pass',
  }),
}
