import { z } from 'zod'
import { wrong } from '../messages/refusals/wrong.ts'
import { holdsControls, isOneLine } from '../messages/one-line.ts'
import { COMMAND_NAMES } from '../rules/players/command-names.ts'
import { alsoNamed, lineByLine } from '../declarations/also-named.ts'
import { always, maybe } from '../declarations/fields.ts'
import { FileJob } from './values/file-values.ts'
import { area } from '../declarations/declare.ts'
import { json, list, openEnum, type Scope, Time } from '../declarations/operation.ts'
import { ContainerStats, PlayerCount, RuntimeStatus } from './servers.ts'

const { read, write } = area('console')

/** Where a line came from; absent means the server's own output. */
export const LineSource = openEnum(['error', 'command', 'service'])

/**
 * One line of a console. Its id is `epoch-seq`; within an epoch `seq` counts up by one without holes, a new epoch
 * begins when the service starts. A line can be shown without an id, so it is not required: ours always sends one.
 */
export const Line = lineByLine(
  alsoNamed(
    z.object({
      id: z.string().min(1).nullish(),
      time: Time.nullish(),
      text: always.text,
      source: LineSource.nullish(),
    }),
    ['line', 'log'],
    {
      id: ['_id'],
      time: ['timestamp', 'at', 'createdAt', 'ts'],
      text: ['message', 'line', 'content', 'msg', 'log'],
      source: ['stream'],
    },
  ),
  ['lines', 'log', 'logs', 'console', 'output'],
)
export type Line = z.output<typeof Line>

/** Longest command the service takes, in characters. A server's own limit may be lower. */
export const COMMAND_MAX = 2000

export const Command = z
  .string()
  .trim()
  .min(1, wrong('request.invalid.command'))
  .max(COMMAND_MAX, wrong('request.invalid.command-long', { most: COMMAND_MAX }))
  .refine(isOneLine, {
    ...wrong('request.invalid.command-lines'),
    abort: true,
  })
  .refine((text) => !holdsControls(text), wrong('request.invalid.command-controls'))

/** Reads that one event calls old, at most. */
const CHANGED_MOST = 100

/** Data of the events on the stream; each names its server. */
export const events = {
  lines: z.object({ serverId: always.text, lines: z.array(Line) }),
  status: z.object({ serverId: always.text, status: RuntimeStatus }),
  stats: z.object({ serverId: always.text, stats: ContainerStats }),
  players: z.object({
    serverId: always.text,
    players: PlayerCount.extend({ names: z.array(z.string()).nullish() }),
  }),
  /** Lines the service no longer holds: the first and the last id that are gone. `from` is null where nobody knows. */
  gap: z.object({ serverId: always.text, from: maybe.text, to: always.text }),
  /** A file job began, went on (at most a few times a second) or ended. */
  job: z.object({ serverId: always.text, job: FileJob }),
  /** Somebody else has changed something: the reads whose answers are old now, by their ids. At most once a second. */
  changed: z.object({ serverId: always.text, reads: z.array(z.string()).max(CHANGED_MOST) }),
}
export type EventName = keyof typeof events

/** What each kind of event needs to be held at its server. */
const EVENT_NEEDS = {
  lines: 'console.read',
  status: 'server.read',
  stats: 'stats.read',
  players: 'players.read',
  gap: 'console.read',
  job: 'files.read',
  changed: 'server.read',
} as const satisfies Record<EventName, Scope>
/** Reads whose kept answers an event makes stale, beside those whose new value it tells. */
export const eventStale = {
  /** A server that starts or stops writes files, of which nobody tells, and takes up what was set meanwhile. */
  status: [
    'files.list',
    'files.limits',
    'servers.crash',
    // With what it runs, and where, is another thing after a start.
    'servers.read',
    'servers.read-config',
    'servers.addresses',
  ],
  /** Who joins or leaves is told by name to nobody but the list. */
  players: ['players.list', 'players.sessions', 'servers.addresses'],
} as const satisfies Partial<Record<EventName, readonly string[]>>

export const consoleOperations = {
  events: read({
    id: 'console.events',
    summary: 'Open the event stream of all watched servers',
    path: '/servers/events',
    origin: 'assumed',
    query: z.object({
      /** Watched servers, comma separated. */
      servers: always.filled,
      /** Those of them whose lines are wanted; absent: of all. Status, statistics and players come for all. */
      lines: z.string().optional(),
      /** Where to go on: `serverId:lineId`, comma separated. Absent for a server: from now on. */
      after: z.string().optional(),
    }),
    answer: { kind: 'events', needs: EVENT_NEEDS },
    bridge: 'own',
    keep: 'never',
  }),
  history: read({
    id: 'console.history',
    summary: 'List lines before or after an ID, or the newest ones',
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
    method: 'POST',
    path: '/servers/command/:serverId',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
    scope: 'console.send',
    body: z.object({ command: Command }),
    status: 202,
    answer: json(z.object({ accepted: maybe.flag, lineId: maybe.text })),
    stale: ['servers.status', 'players.list', 'players.whitelist'],
    // Never what follows the first word, which of some commands is a password, nor a first word that is no command.
    logged: { is: 'command', by: 'body', field: 'command', only: COMMAND_NAMES },
  }),
}
