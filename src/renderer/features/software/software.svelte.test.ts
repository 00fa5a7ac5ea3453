import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import { ServerState } from '../../core/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/notices.svelte.ts'
import './ResetServer.svelte'
import SoftwareView from './SoftwareView.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const failed = (code: 'unavailable' | 'service-failed') => ({
  ok: true as const,
  value: {
    ...{ value: null, asOf: null, stale: false },
    problem: { code, message: 'No.', retryable: false },
  },
})
const license = { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' }
const version = (id: string) => ({ id, channel: 'release' as const })
const software = [
  { id: 'paper', name: 'Paper', license, versions: [version('1.21.4'), version('1.20.4')] },
  { id: 'fabric', name: 'Fabric', license, versions: [version('1.21.4')] },
]

let way: ScriptedWay
let role: Server['role']
let status: string

/** Draws the tab of a Paper server; `answers` are other ones than usual. */
async function draw(answers: ConstructorParameters<typeof ScriptedWay>[0] = {}) {
  const own: Server = {
    ...{ id: 's', name: 'Mine', status: status as 'offline', role },
    software: { id: 'paper', name: 'Paper', version: '1.20.4' },
  }
  way = new ScriptedWay({
    'view servers.list': () => shown({ items: [own], leftOut: [], more: false }),
    'view servers.read': () => shown(own),
    'view servers.status': () => shown({ status: status as 'offline' }),
    'view software.list': () => shown({ items: software, leftOut: [], more: false }),
    'view software.read': () => shown({ id: 'paper', name: 'Paper', version: '1.20.4', build: '499' }),
    'view software.plan': ({ query }) =>
      shown({
        items:
          query?.id === 'fabric'
            ? [
                { kind: 'java', major: 21 },
                { kind: 'plugins-stop', count: 3 },
                { kind: { kind: 'unknown', raw: 'new-thing' } },
              ]
            : [],
        ...{ copyBytes: 5_000_000, freeBytes: 900_000_000 },
      }),
    'send software.change': () => ({ ok: true, value: { accepted: true } }),
    'send software.undo': () => ({ ok: true, value: { accepted: true } }),
    'servers.reset': () => ({ ok: true, value: undefined }),
    ...answers,
  })
  window.panel = way
  panel.take(connection)
  await render(SoftwareView, { server: new ServerState('c', 's') })
}
const sent = (name: string) => way.called.filter((call) => call.name === name).map(({ input }) => input)

/** A button that cannot be pressed now says why when it is pointed at. */
async function saysWhy(name: string, why: string): Promise<void> {
  await page.getByRole('button', { name }).hover()
  await expect.element(page.getByRole('tooltip')).toHaveTextContent(why)
}

beforeEach(() => {
  role = 'owner'
  status = 'offline'
  for (const { id } of notices()) dismiss(id)
})

it('what a change would do is said in words, the gravest first, and one click begins it', async () => {
  await draw()
  await expect.element(page.getByText('499')).toBeVisible()
  await page.getByRole('combobox', { name: 'Software' }).selectOptions('Fabric')
  const list = page.getByRole('listitem')
  await expect.element(list.nth(0)).toHaveTextContent('3 plugins won’t run on Fabric.')
  await expect.element(list.nth(1)).toHaveTextContent('Java 21 isn’t on the service’s computer.')
  await expect.element(list.nth(2)).toHaveTextContent('A copy of the server is made first')
  await expect.element(list.nth(3)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Change to Fabric 1.21.4' }).click()
  await expect
    .poll(() => sent('send software.change'))
    .toEqual([
      {
        connectionId: 'c',
        params: { serverId: 's' },
        body: { id: 'fabric', version: '1.21.4', acceptLicense: true },
      },
    ])
  expect(notices().map(({ text }) => text())).toEqual([
    'The change has begun. The console tells how it goes.',
  ])
})

it('a server that runs is not changed, and the buttons say why', async () => {
  status = 'online'
  await draw()
  const button = page.getByRole('button', { name: 'Install the newest build' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await saysWhy('Install the newest build', 'Stop the server first.')
})

it('what does not fit on the disk cannot be begun', async () => {
  await draw({
    'view software.plan': () =>
      shown({ items: [{ kind: 'no-room' }], copyBytes: 5_000_000_000, freeBytes: 1_000_000 }),
  })
  await expect
    .element(page.getByText(/needs 5(\.0)? GB, but the service’s disk has only 1(\.0)? MB/))
    .toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Install the newest build' }))
    .toHaveAttribute('aria-disabled', 'true')
})

it('a service that says nothing beforehand still changes the software', async () => {
  await draw({
    'view software.plan': () => failed('unavailable'),
    'view software.read': () => failed('unavailable'),
  })
  await expect
    .element(page.getByText('This service doesn’t say beforehand what a change does.'))
    .toBeVisible()
  await expect.element(page.getByText('1.20.4').first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Version' }).selectOptions('1.21.4')
  await page.getByRole('button', { name: 'Change to Paper 1.21.4' }).click()
  await expect.poll(() => sent('send software.change')).toHaveLength(1)
})

it('the way back names what it leads to, and is gone only after a question', async () => {
  const copy = {
    ...{ at: '2026-01-02T03:04:05Z', reason: 'change' as const, bytes: 5_000_000 },
    software: { id: 'paper', name: 'Paper', version: '1.19.4' },
  }
  await draw({ 'view software.read': () => shown({ id: 'paper', name: 'Paper', version: '1.20.4', copy }) })
  await page.getByRole('button', { name: 'Go back to Paper 1.19.4' }).click()
  await expect.element(page.getByRole('dialog')).toHaveTextContent('What is there now becomes the copy')
  expect(sent('send software.undo')).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to Paper 1.19.4' }).click()
  await expect
    .poll(() => sent('send software.undo'))
    .toEqual([{ connectionId: 'c', params: { serverId: 's' } }])
  expect(notices().map(({ text }) => text())).toEqual([
    'The server is as it was before. What was there is the copy now.',
  ])
})

it('a reset keeps what is ticked, and only the owner can do it', async () => {
  await draw()
  await page.getByRole('button', { name: 'Reset server' }).click()
  await page.getByLabelText(/^Plugins and mods/).click()
  await page.getByRole('button', { name: 'Reset the server' }).click()
  await expect
    .poll(() => sent('servers.reset'))
    .toEqual([{ connectionId: 'c', serverId: 's', keep: ['config', 'players', 'files'], code: undefined }])
})

it('a collaborator without the permission is told which one is missing', async () => {
  role = ['server.read']
  await draw()
  await saysWhy('Install the newest build', 'Your account lacks the permission software.write.')
  await saysWhy('Reset server', 'Only the owner of the server can do this.')
})
