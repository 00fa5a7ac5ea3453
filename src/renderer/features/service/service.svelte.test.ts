import axe from 'axe-core'
import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import type { Connection, DriftPlace } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import Service from './Service.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'play.example', baseUrl: 'https://play.example/api/v1' },
  ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
}
const place: DriftPlace = {
  ...{ operation: 'servers.list', method: 'GET', path: '/servers', field: 'items.[].id' },
  ...{ expected: 'text', found: 'number', foundAs: '_id', count: 31, since: '2026-01-01T00:00:00.000Z' },
}
const empty = JSON.stringify({ baseUrl: connection.baseUrl }, null, 2)

let way: ScriptedWay
let places: DriftPlace[]
beforeEach(() => {
  places = [place, { ...place, field: 'items', foundAs: 'data', expected: 'list', found: 'list' }]
  way = new ScriptedWay({
    'service.drift': () => ({ ok: true, value: places }),
    'service.clear-drift': () => ({ ok: true, value: undefined }),
    'service.profile': () => ({
      ok: true,
      value: {
        text: empty,
        kept: true,
        proposed: '{"seen": 1}',
        headers: [{ name: 'X-Key', set: true, kept: 'keychain' }],
        faults: [],
      },
    }),
    'service.check-profile': () => ({
      ok: true,
      value: [{ operation: 'servers.list', outcome: { kind: 'read', items: 3, leftOut: 1 } }],
    }),
    'service.save-profile': () => ({
      ok: false,
      problem: {
        code: 'invalid',
        message: 'The profile is not valid JSON.',
        retryable: false,
        fields: { text: ['x'] },
      },
    }),
  })
  window.panel = way
})

it('tells where a service answers differently, and forgets it by hand', async () => {
  const { getByText, getByRole, container } = await render(Service, { connection })
  await expect.element(getByText('This service answers differently in 2 places.')).toBeVisible()
  await expect.element(getByText('number, as “_id”')).toBeVisible()
  for (const [width, height] of [
    [1280, 800],
    [720, 600],
  ] as const) {
    await page.viewport(width, height)
    const { violations } = await axe.run(container)
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 120))])).toEqual(
      [],
    )
  }
  await userEvent.click(getByRole('button', { name: 'Clear list' }))
  await expect.element(getByText('This service answers differently')).not.toBeInTheDocument()
})

it('shows nothing of a service that keeps to the contract', async () => {
  places = []
  const { getByText } = await render(Service, { connection })
  await expect.poll(() => way.called.map(({ name }) => name)).toContain('service.drift')
  await expect.element(getByText('Differences')).not.toBeInTheDocument()
})

it('takes up what was seen, tries it, and says what is wrong with it', async () => {
  const { getByText, getByRole, getByLabelText, container } = await render(Service, { connection })
  await userEvent.click(getByText('API profile'))
  await expect.element(getByLabelText('Profile as JSON')).toHaveValue(empty)
  await userEvent.click(getByRole('button', { name: 'Add what was seen' }))
  await expect.element(getByLabelText('Profile as JSON')).toHaveValue('{"seen": 1}')
  await userEvent.click(getByRole('button', { name: 'Check against the service' }))
  await expect.element(getByText('3 entries read · 1 entry could not be read')).toBeVisible()
  await userEvent.click(getByRole('button', { name: 'Save profile' }))
  await expect.element(getByText(/The profile is not valid JSON/)).toBeVisible()
  await expect.element(getByLabelText('Value of the header X-Key')).toHaveValue('')
  expect(
    (await axe.run(container)).violations.map(({ id, nodes }) => [
      id,
      ...nodes.map(({ html }) => html.slice(0, 120)),
    ]),
  ).toEqual([])
})
