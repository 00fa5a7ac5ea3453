import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, View } from '../../../contract/bridge/values.ts'
import type { ViewValue } from '../../../contract/bridge/passed.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import CreateServer from './CreateServer.svelte'

type Software = ViewValue<'software.list'>['items'][number]

const license = { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' }
const paper: Software = {
  ...{ id: 'paper', name: 'Paper', license },
  versions: [
    { id: '26w14a', channel: 'snapshot' },
    { id: '1.21', channel: 'release' },
    { id: '1.20', channel: 'release' },
  ],
}
const demo: Software = { id: 'demo', name: 'Demo', versions: [{ id: '1' }] }
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})

let connectionId = 0

async function open(items: Software[], more: boolean | 'perhaps' = false): Promise<ScriptedBridge> {
  const connection: Connection = {
    ...{ id: `l${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': () => shown({ items, leftOut: [], more }),
    'send servers.create': () => ({ ok: true, value: { id: 'n1', name: 'New', status: 'installing' } }),
  })
  window.panel = way
  panel.take(connection)
  await render(CreateServer, { connectionId: connection.id })
  return way
}

const sent = (way: ScriptedBridge): unknown[] =>
  way.called
    .filter(({ name }) => name === 'send servers.create')
    .map(({ input }) => (input as { body: unknown }).body)
const create = () => page.getByRole('button', { name: 'Create', exact: true })
const accept = () => page.getByRole('checkbox', { name: /^I accept/ })
const versions = () =>
  [...(page.getByLabelText('Version', { exact: true }).element() as HTMLSelectElement).options].map(
    ({ text }) => text,
  )

afterEach(() => history.replaceState(null, '', '/'))

it('nothing is created before the license is accepted; then that is said with what is created', async () => {
  const way = await open([paper, demo])
  await create().click()
  await expect.element(page.getByText('Accept the license to create the server.')).toBeVisible()
  await expect.element(accept()).toHaveFocus()
  expect(sent(way)).toEqual([])
  await accept().click()
  await create().click()
  await expect.poll(() => sent(way)).toHaveLength(1)
  expect(sent(way)[0]).toMatchObject({ software: { id: 'paper', version: '1.21' }, acceptLicense: true })
})

it('of software that names no license none is asked, and none is said to be accepted', async () => {
  const way = await open([paper, demo])
  await accept().click()
  await page.getByRole('radio', { name: 'Demo' }).click()
  await expect.element(accept()).not.toBeInTheDocument()
  await create().click()
  await expect.poll(() => sent(way)).toHaveLength(1)
  expect(sent(way)[0]).not.toHaveProperty('acceptLicense')
})

it('what was accepted of one software is not of another', async () => {
  await open([paper, { ...demo, license: { ...license, name: '' } }])
  await accept().click()
  await page.getByRole('radio', { name: 'Demo' }).click()
  await expect.element(page.getByRole('checkbox', { name: 'I accept the license' })).not.toBeChecked()
})

it('the official address of the EULA is opened, in the browser', async () => {
  const way = await open([paper])
  way.answer('app.open', () => ({ ok: true, value: undefined }))
  await page.getByRole('link', { name: 'Minecraft EULA' }).click()
  expect(way.called.at(-1)).toEqual({ name: 'app.open', input: { url: license.url } })
  await expect.element(accept()).not.toBeChecked()
})

it('any other address of a license leads nowhere, and can be read', async () => {
  await open([{ ...paper, license: { ...license, url: 'https://aka.ms.example/MinecraftEULA' } }])
  await expect.element(accept()).toHaveAccessibleDescription(/aka\.ms\.example/)
  expect(document.querySelectorAll('form a[href^="http"]')).toHaveLength(0)
})

it('an address of a license leads nowhere, and does not push the form away', async () => {
  await open([{ ...paper, license: { name: 'X', url: `javascript:${'x'.repeat(20_000)}` } }])
  await expect.element(accept()).toBeVisible()
  expect(document.querySelectorAll('a[href^="javascript"]')).toHaveLength(0)
  expect(document.querySelector('form')?.getBoundingClientRect().height).toBeLessThan(700)
})

it('snapshots are shown on request, and choose themselves for nobody', async () => {
  await open([paper])
  await expect.poll(versions).toEqual(['1.21', '1.20'])
  await page.getByText('More options').click()
  await page.getByRole('checkbox', { name: 'Show snapshots and experimental versions' }).click()
  await expect.poll(versions).toEqual(['26w14a (snapshot)', '1.21', '1.20'])
  await expect.element(page.getByLabelText('Version', { exact: true })).toHaveValue('1.21')
})

it('where all versions are experimental, they are shown', async () => {
  await open([{ ...demo, versions: [{ id: '3', channel: 'experimental' }] }])
  await expect.poll(versions).toEqual(['3 (experimental)'])
  expect(page.getByRole('checkbox').elements()).toHaveLength(0)
})

it('software whose versions could not be read can be chosen, and says so; another is chosen at first', async () => {
  await open([{ ...paper, versions: [] }, demo], 'perhaps')
  await expect.element(page.getByRole('radio', { name: 'Demo' })).toBeChecked()
  await page.getByRole('radio', { name: 'Paper' }).click()
  await expect.element(page.getByText('The versions of Paper couldn’t be read.').first()).toBeVisible()
  await expect.element(create()).toHaveAttribute('aria-disabled', 'true')
})

it('where a catalog cannot be reached it says so, and why the demo is selected', async () => {
  const way = await open([{ ...paper, versions: [], unreached: true }, demo], 'perhaps')
  await expect
    .element(
      page.getByText(/^Paper can’t be downloaded right now: its catalog can’t be reached. Demo is selected:/),
    )
    .toBeVisible()
  await page.getByRole('radio', { name: 'Paper' }).click()
  await expect.element(create()).toHaveAttribute('aria-disabled', 'true')
  way.answer('view software.list', () => shown({ items: [paper, demo], leftOut: [], more: false }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText(/can’t be downloaded/)).not.toBeInTheDocument()
  await expect.element(create()).not.toHaveAttribute('aria-disabled')
})
