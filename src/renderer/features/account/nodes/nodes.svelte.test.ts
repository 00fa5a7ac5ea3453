import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Node } from '../../../../contract/areas/nodes.ts'
import type { Connection, View } from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import type { ProblemData } from '../../../core/bridge.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import Accounts from '../Accounts.svelte'
// Loaded later otherwise, when what it needs would be prepared for the first time.
import './DrainDialog.svelte'
import './Nodes.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const GIB = 1024 ** 3
const nodeOf = (name: string, more: Partial<Node> = {}): Node => ({
  ...{ id: name, name, isReady: true, isDraining: false, cpus: 8, takenCpus: 2 },
  ...{ memoryBytes: 16 * GIB, takenMemoryBytes: 6 * GIB, servers: [], ...more },
})
const first = nodeOf('node-1', {
  servers: [
    {
      ...{ id: 'a', name: 'Meadow', status: 'online', players: { online: 2, max: 20 } },
      playerNames: ['Alex', 'Steve'],
    },
    { id: 'b', name: 'Lobby', status: 'online', isPinned: true },
    { id: 'd', name: 'Desert', status: 'starting' },
  ],
})

const view = <T>(value: T | null, problem: ProblemData | null = null): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: value && new Date().toISOString(), stale: value === null, problem },
})
const list = (items: Node[]) => view({ items, leftOut: [], more: false as const })

let main: ScriptedBridge
let nodes: Node[]
beforeEach(() => {
  nodes = [first, nodeOf('node-2')]
  main = new ScriptedBridge({
    'view nodes.list': () => list(nodes),
    'send nodes.drain': () => ({ ok: true, value: undefined }),
    'send nodes.move': () => ({ ok: true, value: { status: 'online', node: 'node-2' } }),
  })
  window.panel = main
  panel.take(connection)
})

const open = () => render(Accounts, { connectionId: 'c', section: 'computers' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (name: string) => dialog().getByRole('listitem').filter({ hasText: name })
const sent = (name: string) => main.called.filter((one) => one.name === name).map(({ input }) => input)

describe('the computers of a service', () => {
  it('are listed with what is taken of each, and with who is on its servers', async () => {
    nodes.push(
      nodeOf('node-3', {
        isReady: false,
        goneSince: '2020-01-02T03:04:05Z',
        servers: [{ id: 'f', name: 'Survival', status: 'lost' }],
      }),
      nodeOf('node-4', { isDraining: true, cpus: 1 }),
    )
    await open()
    await expect.element(page.getByText('Ready · 6 GB of 16 GB assigned · 8 cores').first()).toBeVisible()
    await expect.element(page.getByText(/^Unreachable since Jan \d, 2020.* · 6 GB/)).toBeVisible()
    await expect.element(page.getByText(/^Takes no more servers · .* · 1 core$/)).toBeVisible()
    const servers = page.getByRole('list', { name: 'Servers on node-1' })
    await expect.element(servers).toMatchTextContent(/Meadow\s*Online\s*2 players: Alex, Steve/)
    await expect.element(page.getByRole('link', { name: 'Computers' })).toBeVisible()
    const lost = page.getByRole('list', { name: 'Servers on node-3' })
    await expect.element(lost).toMatchTextContent(/Survival\s*Not reached/)
    // Nothing can be moved from where nothing is reached.
    expect(button('Drain node-3').query()).toBeNull()
    await button('Use node-4 again').click()
    expect(sent('send nodes.drain')).toMatchObject([
      { params: { nodeId: 'node-4' }, body: { isDraining: false } },
    ])
  })

  it('are not spoken of where there is one, or where they are another’s', async () => {
    nodes = []
    const { rerender } = await open()
    await expect.element(page.getByText('This service doesn’t offer this.')).toBeVisible()
    expect(page.getByRole('link', { name: 'Computers' }).query()).toBeNull()
    const forbidden = { code: 'forbidden', message: '', retryable: false } as const
    main.answer('view nodes.list', () => view<never>(null, forbidden))
    await rerender({ connectionId: 'c', section: 'computers' })
    await expect.element(page.getByText('This service doesn’t offer this.')).toBeVisible()
  })

  it('that could not be read can be asked for again', async () => {
    main.answer('view nodes.list', () =>
      view<never>(null, { code: 'service-failed', message: '', retryable: true }),
    )
    await open()
    await expect
      .element(page.getByRole('heading', { name: 'The computers couldn’t be loaded' }))
      .toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
  })
})

describe('draining one', () => {
  it('says who is on and what can’t move, then restarts the others one after another', async () => {
    let go: () => void = () => undefined
    main.answer('send nodes.move', async ({ body }) => {
      await new Promise<void>((resolve) => (go = resolve))
      const isFirst = body?.serverId === 'a'
      return { ok: true, value: { status: isFirst ? 'online' : 'crashed', node: isFirst ? 'node-2' : null } }
    })
    await open()
    await button('Drain node-1').click()
    await expect.element(dialog()).toMatchTextContent(/2 players are disconnected for a moment\./)
    await expect.element(row('Meadow')).toMatchTextContent(/2 players: Alex, Steve.*any other computer/)
    await expect.element(row('Lobby')).toMatchTextContent(/Stays here and runs on/)
    expect(sent('send nodes.drain')).toEqual([])
    await button('Drain and restart').click()
    await expect.element(row('Meadow')).toMatchTextContent(/Restarting…/)
    await expect.element(row('Desert')).toMatchTextContent(/any other computer/)
    expect(sent('send nodes.drain')).toMatchObject([{ body: { isDraining: true } }])
    go()
    await expect.element(row('Meadow')).toMatchTextContent(/Online on node-2/)
    await expect.element(row('Desert')).toMatchTextContent(/Restarting…/)
    go()
    await expect.element(row('Desert')).toMatchTextContent(/Couldn’t be started/)
    expect(sent('send nodes.move')).toMatchObject([
      { params: { nodeId: 'node-1' }, body: { serverId: 'a' } },
      { body: { serverId: 'd' } },
    ])
  })

  it('restarts nothing more once its plan is closed', async () => {
    let go: () => void = () => undefined
    main.answer('send nodes.move', async () => {
      await new Promise<void>((resolve) => (go = resolve))
      return { ok: true, value: { status: 'online' } }
    })
    await open()
    await button('Drain node-1').click()
    await button('Drain and restart').click()
    await expect.element(row('Meadow')).toMatchTextContent(/Restarting…/)
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    go()
    await expect.element(page.getByText(/^Ready · 6 GB/).first()).toBeVisible()
    expect(sent('send nodes.move')).toHaveLength(1)
  })

  it('restarts nothing where no other computer takes servers', async () => {
    nodes = [first, nodeOf('node-2', { isDraining: true })]
    await open()
    await button('Drain node-1').click()
    await expect.element(button('Drain and restart')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(dialog()).toMatchTextContent(/No other computer takes servers right now/)
    await button('Drain and restart').click({ force: true })
    expect(sent('send nodes.drain')).toEqual([])
  })
})
