import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Crash, Server, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { useTabs } from '../../core/routes/route.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import CrashCard from './CrashCard.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const server: Server = { id: 's', name: 'Meadow', status: 'crashed', role: 'owner' }
let way: ScriptedBridge
let crash: Crash

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})

beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'crashed', exitCode: 1 }),
    'view servers.crash': () => view(crash),
    'view servers.read-config': () => view({ name: 'Meadow' }),
    'view extensions.changes': () => view({}),
    'view software.read': () => view({ id: 'paper' }),
    'view software.fetched': () => view({ downloadBytes: 300_000_000 }),
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
  })
  window.panel = way
  useTabs(['overview', 'console', 'files', 'extensions', 'settings'], ['general', 'java', 'software'])
  panel.take(connection)
  drawn = null
})

let drawn: { unmount: () => unknown } | null = null
const show = async (what: Crash) => {
  await drawn?.unmount()
  crash = { at: '2026-11-23T12:00:00Z', exitCode: 1, ...what }
  drawn = await render(CrashCard, { server: new ServerState('c', 's') })
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const card = () => page.getByRole('region', { name: 'Crash' })

it('of a full disk: the way to the trash first, and what was changed before it last', async () => {
  const copy = { at: '2026-11-23T11:00:00Z', reason: 'change' as const, software: { id: 'paper', name: 'Paper', version: '1.21.4' } } // prettier-ignore
  way.answer('view software.read', () => view({ id: 'paper', copy }))
  await show({ cause: 'disk-full' })
  const link = page.getByRole('link', { name: 'Open the trash' })
  await expect.element(link).toHaveAttribute('href', '#/c/c/s/s/files?trash=1')
  const back = button('Go back to Paper 1.21.4')
  await expect.element(back).toBeVisible()
  const follows = (one: Element, other: Element) =>
    Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING)
  expect(follows(link.element(), back.element())).toBe(true)
  await show({ cause: 'mixin' })
  await expect.element(back).toBeVisible()
  expect(follows(back.element(), button('Start again').element())).toBe(true)
})

it('of a world from a newer version: the way to another version first', async () => {
  await show({ cause: 'world-newer', facts: { saved: 4189, present: 3955 } })
  const first = card().getByRole('link').first()
  await expect.element(first).toHaveTextContent('Choose another version')
  await expect.element(first).toHaveAttribute('href', '#/c/c/s/s/settings/software')
})

it('of a world that another program has open: its name, and the start once that is closed', async () => {
  await show({ cause: 'world-locked', facts: { world: 'meadow' } })
  await expect.element(card()).toMatchTextContent(/The world meadow is in use by another program/)
  await button('Start again').click()
  await expect
    .poll(() => way.called.filter(({ name }) => name === 'send servers.power').map(({ input }) => input))
    .toEqual([{ connectionId: 'c', params: { serverId: 's' }, body: { action: 'start' } }])
  await show({ cause: 'world-locked' })
  await expect.element(card()).toMatchTextContent(/The world is in use by another program/)
})

const at = { connectionId: 'c', params: { serverId: 's' } }
const primaries = () =>
  [...document.querySelectorAll('section .bg-accent')].map((one) => one.textContent.trim())

it('of a plugin whose version before is kept: that one alone, then a start; all else comes after it', async () => {
  const items = [
    { name: 'Shop', from: '2.0', to: '2.1' },
    { name: 'Vault', to: '1' },
  ]
  way.answer('view extensions.changes', () => view({ last: { items, undoable: true, crashedSince: true } }))
  way.answer('send extensions.undo', () => ({ ok: true, value: {} }))
  const path = 'plugins/Shop 2.1.jar'
  await show({ cause: 'extension-error', files: [path], versionBefore: '2.0' })
  await expect.element(page.getByRole('heading')).toHaveTextContent('Probably Shop 2.1')
  await expect.element(button('Turn off Shop 2.1.jar and start')).toBeVisible()
  await expect.element(button('Undo all 2 and start')).toBeVisible()
  expect(primaries()).toEqual(['Go back to 2.0 and start'])
  await button('Go back to 2.0 and start').click()
  await expect
    .poll(() => way.called.filter(({ name }) => name.startsWith('send ')))
    .toEqual([
      { name: 'send extensions.undo', input: { ...at, query: { path } } },
      { name: 'send servers.power', input: { ...at, body: { action: 'start' } } },
    ])
})

