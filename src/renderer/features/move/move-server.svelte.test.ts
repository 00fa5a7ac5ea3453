import { page } from 'vitest/browser'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Relocation, RelocationPreview } from '../../../contract/bridge/relocation-calls.ts'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import MoveServer from './MoveServer.svelte'

const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const connectionOf = (id: string, kind: Connection['kind']): Connection => ({
  ...{ id, kind, name: `${id}.example`, baseUrl: `https://${id}.example/api/v1`, user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
})
const server: Server = { id: 's', name: 'Meadow', role: 'owner', status: 'offline' }
const other: Server = { id: 'o', name: 'Shop', role: ['files.read', 'files.write'], status: 'offline' }
const [FROM, TO] = [
  { connectionId: 'here', serverId: 's' },
  { connectionId: 'host', serverId: 'o' },
]
const preview: RelocationPreview = {
  ...{ from: 'stopped', to: 'unknown', hasTrash: false, warnings: [{ kind: 'proxy' }] },
  settings: [
    { name: 'server-port', from: '25565', to: '31000' },
    { name: 'memory', from: '2048', to: null },
  ],
}
const moving: Relocation = {
  ...{ id: '3b241101-e2bb-4255-8caf-4136c566a962', from: FROM, to: TO, stage: 'listing', transferId: null },
  ...{ done: 0, total: null, emptied: false, leftOut: 0, different: [], differentCount: 0, problem: null },
}

/** The section of a server, with another one at a host. */
async function opened(all: Relocation[] = [], others = [other]) {
  const isHost = (id: string) => id === 'host'
  const main = new ScriptedBridge({
    'view servers.list': ({ connectionId }) =>
      shown({ items: isHost(connectionId) ? others : [server], leftOut: [], more: false }),
    'view servers.read': ({ connectionId }) => shown(isHost(connectionId) ? other : server),
    'view servers.status': () => shown({ status: 'offline' }),
    'relocations.list': () => ({ ok: true, value: all }),
    'transfers.list': () => ({ ok: true, value: { items: [], limit: null, atOnce: 2 } }),
    'relocations.preview': () => ({ ok: true, value: preview }),
    'relocations.begin': () => ({ ok: true, value: moving }),
  })
  window.panel = main
  for (const one of [connectionOf('here', 'service'), connectionOf('host', 'host')]) panel.take(one)
  await Promise.all(['here', 'host'].map((id) => panel.servers(id).again()))
  await render(MoveServer, { server: new ServerState('here', 's') })
  return main
}
const dialog = () => page.getByRole('dialog', { name: 'Move Meadow' })

it('of two servers with one name, the one that was chosen is the one', async () => {
  const main = await opened([], [other, { ...other, id: 'p' }])
  await page.getByRole('button', { name: 'Move…' }).click()
  const shops = dialog().getByRole('radio', { name: /^Shop/ })
  await shops.nth(1).click()
  await expect.element(shops.first()).not.toBeChecked()
  await dialog().getByRole('button', { name: 'Next' }).click()
  await expect.element(dialog().getByText('What differs there')).toBeVisible()
  expect(main.called.find(({ name }) => name === 'relocations.preview')?.input).toEqual({
    ...{ from: FROM, to: { connectionId: 'host', serverId: 'p' } },
  })
})

it('what differs is listed before, and what nobody can know is confirmed', async () => {
  const main = await opened()
  await page.getByRole('button', { name: 'Move…' }).click()
  await expect.element(dialog().getByRole('radio', { name: 'This computer' })).toBeVisible()
  await dialog().getByRole('radio', { name: 'Shop · host.example' }).click()
  await dialog().getByRole('button', { name: 'Next' }).click()
  await expect.element(dialog().getByText('25565 → 31000')).toBeVisible()
  await expect.element(dialog().getByText('2 GB → not known')).toBeVisible()
  await expect.element(dialog().getByText('This server trusts a proxy', { exact: false })).toBeVisible()
  const move = dialog().getByRole('button', { name: 'Move', exact: true })
  await expect.element(move).toHaveAttribute('aria-disabled', 'true')
  await dialog().getByRole('checkbox').click()
  await dialog()
    .getByRole('radio', { name: /^Delete them first, permanently/ })
    .click()
  await move.click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(main.called.find(({ name }) => name === 'relocations.begin')?.input).toEqual({
    ...{ from: FROM, to: TO, empties: true, areStopped: true },
  })
})

it('how far a move is and what it left behind is said', async () => {
  const main = await opened([moving])
  const tell = (now: Partial<Relocation>) => main.send('relocations', [{ ...moving, ...now }])
  const says = (text: string) => expect.element(page.getByText(text, { exact: false })).toBeVisible()
  await says('To Shop')
  tell({ stage: 'checking', done: 5, total: 10 })
  await says('Comparing: 5 of 10 files')
  tell({ stage: 'cancelled' })
  await says('Shop is as it was. This server is unchanged.')
  tell({ stage: 'cancelled', transferId: 't' })
  await says('Some files have arrived at Shop.')
  const problem = { code: 'offline', message: 'No.', retryable: true } as const
  tell({ stage: 'failed', emptied: true, problem })
  await says('At Shop, files were deleted, and some of the new ones may be there.')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  tell({ stage: 'done', leftOut: 2 })
  await says('Moved, and every file compared.')
  await says('2 links and special files were left out.')
})
