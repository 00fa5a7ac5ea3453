import { beforeEach, expect, test } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import type { Connection, Crash, Server, ServerList, View } from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { powerQuestion } from '../../../core/servers/power-question.svelte.ts'
import '../../../messages/en.ts'
import ServerTable from './ServerTable.svelte'
import { tableState } from './table-state.svelte.ts'

const connection = {
  ...{ id: 'c', kind: 'service', name: 'games.example', baseUrl: '', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
} satisfies Connection
const servers = [
  { id: 'a', name: 'Alpha', status: 'online', players: { online: 1 }, memoryMb: 1024, role: 'owner' },
  { id: 'b', name: 'Beta', status: 'online', players: { online: 7 }, memoryMb: 1024, role: 'owner' },
  { id: 'c', name: 'Crash', status: 'crashed', role: 'owner' },
  { id: 'd', name: 'Delta', status: 'offline', role: 'owner' },
] as Server[]

const crash = (value: Crash) => ({
  ok: true as const,
  value: { value, asOf: '2026-11-22T10:00:00Z', stale: false, problem: null },
})

let way: ScriptedBridge
beforeEach(async () => {
  const view: View<ServerList> = {
    value: { items: servers, leftOut: [], more: false },
    ...{ asOf: '2026-11-22T10:00:00Z', stale: false, problem: null },
  }
  way = new ScriptedBridge({
    'view servers.list': () => ({ ok: true, value: view }),
    'view servers.crash': () => crash({}),
    'servers.samples': ({ serverId }) => ({
      ok: true,
      value: {
        ...{ marks: [], problem: null },
        samples: [{ at: Date.now(), cpu: serverId === 'a' ? 80 : 5, memory: 512 * 1024 * 1024, players: 1 }],
      },
    }),
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
  })
  window.panel = way
  panel.take(connection)
  await panel.servers('c').read()
  tableState.picked = new Set()
  tableState.sort = null
  tableState.needle = ''
})

const table = async () => {
  await render(ServerTable, { connectionId: 'c', servers, label: 'Servers' })
  await page.getByRole('table').hover()
}
const names = () =>
  page
    .getByRole('rowheader')
    .elements()
    .map((one) => one.textContent?.trim())
const sent = () => way.called.filter(({ name }) => name === 'send servers.power').map(({ input }) => input)

test('sorts by what is used now, with the unknown last, and filters', async () => {
  await page.viewport(1280, 800)
  await table()
  await expect.element(page.getByRole('row', { name: /Alpha/ })).toMatchTextContent(/80.*%.*512 MB.*1 GB/)
  await page.getByRole('button', { name: 'CPU' }).click()
  await expect.poll(names).toEqual(['Alpha', 'Beta', 'Crash', 'Delta'])
  await page.getByRole('button', { name: 'Players' }).click()
  await expect.poll(names).toEqual(['Beta', 'Alpha', 'Crash', 'Delta'])
  await expect
    .element(page.getByRole('columnheader', { name: 'Players' }))
    .toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Status' }).click()
  await expect.poll(names).toEqual(['Crash', 'Alpha', 'Beta', 'Delta'])
  tableState.needle = 'ta'
  await expect.poll(names).toEqual(['Beta', 'Delta'])
})

test('starts a server on its row, and asks before players are disconnected', async () => {
  await table()
  await page.getByRole('button', { name: 'Start Delta' }).click()
  await expect
    .poll(sent)
    .toEqual([{ connectionId: 'c', params: { serverId: 'd' }, body: { action: 'start' } }])
  await page.getByRole('button', { name: 'Stop Beta' }).click()
  await expect.poll(powerQuestion).toMatchObject({ action: 'stop', players: 7 })
  powerQuestion()?.answer(null)
  expect(sent()).toHaveLength(1)
})

test('picks several by mouse and keys, and starts those that can be started', async () => {
  await table()
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  ;(box('Alpha').element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(page.getByText('1 selected')).toBeVisible()
  box('Delta')
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))
  await expect.element(page.getByText('4 selected')).toBeVisible()
  const bar = page.getByRole('group', { name: 'Selected servers' })
  await bar.getByRole('button', { name: 'Start', exact: true }).click()
  await expect.poll(() => sent().length).toBe(2)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('checkbox')
  await expect.poll(() => page.getByRole('checkbox', { checked: true }).elements()).toEqual([])
})

test('the menu of a row is the one of the rail', async () => {
  document.body.append(document.createElement('main'))
  await table()
  await page.getByRole('button', { name: 'Actions for Beta' }).click()
  const labels = () =>
    page
      .getByRole('menuitem')
      .elements()
      .map((one) => one.textContent?.trim())
  await expect.poll(labels).toEqual(['Stop', 'Restart', 'Kill', 'Open console', 'Back up now'])
})

test('a crashed server says why it crashed, and nobody else says anything', async () => {
  await page.viewport(1280, 800)
  const at = new Date(Date.now() - 300_000).toISOString()
  way.answer('view servers.crash', () => crash({ cause: 'out-of-memory', at }))
  await table()
  const cell = (name: RegExp) => page.getByRole('row', { name }).getByRole('cell').nth(2)
  await expect.element(cell(/Crash/)).toMatchTextContent(/ran out of memory · 5 minutes ago/)
  await expect.element(cell(/Alpha/)).toMatchTextContent(/^\s*$/)
  expect(way.called.filter(({ name }) => name === 'view servers.crash')).toHaveLength(1)
})
