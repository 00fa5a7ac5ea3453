import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import type { ViewValue } from '../../../contract/bridge/passed.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import CreateServer from './CreateServer.svelte'

const server = (id: string, name: string): Server => ({ id, name, status: 'offline' })
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})
const versions = [{ id: '1', recommended: true }]

let connectionId = 0
interface CreateAnswers {
  /** What the answer tells of the server. */
  made?: Server | null
  /** Where the list is of those that were added by their IDs: why. */
  byId?: 'absent'
}

/** A connection that works, to a service of its own. */
const connected = (): Connection => ({
  ...{ id: `c${++connectionId}`, kind: 'service', name: 'play.example' },
  ...{ baseUrl: 'https://play.example/api/v1', user: null, tokenKept: 'keychain', expiresAt: null },
  state: { kind: 'ready' },
})

/** Creates a server at a service that lists these, or none where so many were added by their IDs; tells the notices. */
async function created(items: Server[], answered: CreateAnswers = { byId: 'absent' }): Promise<string[]> {
  const { made = server('n1', 'New'), byId } = answered
  const connection = connected()
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items, leftOut: [], more: false, ...(byId && { byId }) }),
    'view software.list': () =>
      shown({ items: [{ id: 'demo', name: 'Demo', versions }], leftOut: [], more: false }),
    'send servers.create': () => ({ ok: true, value: made }),
  })
  window.panel = way
  panel.take(connection)
  const { getByLabelText, getByRole } = await render(CreateServer, { connectionId: connection.id })
  await getByLabelText('Name').fill('New')
  await getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(() => way.called.map(({ name }) => name)).toContain('send servers.create')
  await expect.poll(() => location.href).toContain(made?.id ?? `#/c/${connection.id}`)
  return notices().map(({ text }) => text())
}

beforeEach(() => {
  for (const { id } of notices()) dismiss(id)
})
afterEach(() => history.replaceState(null, '', '/'))

it('a created server that found no place among those added by their IDs is said not to be in the list, with its ID', async () => {
  const [said, ...more] = await created(Array.from({ length: 100 }, (_, at) => server(`s${at}`, `S ${at}`)))
  expect(said).toMatch(/^New is created, but it isn’t in the list here:.*Its ID is n1\./)
  expect(more).toEqual([])
})

it('of a created server that is in the list nothing is said', async () => {
  expect(await created([server('n1', 'New')])).toEqual([])
})

it('a created server that the answer does not name is said to be created, and not to be told apart in the list', async () => {
  const said = await created([server('s1', 'New')], { made: null })
  expect(said).toEqual(['New is created. The service did not say which entry of the list it is.'])
})

it('a created server that nothing names, where the service gives no list, is said not to be in the list here', async () => {
  const [said, ...more] = await created([], { made: null, byId: 'absent' })
  expect(said).toMatch(/^New is created\. The service doesn’t list servers and didn’t give this one’s ID\./)
  expect(more).toEqual([])
})

it('whoever turns to another way before the list of software came creates nothing', async () => {
  let answer: (value: View<ViewValue<'software.list'>>) => void = () => undefined
  const catalog = new Promise<View<ViewValue<'software.list'>>>((resolve) => (answer = resolve))
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': async () => ({ ok: true, value: await catalog }),
    'send servers.create': () => ({ ok: true, value: server('n1', 'New') }),
  })
  window.panel = way
  const connection = connected()
  panel.take(connection)
  const { getByLabelText, getByRole } = await render(CreateServer, { connectionId: connection.id })
  await getByLabelText('Name').fill('New')
  await userEvent.keyboard('{Enter}')
  await expect.element(getByRole('button', { name: 'Create and start' })).toHaveAttribute('aria-busy', 'true')
  await getByRole('radio', { name: 'Existing server' }).click()
  await expect.element(getByRole('button', { name: 'Choose an archive' })).toBeVisible()
  answer(shown({ items: [{ id: 'demo', name: 'Demo', versions }], leftOut: [], more: false }).value)
  await getByRole('radio', { name: 'New', exact: true }).click()
  await expect.element(getByLabelText('Version', { exact: true })).toBeVisible()
  await expect.element(getByRole('button', { name: 'Create', exact: true })).toBeEnabled()
  expect(way.called.map(({ name }) => name)).not.toContain('send servers.create')
})

it('whoever looks for a build can choose one, which is sent; of another version it is chosen anew', async () => {
  const builds = [{ id: '12', channel: 'release' as const }, { id: '11' }]
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': () =>
      shown({
        items: [{ id: 'paper', name: 'Paper', versions: [...versions, { id: '2' }] }],
        leftOut: [],
        more: false,
      }),
    'view software.builds': () => shown({ items: builds, leftOut: [], more: false }),
    'send servers.create': () => ({ ok: true, value: server('n1', 'New') }),
  })
  window.panel = way
  const connection = connected()
  panel.take(connection)
  const { getByLabelText, getByRole, getByText } = await render(CreateServer, {
    connectionId: connection.id,
  })
  await expect.element(getByText('More options')).toBeVisible()
  // Nobody is asked for what nobody looks for.
  expect(way.called.map(({ name }) => name)).not.toContain('view software.builds')
  await getByText('More options').click()
  const build = getByLabelText('Build', { exact: true })
  await expect.element(build).toHaveDisplayValue('Newest stable (12)')
  await build.selectOptions('11')
  await getByLabelText('Version', { exact: true }).selectOptions('2')
  await expect.element(build).toHaveDisplayValue('Newest stable (12)')
  await build.selectOptions('11')
  // It is kept where it is folded, and where another way is looked at.
  await getByText('More options').click()
  await expect.element(build).not.toBeInTheDocument()
  await getByRole('radio', { name: 'Existing server' }).click()
  await getByRole('radio', { name: 'New', exact: true }).click()
  await getByText('More options').click()
  await expect.element(build).toHaveDisplayValue('11')
  await getByRole('button', { name: 'Create', exact: true }).click()
  await expect
    .poll(() => way.called.find(({ name }) => name === 'send servers.create')?.input)
    .toMatchObject({ body: { software: { id: 'paper', version: '2', build: '11' } } })
})

