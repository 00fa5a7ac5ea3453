import { z } from 'zod'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { FailedWork, InstallProgress } from './values/server-work.ts'
import { OpenToChange } from './open-to.ts'
import { ServerConfigChange, MemoryMb, ServerConfig, ServerName } from './server-config.ts'
import {
  all,
  json,
  list,
  openEnum,
  Paging,
  type Scope,
  Time,
  always,
  maybe,
} from '../declarations/operation.ts'

const { read, write } = area('servers')

/**
 * The specification states only `online` (§3). `sleeping`: stopped, and started again when somebody joins. `lost`: its
 * computer isn't reached, and it may still run there.
 */
export const ServerStatus = openEnum(
  ['offline', 'starting', 'online', 'stopping', 'crashed', 'installing', 'sleeping', 'lost'],
  {},
)
export type ServerStatus = z.output<typeof ServerStatus>

export const PlayerCount = z.object({
  online: z.number().int().min(0),
  max: maybe.count,
})
export type PlayerCount = z.infer<typeof PlayerCount>

export const ServerSoftware = z.object({
  id: always.text,
  name: maybe.text,
  version: maybe.text,
  /** Routes players to other servers: no world, operators, whitelist or bans. An extension. */
  proxy: maybe.flag,
  /** For a custom jar: id of the software whose plugins or mods it loads, if known. An extension. */
  loadsAs: maybe.text,
})

/** The host may contain the port (`rules/game-address.ts`). */
const Address = alsoNamed(z.object({ host: always.text, port: maybe.whole }), {
  host: ['ip', 'hostname', 'domain', 'fqdn', 'address', 'ipAddress'],
})

export const Server = alsoNamed(
  z.object({
    id: always.filled,
    name: always.text,
    status: ServerStatus.nullish(),
    software: ServerSoftware.nullish(),
    address: Address.nullish(),
    players: PlayerCount.nullish(),
    memoryMb: maybe.number,
    /** `owner`, or the account's scopes. */
    role: z.union([z.literal('owner'), z.array(z.string())]).nullish(),
    createdAt: Time.nullish(),
    group: maybe.text,
    /** False until it was online for the first time. An extension. */
    ran: maybe.flag,
  }),
  {
    id: [...ID_NAMES, 'serverId'],
    name: ['title', 'displayName', 'label'],
    status: ['state'],
    address: ['connection', 'connectAddress', 'endpoint', 'allocation'],
    createdAt: ['created'],
  },
)
export type Server = z.output<typeof Server>

export const RuntimeStatus = alsoNamed(
  z.object({
    status: ServerStatus,
    since: Time.nullish(),
    players: PlayerCount.nullish(),
    exitCode: maybe.whole,
    installation: InstallProgress.nullish(),
    failure: FailedWork.nullish(),
    /** Of several computers, the one it runs on. `isGone`: it isn't reached, and the server may still run there. An extension. */
    node: z.object({ name: always.text, isGone: maybe.flag }).nullish(),
  }),
  { status: ['state'] },
)
export type RuntimeStatus = z.output<typeof RuntimeStatus>

/** Container statistics (§3), present only while `online`. Sizes in bytes; 100 cpuPercent is one core. */
export const ContainerStats = z.object({
  cpuPercent: maybe.number,
  memoryBytes: maybe.number,
  memoryLimitBytes: maybe.number,
  diskBytes: maybe.number,
  networkRxBytes: maybe.number,
  networkTxBytes: maybe.number,
  uptimeSeconds: maybe.number,
  /** Ticks per second. Never sent by the built-in service, which has no source for it (docs/console.md). */
  tps: maybe.number,
})
export type ContainerStats = z.infer<typeof ContainerStats>

export const PowerAction = z.enum(['start', 'stop', 'restart', 'kill'])
export type PowerAction = z.infer<typeof PowerAction>

const POWER_NEEDS = {
  start: ['control.start'],
  stop: ['control.stop'],
  restart: ['control.stop', 'control.start'],
  kill: ['control.kill'],
} as const satisfies Record<PowerAction, readonly Scope[]>

export const ServerCreation = z.object({
  name: ServerName,
  software: z.object({
    id: idOf('software', z.string().min(1).max(60)),
    version: z.string().min(1).max(60),
    /** Pins this build; default: the newest stable one. An extension. */
    build: z.string().min(1).max(80).optional(),
  }),
  memoryMb: MemoryMb,
  /** The user has accepted the license. An extension: only if the catalog names one. */
  acceptLicense: z.boolean().optional(),
  /** Defaults to how the service itself is reachable. An extension. */
  openTo: OpenToChange.optional(),
})
export type ServerCreation = z.input<typeof ServerCreation>

const EVERY_READ_OF_A_SERVER = [
  'servers.list',
  'servers.read',
  'servers.read-config',
  'servers.status',
  'servers.icon',
  'software.read',
  'software.plan',
  'console.history',
  'extensions.list',
  'files.list',
  'files.limits',
  'files.trash',
  'players.list',
  'players.stats',
  'players.sessions',
  'players.whitelist',
] as const

/** Icon limit: 64×64 pixels take 16 KiB uncompressed. */
export const ICON_BYTES = 64 * 1024

/** What a reset can keep. The world is always removed. */
export const KeptPart = z.enum(['config', 'extensions', 'players', 'files'])
export type KeptPart = z.infer<typeof KeptPart>
const COPY_MS = 30 * 60_000