it('of a plugin without one: it is turned off', async () => {
  await show({ cause: 'extension-error', files: ['plugins/Shop.jar'] })
  await expect.element(button('Turn off Shop.jar and start')).toBeVisible()
  expect(primaries()).toEqual(['Turn off Shop.jar and start'])
})

it('has the last error in it', async () => {
  const lines = [
    'Encountered an unexpected exception',
    'java.lang.NullPointerException',
    '\tat example.Shop.tick',
  ]
  await show({ lines })
  await expect
    .element(page.getByRole('list', { name: 'The last error in its log' }))
    .toMatchTextContent(/unexpected exception.*NullPointerException.*at example\.Shop\.tick/)
})

it('of several changes offers to undo the last one first, and all of them', async () => {
  const items = [
    { name: 'Shop', from: '2.0', to: '2.1' },
    { name: 'Vault', to: '1.7' },
  ]
  const newest = { items: [items[0]!] }
  way.answer('view extensions.changes', () =>
    view({ last: { items, newest, undoable: true, crashedSince: true } }),
  )
  way.answer('send extensions.undo', () => ({ ok: true, value: {} }))
  await show({})
  await expect
    .element(card())
    .toMatchTextContent(/Undoing the last one:.*Shop 2\.1 → 2\.0.*Undoing all of them:.*Vault 1\.7 → removed/)
  await expect.element(button('Undo all 2 and start')).toBeVisible()
  expect(primaries()).toEqual(['Undo the last change and start'])
  await button('Undo the last change and start').click()
  await expect
    .poll(() => way.called.filter(({ name }) => name.startsWith('send ')))
    .toEqual([
      { name: 'send extensions.undo', input: { ...at, query: { newest: 'true' } } },
      { name: 'send servers.power', input: { ...at, body: { action: 'start' } } },
    ])
})

it('of a container that is too small: more memory first, where the computer has it, and why Java alone is not to blame', async () => {
  const tag = { tag: '"1"' }
  const config = { name: 'Meadow', memoryMb: 2048, memoryMostMb: 16_384 }
  way.answer('view servers.read-config', () => ({ ok: true, value: { ...view(config).value, ...tag } }))
  way.answer('send servers.change-config', () => ({ ok: true, value: config }))
  await show({ cause: 'out-of-memory', facts: { where: 'container' }, exitCode: 137 })
  await expect.element(page.getByRole('heading')).toHaveTextContent('The container ran out of memory')
  await expect
    .element(card())
    .toMatchTextContent(/on top of what the server was given.*its container may use\. Give it more memory,/)
  expect(primaries()).toEqual(['Raise to 3 GB and start'])
  await button('Raise to 3 GB and start').click()
  await expect
    .poll(() => way.called.filter(({ name }) => name.startsWith('send ')).map(({ input }) => input))
    .toEqual([
      { ...at, body: { memoryMb: 3072 }, ifMatch: '"1"' },
      { ...at, body: { action: 'start' } },
    ])
  config.memoryMostMb = 2048
  await show({ cause: 'out-of-memory', facts: { where: 'container' }, exitCode: 137 })
  await expect.element(card()).toMatchTextContent(/It already has all the memory this computer can give\./)
  expect(button(/Raise/).query()).toBeNull()
  await useLanguage('de')
  onTestFinished(() => useLanguage('en'))
  await expect
    .element(page.getByRole('region', { name: 'Absturz' }))
    .toMatchTextContent(
      /Dem Container ging der Arbeitsspeicher aus.*zusätzlich zum Arbeitsspeicher des Servers/,
    )
})
