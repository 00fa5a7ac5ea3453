import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../../app/theme.css'
import type { Connection, Server, View } from '../../../../contract/bridge/values.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import PackStrip from './PackStrip.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})

it('a pack that somebody else has sent is tried again by whoever may change the software', async () => {
  const server: Server = { id: 's', name: 'Meadow', role: ['extensions.read', 'software.write'] }
  const way = new ScriptedBridge({
    'view servers.read': () => shown(server),
    'view servers.list': () => shown({ items: [server], leftOut: [], more: false as const }),
    'view servers.status': () =>
      shown({
        status: 'offline' as const,
        failure: { work: 'pack' as const, error: { message: 'Modrinth is away.' } },
      }),
    'view modpacks.read': () => shown({ wanted: { name: 'Cozy Pack', version: '1.0' } }),
    'view modpacks.updates': () => shown({}),
    'send modpacks.install': () => ({ ok: true, value: { accepted: true } }),
  })
  window.panel = way
  panel.take(connection)
  await render(PackStrip, { server: new ServerState('c', 's'), asked: null, again: vi.fn() })
  await expect
    .element(page.getByRole('status'))
    .toMatchTextContent(/Cozy Pack 1\.0 isn’t installed yet\. Modrinth is away\./)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).not.toHaveAttribute('aria-disabled', 'true')
  await again.click()
  await expect
    .poll(() => way.called.find(({ name }) => name === 'send modpacks.install')?.input)
    .toMatchObject({ params: { serverId: 's' }, body: {} })
  await expect.element(again).not.toHaveAttribute('aria-busy', 'true')
})