it('versions and builds that the service had to keep say of which time they are', async () => {
  const heldSince = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': () =>
      shown({
        items: [
          { id: 'paper', name: 'Paper', versions, heldSince },
          { id: 'demo', name: 'Demo', versions },
        ],
        leftOut: [],
        more: false,
      }),
    'view software.builds': () =>
      shown({ items: [{ id: '12' }, { id: '11' }], leftOut: [], more: false, heldSince }),
  })
  window.panel = way
  const connection = connected()
  panel.take(connection)
  const { getByLabelText, getByRole, getByText } = await render(CreateServer, { connectionId: connection.id })
  const said = getByText('This list is from 3 days ago: the service had nothing newer.')
  await expect.element(said).toBeVisible()
  await getByText('More options').click()
  await expect.element(getByLabelText('Build', { exact: true })).toBeVisible()
  expect(said.elements()).toHaveLength(2)
  await getByRole('radio', { name: 'Demo' }).click()
  await expect.poll(() => said.elements()).toHaveLength(1)
})

it('on this computer others can connect to what asks who they are, and to the demo only where somebody wants that', async () => {
  const license = { name: 'EULA', url: 'https://aka.ms/MinecraftEULA' }
  const items = [
    { id: 'paper', name: 'Paper', versions, license },
    { id: 'demo', name: 'Demo', versions },
  ]
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': () => shown({ items, leftOut: [], more: false }),
    'view software.builds': () => shown({ items: [], leftOut: [], more: false }),
    'send servers.create': () => ({ ok: true, value: server('n1', 'New') }),
  })
  window.panel = way
  const connection: Connection = { ...connected(), kind: 'local' }
  panel.take(connection)
  const { getByLabelText, getByRole, getByText } = await render(CreateServer, { connectionId: connection.id })
  await getByText('More options').click()
  const who = getByLabelText('Who can connect')
  await expect.element(who).toHaveValue('network')
  await getByRole('radio', { name: 'Demo' }).click()
  await expect.element(who).toHaveValue('computer')
  const warning = getByText(/^The demo doesn’t check accounts/)
  await expect.element(warning).not.toBeInTheDocument()
  await who.selectOptions('network')
  await expect.element(warning).toBeVisible()
  await getByRole('button', { name: 'Create', exact: true }).click()
  await expect
    .poll(() => way.called.find(({ name }) => name === 'send servers.create')?.input)
    .toMatchObject({ body: { software: { id: 'demo' }, openTo: 'network' } })
})

it('what is downloaded is marked, and where the service had nothing newer it is said what that means', async () => {
  const heldSince = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const offered = [
    { id: '1.21.4', recommended: true, isHere: false },
    { id: '1.21.1', isHere: true },
  ]
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': () =>
      shown({
        items: [
          { id: 'paper', name: 'Paper', versions: offered, heldSince },
          { id: 'purpur', name: 'Purpur', versions: offered },
          // One that does not say so.
          { id: 'fabric', name: 'Fabric', versions, heldSince },
        ],
        leftOut: [],
        more: false,
      }),
  })
  window.panel = way
  const connection = connected()
  panel.take(connection)
  const { getByLabelText, getByRole, getByText } = await render(CreateServer, { connectionId: connection.id })
  const [needs, without] = [/is not downloaded:/, /is downloaded:/]
  await expect.element(getByText(needs)).toBeVisible()
  await getByLabelText('Version', { exact: true }).selectOptions('1.21.1, downloaded')
  await expect.element(getByText(without)).toBeVisible()
  await expect.element(getByText(needs)).not.toBeInTheDocument()
  for (const other of ['Purpur', 'Fabric']) {
    await getByRole('radio', { name: other }).click()
    await expect.element(getByText(/downloaded:/)).not.toBeInTheDocument()
  }
})

it('an account with all the servers it may have reads so before it fills in the form, and is led to promocodes', async () => {
  for (const [has, offers] of [
    [3, true],
    [3, false],
    [2, true],
  ] as const) {
    const connection = connected()
    window.panel = new ScriptedBridge({
      'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
      'view software.list': () =>
        shown({ items: [{ id: 'demo', name: 'Demo', versions }], leftOut: [], more: false }),
      'view promocodes.limits': () => shown({ servers: { used: has, most: 3, limited: true } }),
      'view promocodes.list': () =>
        offers
          ? shown({ items: [], leftOut: [], more: false as const })
          : { ok: false, problem: { code: 'unavailable', message: 'None.', retryable: false } },
    })
    panel.take(connection)
    const { getByRole, getByText, unmount } = await render(CreateServer, { connectionId: connection.id })
    await expect.element(getByRole('button', { name: 'Create', exact: true })).toBeVisible()
    const link = getByRole('link', { name: 'Use a promocode' })
    if (has === 3) await expect.element(getByText('3 of 3 servers used')).toBeVisible()
    else expect(getByText(/servers used/).elements()).toEqual([])
    if (has === 3 && offers)
      await expect.element(link).toHaveAttribute('href', `#/accounts/${connection.id}/plan`)
    else expect(link.elements()).toEqual([])
    await unmount()
  }
})
