import { z } from 'zod'
import { area } from '../declarations/declare.ts'
import { always, json, maybe } from '../declarations/operation.ts'

const { read, write } = area('hosting')

/** What a server is started with, as its host's template declares it. */
export const StartupVariable = z.object({
  /** Such as `SERVER_JARFILE`. */
  key: always.filled,
  name: maybe.text,
  description: maybe.text,
  value: maybe.text,
  default: maybe.text,
  /** As Laravel writes them: `required|string|max:20`. */
  rules: maybe.text,
  /** Absent: it can be changed. */
  editable: maybe.flag,
})
export type StartupVariable = z.output<typeof StartupVariable>

const Startup = z.object({
  command: maybe.text,
  /** The container image, which decides the version of Java. */
  image: maybe.text,
  /** The images to choose from. */
  images: z.array(z.object({ image: always.filled, name: maybe.text })).nullish(),
  variables: z.array(StartupVariable).nullish(),
})
export type Startup = z.output<typeof Startup>

export const HostDatabase = z.object({
  id: always.filled,
  name: always.text,
  user: maybe.text,
  host: maybe.text,
  port: maybe.whole,
  /** From where it may be used; `%` is everywhere. */
  from: maybe.text,
})
export type HostDatabase = z.output<typeof HostDatabase>

const Databases = z.object({ databases: z.array(HostDatabase), most: maybe.count })

export const HostPort = z.object({
  id: always.filled,
  host: maybe.text,
  port: z.number().int(),
  note: maybe.text,
  /** Where players join. */
  isPrimary: maybe.flag,
})
export type HostPort = z.output<typeof HostPort>

const Ports = z.object({ ports: z.array(HostPort), most: maybe.count })

export const DATABASE_NAME = { least: 3, most: 48 }
/** Letters, digits, `-` and `_`. The host puts its own prefix before it. */
const DatabaseName = z
  .string()
  .min(DATABASE_NAME.least)
  .max(DATABASE_NAME.most)
  .regex(/^[\p{L}\p{M}\p{N}_-]+$/u)
export const NOTE_MOST = 256
/** Characters. */
export const VALUE_MOST = 20_000

const ALL_OF_IT = ['servers.list', 'servers.read', 'servers.status', 'files.list', 'hosting.startup'] as const

/** What servers at hosts have beyond the others. The built-in service serves none of it. */
export const hosting = {
  /** What a start costs isn't told. */
  credits: read({
    id: 'hosting.credits',
    summary: 'Get how many credits the account has',
    path: '/users/credits',
    origin: 'extension',
    answer: json(z.object({ credits: z.number() })),
    keep: 'never',
  }),
  startup: read({
    id: 'hosting.startup',
    summary: 'Get what the server is started with',
    path: '/servers/startup/:serverId',
    origin: 'extension',
    scope: 'startup.read',
    answer: json(Startup),
    keep: 'memory',
  }),
  changeStartup: write({
    id: 'hosting.change-startup',
    summary: 'Change startup variables',
    method: 'PATCH',
    path: '/servers/startup/:serverId',
    origin: 'extension',
    scope: 'startup.write',
    body: z.object({
      values: z
        .array(z.object({ key: z.string().min(1).max(200), value: z.string().max(VALUE_MOST) }))
        .max(300),
    }),
    stale: ['hosting.startup'],
    bridge: 'pass',
  }),
  chooseImage: write({
    id: 'hosting.choose-image',
    summary: 'Choose the container image',
    method: 'PUT',
    path: '/servers/startup/image/:serverId',
    origin: 'extension',
    scope: 'startup.image',
    body: z.object({ image: z.string().min(1).max(1000) }),
    stale: ['hosting.startup'],
    bridge: 'pass',
  }),
  reinstall: write({
    id: 'hosting.reinstall',
    summary: 'Install the server again, over its files',
    method: 'POST',
    path: '/servers/reinstall/:serverId',
    origin: 'extension',
    scope: 'startup.reinstall',
    status: 202,
    answer: json(z.object({ accepted: maybe.flag })),
    stale: ALL_OF_IT,
    bridge: 'pass',
  }),
  databases: read({
    id: 'hosting.databases',
    summary: 'List the databases, without passwords',
    path: '/servers/databases/:serverId',
    origin: 'extension',
    scope: 'databases.read',
    answer: json(Databases),
    keep: 'memory',
  }),
  addDatabase: write({
    id: 'hosting.add-database',
    summary: 'Create a database',
    method: 'POST',
    path: '/servers/databases/:serverId',
    origin: 'extension',
    scope: 'databases.create',
    body: z.object({ name: DatabaseName }),
    stale: ['hosting.databases'],
    bridge: 'pass',
  }),
  /** Null: the account may not see it. */
  databasePassword: read({
    id: 'hosting.database-password',
    summary: "Get a database's password",
    path: '/servers/databases/password/:serverId/:databaseId',
    origin: 'extension',
    scope: 'databases.read',
    answer: json(z.object({ password: z.string().nullable() })),
    keep: 'never',
    bridge: 'own',
  }),
  renewPassword: write({
    id: 'hosting.renew-password',
    summary: "Renew a database's password",
    method: 'POST',
    path: '/servers/databases/password/:serverId/:databaseId',
    origin: 'extension',
    scope: 'databases.write',
    stale: ['hosting.databases'],
    bridge: 'pass',
  }),
  removeDatabase: write({
    id: 'hosting.remove-database',
    summary: 'Delete a database',
    method: 'DELETE',
    path: '/servers/databases/:serverId/:databaseId',
    origin: 'extension',
    scope: 'databases.delete',
    stale: ['hosting.databases'],
    bridge: 'pass',
  }),
  ports: read({
    id: 'hosting.ports',
    summary: 'List the ports',
    path: '/servers/ports/:serverId',
    origin: 'extension',
    scope: 'ports.read',
    answer: json(Ports),
    keep: 'memory',
  }),
  addPort: write({
    id: 'hosting.add-port',
    summary: 'Get another port',
    method: 'POST',
    path: '/servers/ports/:serverId',
    origin: 'extension',
    scope: 'ports.create',
    stale: ['hosting.ports'],
    bridge: 'pass',
  }),
  changePort: write({
    id: 'hosting.change-port',
    summary: 'Note what a port is for, or make it the primary one',
    method: 'PATCH',
    path: '/servers/ports/:serverId/:portId',
    origin: 'extension',
    scope: 'ports.write',
    body: z.object({ note: z.string().max(NOTE_MOST).optional(), isPrimary: z.literal(true).optional() }),
    stale: ['hosting.ports', 'servers.list', 'servers.read'],
    bridge: 'pass',
  }),
  removePort: write({
    id: 'hosting.remove-port',
    summary: 'Give a port back',
    method: 'DELETE',
    path: '/servers/ports/:serverId/:portId',
    origin: 'extension',
    scope: 'ports.delete',
    stale: ['hosting.ports'],
    bridge: 'pass',
  }),
}
