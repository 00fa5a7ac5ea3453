import type { PowerAction } from '../../contract/bridge/values.ts'
import { send } from '../core/bridge.ts'
import { connectionName } from '../core/connection-words.ts'
import { powerActions, powerReason } from '../core/power.ts'
import { transfers } from '../features/transfers/transfers.svelte.ts'
import { t } from '../messages/t.svelte.ts'
import { notifyProblem } from '../ui/notices.svelte.ts'
import { statusKind, statusWord, type StatusKind } from '../core/status.ts'
import { panel } from '../core/panel.svelte.ts'
import { tabs } from './features.ts'
import type { Route } from '../core/route.ts'
import { go } from '../core/router.svelte.ts'

/** One line of the palette. */
export interface PaletteEntry {
  id: string
  group: 'here' | 'servers' | 'panel'
  name: string
  /** What stands beside the name. */
  note: string
  status?: StatusKind
  /** Why it cannot be done now. */
  reason?: string | null
  choose: () => void
}

/** Everything that can be reached from a place: what belongs to the server that is looked at, all servers, the panel. */
export function paletteEntries(at: Route): PaletteEntry[] {
  return [...here(at), ...servers(at), ...panelEntries()]
}

function here(at: Route): PaletteEntry[] {
  if (at.view !== 'server') return []
  const server = panel.server(at.connectionId, at.serverId)
  if (!server) return []
  const status = statusKind(server.status)
  // Killing asks first, and it asks at its own button.
  const gentle = powerActions.filter((action): action is Exclude<PowerAction, 'kill'> => action !== 'kill')
  const power = gentle.map((action): PaletteEntry => ({
    id: `power-${action}`,
    group: 'here',
    name: t(`power.${action}`),
    note: server.name,
    reason: powerReason(action, status, server.role, panel.reach(at.connectionId)),
    choose: () => {
      const { connectionId, serverId } = at
      send('servers.power', { connectionId, params: { serverId }, body: { action } }).catch(
        (thrown: unknown) => notifyProblem(thrown, () => server.name),
      )
    },
  }))
  const reach = tabs.map((tab): PaletteEntry => ({
    id: `tab-${tab}`,
    group: 'here',
    name: t(`tab.${tab}`),
    note: server.name,
    choose: () => go({ ...at, tab }),
  }))
  return [...power, ...reach]
}

function servers(at: Route): PaletteEntry[] {
  const tab = at.view === 'server' ? at.tab : 'overview'
  return (panel.connections ?? []).flatMap((connection) =>
    (panel.servers(connection.id).value?.items ?? []).map((server): PaletteEntry => ({
      id: `server-${connection.id}-${server.id}`,
      group: 'servers',
      name: server.name,
      note: `${statusWord(server.status)} · ${connectionName(connection)}`,
      status: statusKind(server.status),
      choose: () => go({ view: 'server', connectionId: connection.id, serverId: server.id, tab }),
    })),
  )
}

function panelEntries(): PaletteEntry[] {
  const entry = (id: string, name: string, choose: () => void, note = ''): PaletteEntry => ({
    id,
    group: 'panel',
    name,
    note,
    choose,
  })
  const theme = (value: 'system' | 'light' | 'dark') =>
    entry(`theme-${value}`, t('palette.theme', { theme: t(`app-settings.theme-${value}`) }), () => {
      panel.change({ theme: value }).catch((thrown: unknown) => notifyProblem(thrown))
    })
  return [
    entry('home', t('rail.home'), () => go({ view: 'home' })),
    ...(panel.connections ?? []).flatMap((connection) => [
      entry(
        `create-${connection.id}`,
        t('create.button'),
        () => go({ view: 'create', connectionId: connection.id }),
        connectionName(connection),
      ),
      entry(
        `connection-${connection.id}`,
        t('connection.manage'),
        () => go({ view: 'connection', connectionId: connection.id }),
        connectionName(connection),
      ),
    ]),
    entry('sign-in', t('start.service'), () => go({ view: 'sign-in', connectionId: null })),
    entry('accounts', t('accounts.title'), () => go({ view: 'accounts' })),
    entry('notifications', t('rail.notifications'), () => go({ view: 'notifications' })),
    entry('transfers', t('transfers.title'), () => transfers.show()),
    entry('settings', t('rail.settings'), () => go({ view: 'settings' })),
    theme('system'),
    theme('light'),
    theme('dark'),
  ]
}

/**
 * Orders entries by how well they fit what was typed: the beginning of the name, the beginning of a word, anywhere in
 * name or note, or the letters in order. What does not fit at all is left out.
 */
export function bestMatches(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const wanted = typed.trim().toLocaleLowerCase()
  if (wanted === '') return [...entries]
  return (
    entries
      // What cannot be done now stands below what fits as well and can.
      .map((entry) => ({ entry, score: fit(entry, wanted) - (entry.reason ? 0.5 : 0) }))
      .filter(({ score }) => score >= 0.5)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry)
  )
}

function fit(entry: PaletteEntry, wanted: string): number {
  const name = entry.name.toLocaleLowerCase()
  if (name === wanted) return 6
  if (name.startsWith(wanted)) return 5
  if (name.split(/[\s_-]+/).some((word) => word.startsWith(wanted))) return 4
  if (name.includes(wanted)) return 3
  if (`${name} ${entry.note.toLocaleLowerCase()}`.includes(wanted)) return 2
  let at = 0
  for (const letter of name) if (letter === wanted[at]) at += 1
  return at === wanted.length ? 1 : 0
}
