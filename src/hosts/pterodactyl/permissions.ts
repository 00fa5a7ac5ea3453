import { SCOPES, type Scope } from '../../contract/declarations/operation.ts'
import { HOST_SCOPES } from '../../contract/rules/scopes.ts'

/** The panel's permissions behind each of our scopes. */
const PERMISSIONS: Partial<Record<Scope, readonly string[]>> = {
  'server.read': [],
  'stats.read': ['websocket.connect'],
  'control.start': ['control.start'],
  'control.stop': ['control.stop'],
  'control.kill': ['control.stop'],
  'console.read': ['websocket.connect'],
  'console.send': ['control.console'],
  'files.read': ['file.read', 'file.read-content'],
  'files.write': ['file.create', 'file.update'],
  'files.delete': ['file.delete'],
  'backups.read': ['backup.read'],
  'backups.create': ['backup.create'],
  'backups.restore': ['backup.restore'],
  'backups.delete': ['backup.delete'],
  'config.read': ['file.read', 'file.read-content'],
  'config.write': ['file.read', 'file.read-content', 'file.update'],
  'extensions.read': ['file.read', 'file.read-content'],
  'extensions.write': ['file.read', 'file.read-content', 'file.create', 'file.update', 'file.delete'],
  'players.read': ['file.read', 'file.read-content'],
  'players.act': ['control.console', 'file.read', 'file.read-content'],
  'activity.read': ['activity.read'],
  'access.read': ['user.read'],
  'access.write': ['user.create', 'user.update', 'user.delete'],
  'schedules.read': ['schedule.read'],
  'schedules.write': ['schedule.create', 'schedule.update', 'schedule.delete'],
  'startup.read': ['startup.read'],
  'startup.write': ['startup.update'],
  'startup.image': ['startup.docker-image'],
  'startup.reinstall': ['settings.reinstall'],
  'databases.read': ['database.read'],
  'databases.create': ['database.create'],
  'databases.write': ['database.update'],
  'databases.delete': ['database.delete'],
  'ports.read': ['allocation.read'],
  'ports.create': ['allocation.create'],
  'ports.write': ['allocation.update'],
  'ports.delete': ['allocation.delete'],
}

/** What one who holds these permissions may do here; `*` holds all. */
export function scopesIn(held: readonly string[], offered: ReadonlySet<Scope>): Scope[] {
  const permissions = new Set(held)
  return [...SCOPES, ...HOST_SCOPES].filter((scope) => {
    const needed = PERMISSIONS[scope]
    if (!needed || !offered.has(scope)) return false
    // Panels before file.read-content have file.read alone.
    return permissions.has('*') || needed.every((one) => permissions.has(one) || one === 'file.read-content')
  })
}

const needsOf = (scopes: readonly Scope[]): ReadonlySet<string> =>
  new Set(scopes.flatMap((scope) => PERMISSIONS[scope] ?? []))

/** What one holds after a change to these scopes. Whatever no scope stands for stays. */
export function permissionsFor(
  wished: readonly Scope[],
  held: readonly string[],
  offered: ReadonlySet<Scope>,
): string[] {
  const before = scopesIn(held, offered)
  const lost = needsOf(before.filter((scope) => !wished.includes(scope)))
  const kept = needsOf(before.filter((scope) => wished.includes(scope)))
  const gained = needsOf(wished.filter((scope) => !before.includes(scope)))
  return [...new Set([...held.filter((one) => kept.has(one) || !lost.has(one)), ...gained])]
}
