import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Server } from '../../../contract/bridge/values.ts'
import './LostNode.svelte'
import './StartElsewhere.svelte'
import { answers, facts, open, prepare, server, view } from './overview.fixture.ts'

let role: Server['role']
beforeEach(() => {
  prepare()
  role = 'owner'
  answers.now = { status: 'lost', since: '2020-01-02T03:04:05Z', node: { name: 'node-2', isGone: true } }
  answers.way.answer('view servers.read', () => view({ ...server, role }))
})

const card = () => page.getByRole('region', { name: 'node-2 can’t be reached' })
const start = () => page.getByRole('dialog').getByRole('button', { name: 'Start elsewhere', exact: true })
const sent = () => answers.way.called.map(({ name }) => name).filter((name) => name.startsWith('send '))

it('a server whose computer is lost is started on another one once its owner has read what that means', async () => {
  let isRefused = true
  answers.way.answer('send servers.abandon', () =>
    isRefused
      ? {
          ok: false,
          problem: {
            ...{ code: 'conflict', serviceCode: 'server.maybe-running', retryable: false },
            message: 'This server was still running a moment ago.',
          },
        }
      : { ok: true, value: undefined },
  )
  answers.way.answer('send servers.power', () => ({ ok: true, value: { accepted: true } }))
  await open()
  await expect.element(card()).toMatchTextContent(/unreachable since Jan \d, 2020/)
  await expect.element(card()).toMatchTextContent(/It may still run there/)
  await page.getByRole('button', { name: 'Start elsewhere…' }).click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/What the server has not saved is lost/)
  await start().click()
  await expect.element(page.getByText(/still running a moment ago/)).toBeVisible()
  expect(sent()).toEqual(['send servers.abandon'])
  isRefused = false
  await start().click()
  await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
  expect(sent()).toEqual(['send servers.abandon', 'send servers.abandon', 'send servers.power'])
})

it('others are told to ask its owner', async () => {
  role = ['server.read', 'control.start']
  await open()
  await expect.element(card()).toMatchTextContent(/Its owner can start it on another computer/)
  expect(page.getByRole('button', { name: 'Start elsewhere…' }).query()).toBeNull()
})

it('where its computer is reached, nothing is said of it', async () => {
  answers.now = { status: 'online', node: { name: 'node-2', isGone: false } }
  await open()
  await expect.poll(facts).not.toBe('')
  expect(card().query()).toBeNull()
})
