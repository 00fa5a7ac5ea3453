import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type { RuntimeStatus, Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import '../../app/theme.css'
import FailedWork from './FailedWork.svelte'

type Failure = NonNullable<RuntimeStatus['failure']>

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const server: Server = { id: 's', name: 'Meadow', status: 'offline' }
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: ago(0), stale: false, problem: null },
})
let way: ScriptedBridge

beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false as const }),
    'view servers.status': () => view({ status: 'offline' as const }),
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
  })
  window.panel = way
  panel.take({
    ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
    ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
  })
})
const open = (failure: Failure) => render(FailedWork, { server: new ServerState('c', 's'), failure })

it('says why the installation failed, in the language of the window, and begins it again', async () => {
  const failure: Failure = {
    ...{ work: 'install', step: 'java', at: ago(120_000) },
    error: {
      code: 'software.java-catalogue',
      message: 'Java couldn’t be looked up. Try again later.',
      sentence: 'software.java-catalogue.unreadable',
      values: { host: 'java.example' },
    },
  }
  await open(failure)
  const card = page.getByRole('region', { name: 'The installation failed' })
  await expect
    .element(card)
    .toMatchTextContent(
      /Downloading Java · 2 minutes ago.*couldn't be looked up at java\.example\..*Try again later\./,
    )
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect
    .poll(() => way.called.find(({ name }) => name === 'send servers.power')?.input)
    .toMatchObject({ params: { serverId: 's' }, body: { action: 'start' } })
  onTestFinished(() => useLanguage('en'))
  await useLanguage('de')
  const german = page.getByRole('region', { name: 'Die Installation ist fehlgeschlagen' })
  await expect.element(german).toMatchTextContent(/Java konnte bei java\.example nicht nachgeschlagen werden/)
})

it.each([
  ['change', /as it was before\. No\./, 'Open Software', 'software'],
  ['reset', /as it was before\. No\./, 'Open Software', 'software'],
  ['pack', /as it was before\. No\./, 'Open Mods', 'extensions'],
  [
    'find',
    /isn.t known whether the server is running(?!.*as it was before).*No\./,
    'Open console',
    'console',
  ],
  [undefined, /^(?!.*as it was before).*No\./, 'Open console', 'console'],
] as const)('leads from a failed %s to where it is tried again', async (work, words, link, tab) => {
  await open({ work, error: { message: 'No.' } })
  const card = page.getByRole('region', { name: /n’t|as planned/ })
  await expect.element(card).toMatchTextContent(words)
  await expect
    .element(card.getByRole('link', { name: link }))
    .toHaveAttribute('href', expect.stringContaining(tab))
  expect(card.getByRole('button').query()).toBeNull()
})

it('offers nobody to try again who may not start the server', async () => {
  way.answer('view servers.read', () => view({ ...server, role: ['server.read'] }))
  await open({ work: 'install', error: { message: 'No.' } })
  const card = page.getByRole('region', { name: 'The installation failed' })
  await expect.element(card.getByRole('button')).toHaveAttribute('aria-disabled', 'true')
  expect(card.getByRole('link').query()).toBeNull()
})
