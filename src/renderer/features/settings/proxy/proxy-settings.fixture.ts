import { afterEach, beforeEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../../app/theme.css'
import type { Connection, RuntimeStatus, Server, View } from '../../../../contract/bridge/values.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../../ui/feedback/notices.svelte.ts'
// Loaded later otherwise, when what it needs would be prepared for the first time.
import './ProxySettings.svelte'
import { oldSettings } from './old-settings.svelte.ts'
import ServerSettings from '../ServerSettings.svelte'
import { proxy as section } from '../index.ts'

export const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
export const shown = <T>(value: T, tag?: string): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null, ...(tag && { tag }) },
})
export const refused = (code: 'changed' | 'not-found') =>
  ({ ok: false, problem: { code, message: '', retryable: false } }) as const

export const proxy: Server = {
  ...{ id: 'p', name: 'Gate', role: 'owner', status: 'online' },
  software: { id: 'velocity', proxy: true },
  address: { host: '127.0.0.1', port: 25565 },
}
export const lobby: Server = {
  ...{ id: 'l', name: 'My Lobby', role: 'owner', status: 'offline' },
  software: { id: 'paper' },
  address: { host: '127.0.0.1', port: 25566 },
}

interface ServiceFixture {
  way: ScriptedBridge
  /** Path → text, as they are at the service; the text is its own entity tag. */
  files: Map<string, string>
  onlineMode: string
  /** What the proxy runs as, now and at its next start. */
  driver: 'process' | 'docker' | null
  /** Of the proxy. */
  role: Server['role']
  status: RuntimeStatus
  lobby: Server
  /** What was written, in order. */
  written: string[]
}
/** A proxy and a server behind it, and what became of them; each test begins with new ones. */
export const at = {} as ServiceFixture

beforeEach(() => {
  at.files = new Map([
    ['p/velocity.toml', '# mine\nplayer-info-forwarding-mode = "NONE" # for now\n\n[servers]\ntry = []\n'],
    ['p/forwarding.secret', 'hidden-words\n'],
    ['l/config/paper-global.yml', "# Paper\nproxies:\n  velocity:\n    enabled: false\n    online-mode: true # yes\n    secret: ''\n"], // prettier-ignore
  ])
  at.onlineMode = 'true'
  at.driver = null
  at.lobby = lobby
  at.role = 'owner'
  at.status = { status: 'online' }
  at.written = []
  at.way = new ScriptedBridge({
    'view servers.read': ({ params }) => shown(params.serverId === 'p' ? { ...proxy, role: at.role } : lobby),
    'view servers.list': () =>
      shown({ items: [{ ...proxy, role: at.role }, at.lobby], leftOut: [], more: false as const }),
    'view servers.status': () => shown(at.status),
    'view servers.read-config': () =>
      shown(
        {
          ...{ name: '', properties: [{ key: 'online-mode', value: at.onlineMode }] },
          ...(at.driver && { driver: at.driver, running: { driver: at.driver } }),
        },
        at.onlineMode,
      ),
    'send servers.change-config': ({ body, ifMatch }) => {
      if (ifMatch !== at.onlineMode) return refused('changed')
      at.onlineMode = String(body.properties![0]!.value)
      at.written.push('online-mode')
      return { ok: true, value: { name: '' } }
    },
    'files.read-text': ({ serverId, path }) => {
      const text = at.files.get(`${serverId}/${path}`)
      if (text === undefined) return refused('not-found')
      const content = { kind: 'text' as const, text }
      return { ok: true, value: { path, size: text.length, modifiedAt: null, etag: text, content } }
    },
    'files.write-text': ({ serverId, path, text, base }) => {
      const name = `${serverId}/${path}`
      if (base.kind !== 'etag' || base.etag !== at.files.get(name)) return refused('changed')
      at.files.set(name, text)
      at.written.push(path)
      return { ok: true, value: { etag: text, running: false } }
    },
    'console.command': () => ({ ok: true, value: { lineId: null } }),
  })
  window.panel = at.way
  panel.take(connection)
})
afterEach(() => {
  oldSettings({ connectionId: 'c', serverId: 'p' })?.forget()
  for (const notice of notices()) dismiss(notice.id)
})

export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const field = (name: string) => page.getByLabelText(name, { exact: true })
export const file = () => at.files.get('p/velocity.toml')
export async function open(): Promise<void> {
  await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
  await expect.element(field('Server')).toBeVisible()
}
export async function addLobby(): Promise<void> {
  await userEvent.selectOptions(field('Server'), 'My Lobby (127.0.0.1:25566)')
  await button('Add server').click()
}
