import type { z } from 'zod'
import type { ScopeEntry } from '../../../contract/areas/access.ts'
import { type GrantedScope, SCOPES } from '../../../contract/declarations/operation.ts'
import { RUNS_PROGRAMS } from '../../../contract/rules/scopes.ts'

const NAMES: Record<GrantedScope, string> = {
  'server.read': 'See the server and its status',
  'control.start': 'Start the server',
  'control.stop': 'Stop the server',
  'control.kill': 'Kill the server',
  'console.read': 'Read the console',
  'console.send': 'Send commands',
  'stats.read': 'See processor and memory',
  'files.read': 'Read files',
  'files.write': 'Change files',
  'files.delete': 'Delete files',
  'backups.read': 'See backups',
  'backups.create': 'Make backups',
  'backups.restore': 'Bring back backups',
  'backups.delete': 'Delete backups',
  'config.read': 'See the settings',
  'config.write': 'Change the settings',
  'software.write': 'Change the software',
  'extensions.read': 'See extensions',
  'extensions.write': 'Change extensions',
  'players.read': 'See players',
  'players.act': 'Act on players',
  'activity.read': 'Read the activity log',
  'access.read': 'See who has access',
  'access.write': 'Share the server',
  'schedules.read': 'See schedules',
  'schedules.write': 'Change schedules',
}

export const scopeEntries: readonly z.input<typeof ScopeEntry>[] = SCOPES.map((id) => ({
  id,
  name: NAMES[id],
  ownerOnly: RUNS_PROGRAMS.has(id),
}))
