import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Promotion } from '../../../contract/areas/promocodes.ts'
import type { Connection, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Promocodes from './Promocodes.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'example.com', baseUrl: 'https://example.com/api/v1' },
  ...{ user: null, tokenKept: 'memory', expiresAt: null, state: { kind: 'ready' } },
}
const fresh = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: '2026-01-01T00:00:00Z', stale: false, problem: null },
})
const all = (items: Promotion[]) => fresh({ items, leftOut: [], more: false as const })
const launch: Promotion = {
  ...{ id: '1', name: 'Launch week', activatedAt: '2026-01-02T03:04:00Z', active: true },
  benefits: { servers: 2, memoryMb: 2048, diskBytes: 5 * 2 ** 30 },
}

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'view promocodes.list': () => all([]),
    'view promocodes.limits': () =>
      fresh({
        servers: { used: 1, most: 3, limited: true },
        memoryMb: { used: 512, limited: false },
        diskBytes: { most: 2 ** 30, limited: true },
      }),
    'promocodes.activate': () => ({ ok: true, value: launch }),
  })
  window.panel = way
  panel.take(connection)
})
const sent = () => way.called.filter(({ name }) => name === 'promocodes.activate').map(({ input }) => input)

it('says what the account has and may have, and that nothing was activated yet', async () => {
  const { getByText } = await render(Promocodes, { connection })
  for (const words of ['1 of 3', '512 MB used · no limit', 'up to 1 GB', /No promocode has been activated/])
    await expect.element(getByText(words, { exact: false })).toBeVisible()
})

it('activates a code that was pasted, and shows what it gives and until when', async () => {
  const { getByLabelText, getByRole, getByText } = await render(Promocodes, { connection })
  await userEvent.click(getByRole('button', { name: 'Activate' }))
  await expect.element(getByText('This field is required.')).toBeVisible()
  expect(sent()).toEqual([])
  way.answer('view promocodes.list', () => all([{ ...launch, endsAt: '2030-05-06T07:08:00Z' }]))
  await userEvent.fill(getByLabelText('Promocode', { exact: true }), '  abcd efgh-jkmn  ')
  await userEvent.keyboard('{Enter}')
  await expect.element(getByText('Launch week', { exact: true })).toBeVisible()
  expect(sent()).toEqual([{ connectionId: 'c', code: 'abcd efgh-jkmn' }])
  await expect
    .element(
      getByText('2 more servers · 2 GB more memory for all servers together · 5 GB more', { exact: false }),
    )
    .toBeVisible()
  await expect.element(getByText(/^activated .* · until .*2030/)).toBeVisible()
  await expect.element(getByLabelText('Promocode', { exact: true })).toHaveValue('')
})

it.each([
  ['unknown', 'invalid', 'There is no such code at this service.'],
  ['expired', 'conflict', 'This code can no longer be used.'],
  ['used-up', 'conflict', 'This code has been used as often as it can be.'],
  ['already-used', 'conflict', 'This account has already used this code.'],
] as const)('says at the code, in words of its own, that it is %s', async (why, problemCode, words) => {
  const message = 'As the service says it.'
  way.answer('promocodes.activate', () => ({
    ok: false,
    problem: {
      ...{ code: problemCode, message, retryable: false, serviceCode: `promocode.${why}` },
      fields: { code: [message] },
    },
  }))
  const { getByLabelText, getByText } = await render(Promocodes, { connection })
  await userEvent.fill(getByLabelText('Promocode', { exact: true }), 'abcd')
  await userEvent.keyboard('{Enter}')
  await expect.element(getByText(words, { exact: false })).toBeVisible()
  expect(getByText(message).elements()).toHaveLength(0)
  await expect.element(getByLabelText('Promocode', { exact: true })).toHaveAttribute('aria-invalid', 'true')
})

it('marks benefits that have ended', async () => {
  const ended = { ...launch, active: false, endsAt: '2026-02-03T04:05:00Z' }
  way.answer('view promocodes.list', () => all([ended]))
  const { getByText } = await render(Promocodes, { connection })
  await expect.element(getByText('Ended', { exact: true })).toBeVisible()
  await expect.element(getByText(/ · ended .*2026/)).toBeVisible()
})

it('shows a name that goes on and on no longer than a person reads, and the first of many', async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ id: `p${at}`, name: 'x'.repeat(50_000) }))
  way.answer('view promocodes.list', () => all(many))
  const { getByRole } = await render(Promocodes, { connection })
  const items = getByRole('listitem')
  await expect.poll(() => items.elements()).toHaveLength(10)
  expect(items.elements()[0]?.textContent.length).toBeLessThan(1000)
  await userEvent.click(getByRole('button', { name: 'Show all 30' }))
  await expect.poll(() => items.elements()).toHaveLength(30)
})

it('shows nothing at a service without promocodes, and what went wrong where they cannot be read', async () => {
  const failed = (code: 'unavailable' | 'service-failed') => ({
    ...{ ok: true as const },
    value: {
      ...{ value: null, asOf: null, stale: true },
      problem: { code, message: '', retryable: false, detail: 'promocodes.list' },
    },
  })
  way.answer('view promocodes.list', () => failed('service-failed'))
  const first = await render(Promocodes, { connection })
  await expect.element(first.getByText(/had an internal error/)).toBeVisible()
  await first.unmount()
  way.answer('view promocodes.list', () => failed('unavailable'))
  const second = await render(Promocodes, { connection: { ...connection, id: 'd' } })
  await expect.poll(() => second.container.textContent.trim()).toBe('')
})
