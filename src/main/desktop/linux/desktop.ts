import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { DesktopLack } from '../../../contract/bridge/desktop-calls.ts'

const PATIENCE_MS = 3_000

/** Null if the bus refuses. Rejects if there is no bus. */
export type BusCall = (args: readonly string[]) => Promise<string | null>

const bus = ['--session', '--print-reply=literal']
const own = [...bus, '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus']
const WATCHER = 'org.kde.StatusNotifierWatcher'
const NOTIFICATIONS = 'org.freedesktop.Notifications'

async function dbusSend(args: readonly string[]): Promise<string | null> {
  const options = { timeout: PATIENCE_MS, encoding: 'utf8' as const }
  const sent = promisify(execFile)('dbus-send', args, options)
  return sent.then(
    ({ stdout }) => stdout,
    (error: { code?: unknown; stderr?: string }) => {
      // A numeric code is an exit code: the bus said no.
      if (error.code === 1 && /^Error org\./m.test(error.stderr ?? '')) return null
      throw error
    },
  )
}

/** A tray (an extension on GNOME) or a notification daemon may be missing. Empty if unknown; never rejects. */
export async function linuxDesktopLacks(
  ask: BusCall = dbusSend,
  env: NodeJS.ProcessEnv = process.env,
): Promise<DesktopLack[]> {
  // Without an address, D-Bus would start a bus of its own.
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
