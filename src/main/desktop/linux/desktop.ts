import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { DesktopLack } from '../../../contract/bridge/desktop-calls.ts'

/** How long the session bus may take to answer, in ms. */
const PATIENCE_MS = 3_000

/** Asks the session bus; answers what it says, null where it refuses. Rejects where there is nobody to ask. */
export type AskBus = (args: readonly string[]) => Promise<string | null>

const bus = ['--session', '--print-reply=literal']
const own = [...bus, '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus']
const WATCHER = 'org.kde.StatusNotifierWatcher'
const NOTIFICATIONS = 'org.freedesktop.Notifications'

/** With the program that comes with D-Bus itself. */
async function dbusSend(args: readonly string[]): Promise<string | null> {
  const options = { timeout: PATIENCE_MS, encoding: 'utf8' as const }
  const sent = promisify(execFile)('dbus-send', args, options)
  return sent.then(
    ({ stdout }) => stdout,
    (error: { code?: unknown; stderr?: string }) => {
      // A number is its exit code: it was asked, and says no.
      if (error.code === 1 && /^Error org\./m.test(error.stderr ?? '')) return null
      throw error
    },
  )
}

/**
 * What the desktop of this session does not have, as far as it can be asked: a tray, which on GNOME an extension brings, and what shows
 * notifications. Where nobody can be asked, nothing is said to be missing. Never rejects.
 */
export async function linuxDesktopLacks(
  ask: AskBus = dbusSend,
  env: NodeJS.ProcessEnv = process.env,
): Promise<DesktopLack[]> {
  // Without an address a bus would be started that nobody else is on.
  if (!env['DBUS_SESSION_BUS_ADDRESS']) return []
  try {
    const [tray, running, startable] = await Promise.all([
      ask([
        ...[...bus, `--dest=${WATCHER}`, '/StatusNotifierWatcher', 'org.freedesktop.DBus.Properties.Get'],
        ...[`string:${WATCHER}`, 'string:IsStatusNotifierHostRegistered'],
      ]),
      ask([...own, 'org.freedesktop.DBus.NameHasOwner', `string:${NOTIFICATIONS}`]),
      ask([...own, 'org.freedesktop.DBus.ListActivatableNames']),
    ])
    const showsNotifications =
      /\btrue\b/.test(running ?? '') || (startable ?? '').split(/\s+/).includes(NOTIFICATIONS)
    return [
      ...(/\btrue\b/.test(tray ?? '') ? [] : ['tray' as const]),
      ...(showsNotifications ? [] : ['notifications' as const]),
    ]
  } catch {
    return []
  }
}
