import type { Scope } from '../declarations/operation.ts'
import type { PlayerAction } from '../areas/players.ts'

/** Scopes that allow running code as the service's user. Only the owner grants them. */
export const RUNS_PROGRAMS: ReadonlySet<string> = new Set<Scope>([
  'files.write',
  'extensions.write',
  'software.write',
])

/** Making someone an operator equals sending commands. */
export const PLAYER_ACT_NEEDS = {
  kick: ['players.act'],
  ban: ['players.act'],
  pardon: ['players.act'],
  op: ['players.act', 'console.send'],
  deop: ['players.act', 'console.send'],
  'whitelist-add': ['players.act'],
  'whitelist-remove': ['players.act'],
  message: ['players.act'],
} as const satisfies Record<PlayerAction, readonly Scope[]>

/** What hosts let people do beyond that. The built-in service neither has nor grants it. */
export const HOST_SCOPES = [
  'startup.read',
  'startup.write',
  'startup.image',
  'startup.reinstall',
  'databases.read',
  'databases.create',
  'databases.write',
  'databases.delete',
  'ports.read',
  'ports.create',
  'ports.write',
  'ports.delete',
] as const
export type HostScope = (typeof HOST_SCOPES)[number]

export const groups = {
  server: ['server.read', 'stats.read', 'control.start', 'control.stop', 'control.kill'],
  console: ['console.read', 'console.send'],
  players: ['players.read', 'players.act'],
  files: ['files.read', 'files.write', 'files.delete'],
  backups: ['backups.read', 'backups.create', 'backups.restore', 'backups.delete'],
  setup: ['config.read', 'config.write', 'software.write', 'extensions.read', 'extensions.write'],
  people: ['access.read', 'access.write', 'activity.read'],
  schedules: ['schedules.read', 'schedules.write'],
} as const satisfies Record<string, readonly Scope[]>
export type Group = keyof typeof groups

const viewer: readonly Scope[] = ['server.read', 'stats.read', 'console.read', 'players.read']
const moderator: readonly Scope[] = [...viewer, 'players.act', 'activity.read']
const operator: readonly Scope[] = [
  ...moderator,
  'control.start',
  'control.stop',
  'control.kill',
  'console.send',
  'files.read',
  'backups.read',
  'backups.create',
  'config.read',
  'config.write',
  'extensions.read',
  'schedules.read',
]

/** Only the administrator gets scopes that run programs. */
export const presets = { viewer, moderator, operator, administrator: Object.values(groups).flat() } as const
export type Preset = keyof typeof presets