export const servers = {
  list: read({
    id: 'servers.list',
    summary: "List the account's own and shared servers",
    path: '/servers',
    origin: 'assumed',
    query: Paging,
    answer: list(Server, 'id'),
    /** Beyond that a list is no use for finding a server. */
    pages: all(2000, 200),
    keep: 'disk',
  }),
  create: write({
    id: 'servers.create',
    summary: 'Create a server',
    rate: { burst: 100, perSecond: 1 },
    method: 'POST',
    path: '/servers',
    origin: 'assumed',
    body: ServerCreation,
    status: 201,
    answer: json(Server),
    stale: ['servers.list'],
    logged: { is: 'server', by: 'body', field: 'name' },
    bridge: 'pass',
  }),
  read: read({
    id: 'servers.read',
    summary: 'Get one server',
    path: '/servers/:serverId',
    origin: 'assumed',
    scope: 'server.read',
    answer: json(Server),
    keep: 'disk',
  }),
  icon: read({
    id: 'servers.icon',
    summary: "Get the server's icon as a data URL",
    lane: 'reading',
    path: '/servers/icon/:serverId',
    origin: 'extension',
    scope: 'server.read',
    /** `data:image/png;base64,…`, 64×64 pixels, at most 64 KiB; null if none. */
    answer: json(z.object({ picture: z.string().max(90_000).nullable() })),
    keep: 'disk',
  }),
  remove: write({
    id: 'servers.remove',
    summary: 'Delete a server; its name confirms the deletion',
    rate: { burst: 100, perSecond: 1 },
    method: 'DELETE',
    path: '/servers/:serverId',
    origin: 'assumed',
    scope: 'owner',
    query: z.object({ confirm: z.string().max(1000) }),
    secondFactor: true,
    stale: ['servers.list', 'servers.read', 'servers.status'],
  }),
  duplicate: write({
    id: 'servers.duplicate',
    summary: 'Copy a stopped server without its collaborators and secrets',
    rate: { burst: 20, perSecond: 0.05 },
    lane: 'changing',
    method: 'POST',
    path: '/servers/duplicate/:serverId',
    origin: 'extension',
    scope: 'owner',
    body: z.object({ name: ServerName }),
    status: 201,
    answer: json(Server),
    stale: ['servers.list'],
    bridge: 'pass',
    patience: COPY_MS,
  }),
  reset: write({
    id: 'servers.reset',
    summary: 'Copy the server as it is, then create a new world',
    rate: { burst: 20, perSecond: 0.2 },
    method: 'POST',
    path: '/servers/reset/:serverId',
    origin: 'assumed',
    scope: 'owner',
    body: z.object({ keep: z.array(KeptPart).max(10) }),
    status: 202,
    answer: json(z.object({ accepted: maybe.flag })),
    secondFactor: true,
    stale: EVERY_READ_OF_A_SERVER,
  }),
  readConfig: read({
    id: 'servers.read-config',
    summary: 'Get the configuration with its ETag',
    path: '/servers/config/:serverId',
    origin: 'assumed',
    scope: 'config.read',
    answer: json(ServerConfig),
    keep: 'disk',
    tag: true,
  }),
  changeConfig: write({
    id: 'servers.change-config',
    summary: 'Change the configuration; `If-Match` takes the ETag',
    rate: { burst: 60, perSecond: 5 },
    method: 'PATCH',
    path: '/servers/config/:serverId',
    origin: 'assumed',
    scope: 'config.write',
    body: ServerConfigChange,
    answer: json(ServerConfig),
    stale: ['servers.list', 'servers.read', 'servers.addresses', 'extensions.list'],
    logged: { is: 'setting', by: 'names' },
    bridge: 'pass',
    ifMatch: true,
    puts: 'servers.read-config',
  }),
  status: read({
    id: 'servers.status',
    summary: 'Get the runtime status',
    path: '/servers/status/:serverId',
    origin: 'assumed',
    scope: 'server.read',
    answer: json(RuntimeStatus),
    keep: 'disk',
  }),
  power: write({
    id: 'servers.power',
    summary: 'Start, stop, restart or kill',
    rate: { burst: 120, perSecond: 5 },
    method: 'POST',
    path: '/servers/power/:serverId',
    origin: 'assumed',
    scope: { by: 'action', needs: POWER_NEEDS },
    body: z.object({ action: PowerAction }),
    status: 202,
    answer: json(z.object({ accepted: maybe.flag })),
    stale: ['servers.list', 'servers.read', 'servers.status'],
    bridge: 'pass',
  }),
  abandon: write({
    id: 'servers.abandon',
    summary: 'Take a server for stopped whose computer is not reached',
    rate: { burst: 60, perSecond: 1 },
    method: 'POST',
    path: '/servers/abandon/:serverId',
    origin: 'extension',
    scope: 'owner',
    /** Whether it still runs shows within half a minute. */
    patience: 60_000,
    stale: ['servers.list', 'servers.read', 'servers.status', 'nodes.list'],
    bridge: 'pass',
  }),
  stats: read({
    id: 'servers.stats',
    summary: 'Get container statistics; only while the server is online',
    path: '/servers/stats/:serverId',
    origin: { path: 'assumed', method: 'assumed', shape: 'assumed' },
    scope: 'stats.read',
    answer: json(ContainerStats),
    keep: 'never',
  }),
}
