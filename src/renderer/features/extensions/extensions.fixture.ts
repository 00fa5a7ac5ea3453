import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type {
  Connection,
  Extension,
  ExtensionChanges,
  FoundExtension,
  PlannedChange,
  Server,
  View,
} from '../../../contract/bridge/values.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import './add/FoundSheet.svelte'
import Extensions from './Extensions.svelte'
import './plan/PlanDialog.svelte'
import './sheet/ExtensionSheet.svelte'

export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkqGH4DwAChAGAH3wGhAAAAABJRU5ErkJggg=='
const room = document.createElement('style')
room.textContent = 'body > div { height: 600px }'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}

interface ServiceAnswers {
  installed: Extension[]
  updates: { id: string; update: { versionId: string; version: string } }[]
  changes: ExtensionChanges
  plan: PlannedChange[]
  found: FoundExtension[]
  description: string
  role: Server['role']
  status: 'online' | 'offline'
  software: Server['software']
  /** The Java that is chosen for the server. */
  java: string
}

/** What the service answers; a test changes it. */
export let told: ServiceAnswers
export let way: ScriptedBridge

export const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
export const items = <T>(list: T[]) => shown({ items: list, leftOut: [], more: false as const })
export const refused = (message: string) => ({
  ok: false as const,
  problem: { code: 'conflict' as const, message, retryable: false, serviceCode: 'extensions.x' },
})

beforeEach(() => {
  const vault = { id: 'vault', name: 'Vault', version: '1.7.3', kind: 'plugin' as const }
  told = {
    installed: [
      { ...vault, file: 'plugins/Vault.jar', enabled: true, project: { id: 'm:vault', catalog: 'modrinth' } },
      { id: 'luck', name: 'LuckPerms', version: '5.4', enabled: true, project: { id: 'm:luck' } },
      {
        ...{ id: 'shop', name: 'ChestShop', version: '3', enabled: true },
        problems: [
          { kind: 'missing-dependency', name: 'Economy' },
          { kind: 'wrong-java', wants: '21' },
        ],
      },
      { id: 'old', name: 'OldOne', version: '1', enabled: false },
    ],
    updates: [{ id: 'luck', update: { versionId: 'v55', version: '5.5' } }],
    changes: {},
    plan: [],
    found: [],
    description: '',
    role: 'owner',
    status: 'offline',
    software: { id: 'paper', name: 'Paper', version: '1.21.4' },
    java: 'auto',
  }
  way = new ScriptedBridge({
    'view servers.read': () => shown({ id: 's', name: 'Meadow', role: told.role, software: told.software }),
    'view servers.list': () => items([{ id: 's', name: 'Meadow', software: told.software }]),
    'view servers.read-config': () => shown({ name: 'Meadow', java: told.java }),
    'send servers.change-config': ({ body }) => {
      told.java = (body as { java: string }).java
      told.installed = told.installed.map((one) => ({ ...one, problems: [] }))
      return { ok: true, value: { name: 'Meadow', java: told.java } }
    },
    'view servers.status': () => shown({ status: told.status }),
    'view extensions.list': () => items(told.installed),
    'view extensions.updates': () => shown({ items: told.updates }),
    'view extensions.changes': () => shown(told.changes),
    'view extensions.search': () => shown({ items: told.found, leftOut: [], more: false, next: null }),
    'view extensions.icon': () => shown({ picture: PIXEL }),
    'view extensions.details': ({ query }) =>
      shown({
        ...{ id: query!.project, name: 'Vault', description: told.description },
        versions: [
          { id: 'v2', name: '2.0' },
          { id: 'v1', name: '1.0', channel: 'experimental' as const },
        ],
      }),
    'view extensions.plan': () => shown({ changes: told.plan }),
    'send extensions.install': () => ({ ok: true, value: { accepted: true } }),
    'send extensions.cancel': () => {
      told.changes = {}
      return { ok: true, value: undefined }
    },
    'send extensions.undo': () => {
      told.changes = {}
      return { ok: true, value: told.changes }
    },
    'send extensions.change': ({ params }) => ({ ok: true, value: { id: params.extensionId, name: 'x' } }),
    'send extensions.remove': () => ({ ok: true, value: undefined }),
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
    'app.open': () => ({ ok: true, value: undefined }),
  })
  window.panel = way
  panel.take(connection)
  document.head.append(room)
})
afterEach(() => {
  room.remove()
  for (const notice of notices()) dismiss(notice.id)
})

export const names = () =>
  [...document.querySelectorAll('[data-row] [role=gridcell]:first-child')].map((cell) =>
    cell.textContent.trim(),
  )
export const row = (name: RegExp) => page.getByRole('row', { name })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const dialog = () => page.getByRole('dialog')
export const sent = (name: string) =>
  way.called.filter((one) => one.name === `send extensions.${name}`).map(({ input }) => input)

export async function open(): Promise<void> {
  const server = new ServerState('c', 's')
  const view = new LiveView('extensions.list', { connectionId: 'c', params: { serverId: 's' } })
  await render(Extensions, { server, view })
}
