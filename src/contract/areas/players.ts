import { z } from 'zod'
import { WhyFailed } from '../declarations/errors.ts'
import { isNameLine } from '../messages/one-line.ts'
import { wrong } from '../messages/refusals/wrong.ts'
import { PLAYER_ACT_NEEDS } from '../rules/scopes.ts'
import { alsoNamed, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { always, maybe } from '../declarations/fields.ts'
import { all, json, list, listOfParts, openEnum, Time } from '../declarations/operation.ts'

const { read, write } = area('players')

/** Players that are read of one server at most. */
export const PLAYERS_MOST = 10_000
/** Players that one request acts on at most. */
export const ACT_NAMES = 100
/** Longest reason, and longest message to a player, in characters. */
export const REASON_MAX = 500
/** Sessions that are read at once. */
export const SESSIONS_MOST = 2000

const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(PLAYERS_MOST).optional(),
  cursor: z.string().max(200).optional(),
})

/** A player's uuid with its hyphens, or what else a service tells players apart by. */
const Uuid = idOf('player', z.string().min(1).max(200))

const PLAYER_NAMES = ['username', 'playerName', 'displayName', 'nickname', 'player'] as const

const PlayerBan = alsoNamed(
  z.object({
    reason: maybe.text,
    /** Null: until it is lifted. */
    until: Time.nullish(),
    since: Time.nullish(),
  }),
  ['ban'],
  { until: ['expires', 'expiresAt', 'end'], since: ['created', 'createdAt'] },
)

/** Minecraft's files `whitelist.json`, `ops.json`, `banned-players.json` and `usercache.json`. */
export const UNREADABLE_LISTS = ['whitelist', 'ops', 'bans', 'usercache'] as const
export type UnreadableList = (typeof UNREADABLE_LISTS)[number]

/** Somebody who was on a server, or stands on one of its lists. Nearly all of it is filled in; see contract.md. */
export const Player = alsoNamed(
  z.object({
    /** Equal to `uuid` where nobody knows the name. */
    name: always.filled,
    uuid: Uuid.nullish(),
    online: maybe.flag,
    firstSeen: Time.nullish(),
    lastSeen: Time.nullish(),
    op: maybe.flag,
    whitelisted: maybe.flag,
    /** Null or absent: not banned, unless the answer's `unreadable` names `bans`. */
    banned: PlayerBan.nullish(),
    /** The head of the skin as an address `data:image/png;base64,…`, where the service knows the skin. */
    head: z.string().max(8000).nullish(),
  }),
  ['player'],
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

/** What the game counts of one player. Distances in meters. */
export const PlayerStats = alsoNamed(
  z.object({
    /** Equal to `uuid` where nobody knows the name. */
    name: always.filled,
    uuid: Uuid.nullish(),
    playTimeSeconds: maybe.number,
    deaths: maybe.number,
    mobKills: maybe.number,
    playerKills: maybe.number,
    blocksMined: maybe.number,
    distanceMetres: maybe.number,
    /** Everything as the game wrote it: group → key → value. Of a single player alone (`?uuid=`). */
    groups: z.record(z.string(), z.record(z.string(), z.number())).nullish(),
  }),
  ['player'],
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

/** A stay on the server. */
export const PlayerSession = alsoNamed(
  z.object({
    name: always.filled,
    uuid: Uuid.nullish(),
    joinedAt: Time,
    /** Null or absent: still there. */
    leftAt: Time.nullish(),
  }),
  ['session', 'player'],
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
  /** Names, or uuids of players whose names nobody knows. */
  names: z
    .array(
      z
        .string()
        .min(1, wrong('request.invalid.players'))
        .max(64)
        .refine(isNameLine, wrong('request.invalid.name-line')),
    )
    .min(1, wrong('request.invalid.players'))
    .max(ACT_NAMES, wrong('request.invalid.players-many', { most: ACT_NAMES })),
  /** Of a kick or a ban; of a message it is the text. One line. */
  reason: z
    .string()
    .trim()
    .max(REASON_MAX, wrong('request.invalid.reason-long', { most: REASON_MAX }))
    .refine(isNameLine, wrong('request.invalid.reason-line'))
    .optional(),
  /** When a ban ends; until it is lifted unless given. */
  until: Time.optional(),
})

/** What became of it for one player. */
export const PlayerResult = alsoNamed(
  z.object({
    name: always.text,
    /**
     * `unchanged`: it was so already. `unconfirmed`: the server was told, and what came of it could not be read.
     */
    outcome: openEnum(['done', 'unchanged', 'failed', 'unconfirmed'], {
      done: ['ok', 'success', 'succeeded', 'completed'],
      unchanged: ['skipped'],
      failed: ['error', 'failure'],
    }),
    error: WhyFailed.nullish(),
  }),
  ['result', 'player'],
  { name: PLAYER_NAMES, outcome: ['result', 'status'] },
)
export type PlayerResult = z.output<typeof PlayerResult>

/** Whether only those on the whitelist may join; absent where nobody knows. */
export const Whitelist = alsoNamed(z.object({ enabled: maybe.flag }), ['whitelist'], {
  enabled: ['isEnabled', 'on', 'active', 'whitelist'],
})
export type Whitelist = z.output<typeof Whitelist>

export const players = {
  list: read({
    id: 'players.list',
    summary: 'List everyone who has played or is on a player list',
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
    method: 'POST',
    path: '/servers/players/act/:serverId',
    origin: 'extension',
    scope: { by: 'action', needs: PLAYER_ACT_NEEDS },
    body: PlayerAct,
    answer: json(
      z.object({
        results: z.array(PlayerResult),
        /** Whether the server was told; otherwise its files were changed, which it reads when it starts. */
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
