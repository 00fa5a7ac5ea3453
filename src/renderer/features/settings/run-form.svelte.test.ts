import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Server, ServerConfig, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
// Loaded later otherwise, when what it needs would be prepared for the first time.
import './JavaSettings.svelte'
import { java as javaSection } from './index.ts'
import ServerSettings from './ServerSettings.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const server: Server = { id: 's', name: 'Meadow', status: 'offline', role: 'owner' }
const usual: ServerConfig = {
  ...{ name: 'Meadow', java: 'auto', jvmSet: 'default', javaArgs: ['-Xss2M'] },
  ...{ autoStart: false, autoRestart: false, memoryMostMb: 16 * 1024 },
}
const listed = [
  { id: '/a', major: 17, version: '17.0.9', vendor: 'Debian', from: 'found' as const },
  { id: '/b', major: 21, version: '21.0.5', vendor: null, from: 'fetched' as const },
  { id: '/c', major: 17, version: '17.0.1', vendor: 'Other', from: 'found' as const },
]

let way: ScriptedBridge

const view = <T>(value: T, tag?: string): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null, ...(tag && { tag }) },
})

beforeEach(() => {
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'offline' }),
    'view software.javas': () => view({ items: listed, leftOut: [], more: false }),
    'send servers.change-config': () => ({ ok: true, value: usual }),
  })
  window.panel = way
  panel.take(connection)
})

async function show(config: ServerConfig, connectionId = 'c'): Promise<void> {
  way.answer('view servers.read-config', () => view(config, '"1"'))
  const server = new ServerState(connectionId, 's')
  await render(ServerSettings, { server, sections: [javaSection] })
}
const sent = () =>
  way.called.filter(({ name }) => name === 'send servers.change-config').map(({ input }) => input)
const at = { connectionId: 'c', params: { serverId: 's' }, ifMatch: '"1"' }

it('offers each Java that is here once, the newest first, and sends what was changed and nothing else', async () => {
  await show(usual)
  const java = page.getByLabelText('Java', { exact: true })
  await expect
    .poll(() => [...(java.element() as HTMLSelectElement).options].map(({ text }) => text))
    .toEqual(['Automatic: the one this version needs', 'Java 21 · 21.0.5', 'Java 17 · 17.0.9, Debian'])
  await java.selectOptions('21')
  await page.getByLabelText('Arguments', { exact: true }).selectOptions('zgc')
  await page.getByLabelText('Own arguments').fill('-Xss4M\n\n  -Xrs ')
  await page.getByLabelText(/after a crash/).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(sent)
    .toEqual([
      { ...at, body: { java: '21', jvmSet: 'zgc', javaArgs: ['-Xss4M', '-Xrs'], autoRestart: true } },
    ])
})

it('offers the Javas that can be downloaded too, says so of them, and sends the one that is chosen', async () => {
  const items = [
    ...listed,
    { id: 'catalog-25', major: 25, from: 'catalog' as const },
    { id: 'catalog-17', major: 17, from: 'catalog' as const },
  ]
  way.answer('view software.javas', () => view({ items, leftOut: [], more: false }))
  await show(usual)
  const java = page.getByLabelText('Java', { exact: true })
  await expect
    .poll(() => [...(java.element() as HTMLSelectElement).options].map(({ text }) => text))
    .toEqual([
      'Automatic: the one this version needs',
      'Java 25 (downloaded at the next start)',
      'Java 21 · 21.0.5',
      'Java 17 · 17.0.9, Debian',
    ])
  await java.selectOptions('25')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(sent).toEqual([{ ...at, body: { java: '25' } }])
})

it('keeps a Java that is not here as what was chosen', async () => {
  await show({ ...usual, java: '25' })
  await expect
    .element(page.getByLabelText('Java', { exact: true }))
    .toHaveDisplayValue('Java 25 (downloaded at the next start)')
})

it('says at its field why an argument cannot be used', async () => {
  const message = 'The argument "-javaagent:x" can\'t be used: it would load code into the server. Remove it.'
  way.answer('send servers.change-config', () => ({
    ok: false,
    problem: {
      ...{ code: 'invalid', message, serviceCode: 'software.arguments', retryable: false },
      fields: { javaArgs: [message] },
    },
  }))
  await show(usual)
  await page.getByLabelText('Own arguments').fill('-javaagent:x')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByLabelText('Own arguments')).toHaveAccessibleDescription(message)
})

it('offers only when it starts where its software needs no Java, and nothing a service does not know of', async () => {
  await show({ name: 'Meadow', autoStart: true })
  await expect.element(page.getByLabelText('Start when the service starts')).toBeChecked()
  expect(page.getByLabelText('Own arguments').query()).toBeNull()
  expect(page.getByLabelText(/after a crash/).query()).toBeNull()
})

it('shows what was chosen here and elsewhere, loses neither, and saves what a person takes', async () => {
  const theirs: ServerConfig = { ...usual, javaArgs: ['-Xss8M'], autoStart: true, jvmSet: 'aikar' }
  const problem = { code: 'changed' as const, message: 'It was changed.', retryable: false }
  way.answer('send servers.change-config', () => ({ ok: false, problem }))
  await show(usual)
  await expect.element(page.getByLabelText('Own arguments')).toHaveValue('-Xss2M')
  way.answer('view servers.read-config', () => {
    way.answer('send servers.change-config', () => ({ ok: true, value: theirs }))
    return view(theirs, '"2"')
  })
  const own = page.getByLabelText('Own arguments')
  const save = page.getByRole('button', { name: 'Save' })
  await own.fill('-Xss4M')
  await page.getByLabelText('Arguments', { exact: true }).selectOptions('zgc')
  await save.click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Nothing has been saved yet/)
  await expect.element(own).toHaveValue('-Xss4M')
  // What only they have changed is taken over.
  await expect.element(page.getByLabelText('Start when the service starts')).toBeChecked()
  await expect.element(page.getByRole('button', { name: 'Theirs: -Xss8M' })).toBeVisible()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Mine: -Xss4M' }).click()
  await page.getByRole('button', { name: /^Theirs: / }).click()
  await expect.element(page.getByLabelText('Arguments', { exact: true })).toHaveValue('aikar')
  await save.click()
  await expect.poll(() => sent().at(-1)).toEqual({ ...at, ifMatch: '"2"', body: { javaArgs: ['-Xss4M'] } })
})
