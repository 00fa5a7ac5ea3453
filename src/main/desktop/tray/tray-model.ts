import type { PowerAction } from '../../../contract/areas/servers.ts'
import type { Connection, Server, ServerRef } from '../../../contract/bridge/values.ts'
import { mayWarn, type PowerWarning, powerWarning } from '../../../contract/rules/power.ts'
import type { Facts } from '../facts.ts'
import { HOME_PLACE, NOTIFICATIONS_PLACE, serverPlace } from '../alerts/places.ts'
import { menuLabel, plainLine } from '../alerts/plain-text.ts'
import type { DesktopWords } from '../words.ts'

export type TrayAction = Extract<PowerAction, 'start' | 'stop' | 'restart'>

/** `warn`: players are warned for a minute first. */
export type TrayHow = 'now' | 'warn'

export type TrayEntry =
  | { kind: 'line'; label: string }
  | { kind: 'separator' }
  | { kind: 'place'; label: string; to: string }
  | {
      kind: 'server'
      label: string
      server: ServerRef
      entries: (
        { label: string; to: string } | { label: string; action: TrayAction; how: TrayHow; enabled: boolean }
      )[]
    }
  | { kind: 'open' | 'quit'; label: string }

export interface TrayModel {
  tooltip: string
  title: string
  unread: number
  entries: TrayEntry[]
}

const SERVERS_MOST = 12
const NAME_MOST = 40

type StatusWord = keyof DesktopWords['status']
const ORDER: readonly StatusWord[] = [
  'crashed',
  'lost',
  'online',
  'starting',
  'stopping',
  'installing',
  'sleeping',
  'unknown',
  'offline',
]
const NEEDS: Record<TrayAction, readonly string[]> = {
  start: ['control.start'],
  stop: ['control.stop'],
  restart: ['control.start', 'control.stop'],
}
const FITS: Record<TrayAction, readonly StatusWord[]> = {
  start: ['offline', 'crashed', 'sleeping', 'unknown'],
  stop: ['online', 'starting', 'sleeping', 'unknown'],
  restart: ['online', 'unknown'],
}

export function trayModel(facts: Facts, words: DesktopWords): TrayModel {
  const all = facts.connections.flatMap((connection) =>
    facts.serversOf(connection.id).map((server) => ({ connection, server, status: statusOf(server) })),
  )
  const shown = all
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
    .slice(0, SERVERS_MOST)
  const { unread } = facts
  const line = summary(all, words)
  const rest = all.length - shown.length
  const entries: TrayEntry[] = [
    { kind: 'line', label: line },
    ...shown.map(({ connection, server, status }) =>
      serverEntry(connection, server, status, facts.playersOn, words),
    ),
    ...(rest > 0 ? [{ kind: 'place', label: words.moreServers(rest), to: HOME_PLACE } as const] : []),
    { kind: 'separator' },
    ...(unread > 0 ? [{ kind: 'place', label: words.unread(unread), to: NOTIFICATIONS_PLACE } as const] : []),
    { kind: 'open', label: words.open },
    { kind: 'quit', label: words.quit },
  ]
  const tooltip = ['Wheelhouse', line, ...(unread > 0 ? [words.unread(unread)] : [])].join('\n')
  return { tooltip, title: unread > 0 ? String(Math.min(unread, 99)) : '', unread, entries }
}

function summary(all: readonly { status: StatusWord }[], words: DesktopWords): string {
  if (all.length === 0) return words.noServers
  const having = (...kinds: StatusWord[]) => all.filter(({ status }) => kinds.includes(status)).length
  const crashed = having('crashed')
  const running = words.running(having('online', 'starting', 'stopping'), all.length)
  return crashed > 0 ? `${running} · ${words.crashed(crashed)}` : running
}

function serverEntry(
  { id: connectionId, state }: Connection,
  server: Server,
  status: StatusWord,
  playersOn: PowerWarning,
  words: DesktopWords,
): TrayEntry {
  const ref = { connectionId, serverId: server.id }
  const name = plainLine(server.name, NAME_MOST) || plainLine(server.id, NAME_MOST)
  const holds = (action: TrayAction) =>
    !Array.isArray(server.role) || NEEDS[action].every((scope) => server.role?.includes(scope))
  const entry = (one: TrayAction, how: TrayHow, label: string) => ({
    ...{ label, action: one, how },
    // The status of an unreachable service is outdated.
    enabled: state.kind === 'ready' && FITS[one].includes(status) && holds(one),
  })
  /** The question whether to warn players is answered in the menu. */
  const action = (one: TrayAction) => {
    const warning = powerWarning(one, server, playersOn)
    if (one === 'start' || warning === 'now') return [entry(one, 'now', words[one])]
    const warned = entry(one, 'warn', words.warned(one))
    if (warning === 'warn') return [warned]
    const now = entry(one, 'now', words.now(one))
    return mayWarn(server) ? [warned, now] : [now]
  }
  const open = { label: words.openServer, to: serverPlace(ref, 'overview') }
  return {
    kind: 'server',
    label: menuLabel(`${name} – ${words.status[status]}`),
    server: ref,
    entries: [open, ...action('start'), ...action('stop'), ...action('restart')],
  }
}

function statusOf({ status }: Server): StatusWord {
  return typeof status === 'string' ? status : 'unknown'
}
