import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { holdsControls, isOneLine } from '../messages/one-line.ts'
import { loggedCommand } from '../rules/players/command-names.ts'
import { alsoNamed } from '../declarations/also-named.ts'
import { FileJob } from './values/file-values.ts'
import { area } from '../declarations/declare.ts'
import { json, list, openEnum, type Scope, Time, always, maybe } from '../declarations/operation.ts'
import { ContainerStats, PlayerCount, RuntimeStatus } from './servers.ts'

const { read, write } = area('console')

/** Absent for the server's own output. */
export const LineSource = openEnum(['error', 'command', 'service'])

/** Characters, and how many sentences and values a line may have. Lines with more are shown as their text. */
export const lineBounds = { sentences: 4, values: 10, key: 100, value: 2000 }

/** Extension: the built-in service's own lines, for translation (`messages/refusals`). */
const LineSentence = z.object({
  sentence: always.text,
  values: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
})

/** Id: `epoch-seq`, `seq` increases by one; a new epoch begins with each service start. Absent: show it anyway. */
export const Line = alsoNamed(
  z.object({
    id: z.string().min(1).nullish(),
    time: Time.nullish(),
    text: always.text,
    source: LineSource.nullish(),
    sentences: z.array(LineSentence).nullish(),
  }),
  {
    id: ['_id'],
    time: ['timestamp', 'at', 'createdAt', 'ts'],
    text: ['message', 'line', 'content', 'msg', 'log'],
    source: ['stream'],
  },
)
export type Line = z.output<typeof Line>

/** Characters. A server's own limit may be lower. */
export const COMMAND_MAX = 2000

export const Command = z
  .string()
  .trim()
  .min(1, fieldError('request.invalid.command'))
  .max(COMMAND_MAX, fieldError('request.invalid.command-long', { most: COMMAND_MAX }))
  .refine(isOneLine, {
    ...fieldError('request.invalid.command-lines'),
    abort: true,
  })
  .refine((text) => !holdsControls(text), fieldError('request.invalid.command-controls'))

const CHANGED_MOST = 100

export const events = {
  lines: z.object({ serverId: always.text, lines: z.array(Line) }),
  status: z.object({ serverId: always.text, status: RuntimeStatus }),
  stats: z.object({ serverId: always.text, stats: ContainerStats }),
  players: z.object({
    serverId: always.text,
    players: PlayerCount.extend({ names: z.array(z.string()).nullish() }),
  }),
  /** First and last id of lines the service no longer has. `from` is null if unknown. */
  gap: z.object({ serverId: always.text, from: maybe.text, to: always.text }),
  /** A file job started, progressed (at most a few times a second) or ended. */
  job: z.object({ serverId: always.text, job: FileJob }),
  /** Ids of reads made stale by someone else's change. At most once a second. */
  changed: z.object({ serverId: always.text, reads: z.array(z.string()).max(CHANGED_MOST) }),
}
export type EventName = keyof typeof events

const EVENT_NEEDS = {
  lines: 'console.read',
  status: 'server.read',
  stats: 'stats.read',
  players: 'players.read',
  gap: 'console.read',
  job: 'files.read',
  changed: 'server.read',
} as const satisfies Record<EventName, Scope>
/** Reads made stale by an event, besides those whose new value it carries. */
export const eventStale = {
  /** Starting and stopping changes files without an event and applies pending settings. */
  status: [
    'files.list',
    'files.limits',
    'servers.crash',
    'servers.read',
    'servers.read-config',
    'servers.addresses',
    'servers.stats-history',
  ],
  /** Players joining or leaving are named only in the list. */
  players: ['players.list', 'players.sessions', 'servers.addresses'],
} as const satisfies Partial<Record<EventName, readonly string[]>>

export const consoleOperations = {
  events: read({
    id: 'console.events',
    summary: 'Open the event stream of all watched servers',
    path: '/servers/events',
    origin: 'assumed',
    query: z.object({
      servers: always.filled,
      /** Subset of the servers whose lines are wanted; absent: all. Other events come for all. */
      lines: z.string().optional(),
      /** Comma-separated `serverId:lineId` to resume after. Servers not listed start with new lines. */
      after: z.string().optional(),
    }),
    answer: { kind: 'events', needs: EVENT_NEEDS },
    bridge: 'own',
    keep: 'never',
  }),
  history: read({
    id: 'console.history',
    summary: 'List lines before or after an ID, or the newest ones',
    lane: 'reading',
    path: '/servers/console/:serverId',
    origin: 'assumed',
    scope: 'console.read',
    query: z.object({
      before: z.string().max(60).optional(),
      after: z.string().max(60).optional(),
      limit: z.coerce.number().int().min(1).max(5000).optional(),
    }),
    answer: list(Line, 'id'),
    bridge: 'own',
    keep: 'never',
  }),
  command: write({
    id: 'console.command',
    summary: 'Send a console command',
    rate: { burst: 500, perSecond: 50 },
    method: 'POST',
    path: '/servers/command/:serverId',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
    scope: 'console.send',
    body: z.object({ command: Command }),
    status: 202,
    answer: json(z.object({ accepted: maybe.flag, lineId: maybe.text })),
    stale: ['servers.status', 'players.list', 'players.whitelist'],
    logged: { is: 'command', by: 'body', field: 'command', as: loggedCommand },
  }),
}
