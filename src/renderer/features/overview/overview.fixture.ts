import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type {
  Connection,
  ConsolePiece,
  RuntimeStatus,
  Server,
  View,
} from '../../../contract/bridge/values.ts'
import type { ActivityEntry } from '../../../contract/areas/activity.ts'
import type { Extension } from '../../../contract/areas/extensions.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
// It is loaded when it is shown; what it needs is prepared before the first test only where it is named here.
import './graphs/Graphs.svelte'
import './FailedWork.svelte'
import './FirstRun.svelte'
import './Parts.svelte'
import '../console/LastLines.svelte'
import Overview from './Overview.svelte'

export const MIB = 1024 * 1024
export const players = { online: 3, max: 20 }
export const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
export const server: Server = { id: 's', name: 'Meadow', status: 'online', players, memoryMb: 2048 }
export const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
export const away: Connection = {
  ...connection,
  state: {
    kind: 'offline',
    problem: { code: 'offline', message: 'No.', retryable: true },
    since: ago(60_000),
  },
}

export const listed = <T>(items: T[]) => view({ items, leftOut: [], more: false as const })
export const done: ActivityEntry[] = [
  { id: '2', at: ago(60_000), actor: { name: 'Ben' }, action: 'players.act.kick', what: 'player', target: 'Eve', result: 'done' }, // prettier-ignore
  { id: '1', at: ago(90_000), actor: { service: true }, action: 'servers.crashed', result: 'failed', reason: 'exit-code-7' }, // prettier-ignore
]
/** So many lines of a console. */
export const said = (count: number): ConsolePiece[] => [
  {
    kind: 'lines',
    batch: {
      ...{ epoch: '1', firstSeq: 1, texts: Array.from({ length: count }, (_, at) => `line ${at + 1}`) },
      ...{ times: Array.from({ length: count }, () => 0), sources: {} },
    },
  },
]
export const UNAVAILABLE = {
  detail: 'activity.list',
  code: 'unavailable' as const,
  message: 'No.',
  retryable: false,
}

export const NONE = { value: null, asOf: null, stale: true }
/** What the panel answers; tests change it. */
export const answers = {
  way: new ScriptedBridge({}),
  extensions: [] as Extension[],
  asOf: '',
  now: { status: 'online' } as RuntimeStatus,
}

export const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: answers.asOf, stale: false, problem: null },
})

export function prepare(): void {
  localStorage.removeItem('graphs-range')
  answers.extensions = []
  answers.asOf = ago(0)
  answers.now = { status: 'online', players, since: ago(3 * 3_600_000) }
  const samples = [10_000, 5000, 0].map((old) => ({
    ...{ at: Date.now() - old, cpu: 1.5, memory: 130 * MIB, players: 3 },
  }))
  answers.way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view(answers.now),
    'servers.samples': () => ({ ok: true, value: { samples, marks: [], problem: null } }),
    'view servers.stats-history': () => ({ ok: true, value: { ...NONE, problem: UNAVAILABLE } }),
    'view players.list': () =>
      listed([{ name: 'Steve', online: true, onlineSince: ago(12.5 * 60_000) }, { name: 'Alex' }]),
    'view activity.list': () => listed(done),
    'view extensions.list': () => listed(answers.extensions),
    'view files.limits': () => view({ freeBytes: 3 * 1024 * MIB, usedBytes: 1024 * MIB }),
    'console.watch': () => ({
      ok: true,
      value: { watch: 1, state: 'live', history: { read: true, problem: null }, pieces: said(9) },
    }),
    'console.commands': () => ({ ok: true, value: [] }),
    'console.command': () => ({ ok: true, value: { lineId: null } }),
    'console.live': () => ({ ok: true, value: { state: 'live', asked: null } }),
  })
  window.panel = answers.way
  panel.take(connection)
}

export const graph = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}`) })
export const facts = () => document.querySelector('dl')?.textContent.trim() ?? ''
const lines = () => import('../console/LastLines.svelte')
const crash = () => import('../crash/CrashCard.svelte')
export const open = () => render(Overview, { server: new ServerState('c', 's'), lines, crash })
export const tell = (status: RuntimeStatus) =>
  answers.way.send('view', {
    ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
    now: { value: status, asOf: ago(0), stale: false, problem: null },
  })
