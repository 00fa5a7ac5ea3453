import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import type { Connection, Server } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ago, answers, connection, open, prepare, server, tell, view } from './overview.fixture.ts'

const fresh: Server = {
  ...{ ...server, status: 'offline', players: null, role: 'owner', ran: false },
  address: { host: '127.0.0.1', port: 25565 },
}
const steps = page.getByRole('region', { name: 'First steps' })
const texts = () =>
  steps
    .getByRole('listitem')
    .elements()
    .map((one) => one.textContent.replaceAll(/\s+/g, ' ').trim())

/** What the service says of the server, and what is reached of it. */
function be(more: Partial<Server> = {}, of: Connection = connection): void {
  const now = { ...fresh, ...more }
  answers.now = { status: 'offline' }
  answers.way.answer('view servers.read', () => view(now))
  answers.way.answer('view servers.list', () => view({ items: [now], leftOut: [], more: false }))
  panel.take(of)
}

beforeEach(() => {
  prepare()
  onTestFinished(() => panel.take(connection))
  answers.way.answer('view servers.addresses', () =>
    view({ items: [{ kind: 'computer' as const, host: '127.0.0.1', port: 25565 }] }),
  )
  answers.way.answer('send servers.power', () => ({ ok: true, value: { accepted: true } }))
})

it('of a server that never ran the steps are shown, and nothing that is empty', async () => {
  be({}, { ...connection, kind: 'local' })
  await open()
  await expect
    .poll(texts)
    .toEqual([
      '1 Start the server Start',
      '2 Join in Minecraft 127.0.0.1:25565',
      '3 Let friends in How to connect',
    ])
  expect(page.getByRole('region').elements()).toHaveLength(1)
  await steps.getByRole('button', { name: 'Start' }).click()
  expect(answers.way.called.find(({ name }) => name === 'send servers.power')?.input).toMatchObject({
    body: { action: 'start' },
  })
  await steps.getByRole('button', { name: 'How to connect' }).click()
  await expect.element(page.getByRole('dialog', { name: 'How to connect to Meadow' })).toBeVisible()
})

it('they stay while it starts for the first time, beside what it says and uses', async () => {
  be()
  await open()
  await expect.element(steps).toBeVisible()
  tell({ status: 'starting' })
  await expect.element(page.getByRole('region', { name: 'Console' })).toBeVisible()
  expect(texts()[0]).toBe('1 Start the server Starting')
  be({ status: 'online', ran: true })
  tell({ status: 'online', since: ago(0) })
  await expect.poll(() => texts()[0]).toBe('Start the server Online')
  expect(texts()[1]).toContain('127.0.0.1:25565')
})

it('who may not start it is not told to, and at a service access can be shared by who may', async () => {
  be({ role: ['server.read', 'access.read', 'access.write'] })
  await open()
  await expect
    .poll(texts)
    .toEqual(['1 Join in Minecraft 127.0.0.1:25565', '2 Let friends in How to connect Share access'])
  await expect
    .element(steps.getByRole('link', { name: 'Share access' }))
    .toHaveAttribute('href', '#/c/c/s/s/settings/access')
})

it('a server that ran, or of which nobody says whether it did, has no first steps', async () => {
  be({ ran: null })
  await open()
  await expect.element(page.getByRole('region', { name: 'Console' })).toBeVisible()
  expect(steps.query()).toBeNull()
})
