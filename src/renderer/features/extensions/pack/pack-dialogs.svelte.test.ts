import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../../app/theme.css'
import type { Connection, PackPlan, PlayersList, Server, View } from '../../../../contract/bridge/values.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { type AnswerName, ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { useLanguage } from '../../../messages/t.svelte.ts'
import { dismiss, notices } from '../../../ui/feedback/notices.svelte.ts'
import PackDialog from './PackDialog.svelte'
import PlayersDialog from './PlayersDialog.svelte'

const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})
const refused = (serviceCode: string, message: string) => ({
  ok: false as const,
  problem: { code: 'conflict' as const, message, retryable: false, serviceCode },
})
const PLAN: PackPlan = {
  ...{
    name: 'Cozy',
    version: '1.1',
    files: 2,
    downloadBytes: 2_000_000,
    copyBytes: 5_000_000,
    freeBytes: 9e9,
  },
  software: { id: 'fabric', name: 'Fabric', version: '1.21', build: '0.16.9' },
  ...{ added: ['mods/new.jar'], removed: ['mods/old.jar'], kept: ['config/mine.toml'] },
  items: [
    { kind: 'mods-unfit', count: 2, extensions: [{ name: 'Sodium' }, { name: 'Sodium' }] },
    { kind: 'newer-version', from: '1.20.4', to: '1.21' },
  ],
  optional: [{ path: 'mods/map.jar', name: 'map.jar' }],
  license: { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' },
}
const PLAYERS: PlayersList = {
  ...{ name: 'Cozy', version: '1.1', minecraft: '1.21', loader: 'Fabric 0.16.9' },
  items: [
    { name: 'Lithium', version: '2.0' },
    { name: 'World Map', version: '3.2', optional: true, url: 'https://maps.example/map.jar' },
  ],
}

let connectionId = 0

/** A stopped server with mods, and what its service answers. */
function service(role: Server['role'] = 'owner') {
  const connection: Connection = {
    ...{ id: `d${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  const server: Server = { id: 's', name: 'Meadow', role, status: 'offline' }
  const way = new ScriptedBridge({
    'view servers.read': () => shown(server),
    'view servers.list': () => shown({ items: [server], leftOut: [], more: false as const }),
    'view servers.status': () => shown({ status: 'offline' as const }),
    'view modpacks.versions': () =>
      shown({
        items: [
          { id: 'v2', name: '1.1', minecraft: ['1.21'] },
          { id: 'v1', name: '1.0', minecraft: ['1.20.4'] },
        ],
        ...{ leftOut: [], more: false as const },
      }),
    'view modpacks.foresee': () => shown(PLAN),
    'view modpacks.players': () => shown(PLAYERS),
    'send modpacks.install': () => ({ ok: true, value: { accepted: true } }),
    'servers.save-players-list': () => ({ ok: true, value: { path: '/home/ann/Cozy.html' } }),
  })
  window.panel = way
  panel.take(connection)
  return { way, server: new ServerState(connection.id, 's') }
}

const bodyOf = (way: ScriptedBridge, name: AnswerName) =>
  way.called.findLast((one) => one.name === name)?.input
const button = (name: string) => page.getByRole('button', { name, exact: true })

afterEach(async () => {
  for (const notice of notices()) dismiss(notice.id)
  await useLanguage('en')
})

async function update(given = service()) {
  const close = vi.fn()
  const source = { project: 'cozy', versionId: 'v2' }
  await render(PackDialog, { server: given.server, source, updates: 'Cozy', close })
  return { ...given, close }
}

it('an update says what will happen, leaves out what is not wanted, and closes once it has begun', async () => {
  const { way, close } = await update()
  await expect.element(page.getByRole('heading', { name: 'Update Cozy' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'What will happen' })).toBeVisible()
  const words = page.getByRole('dialog').getByRole('listitem')
  const texts = () => words.elements().map((one) => one.textContent.replaceAll(/\s+/g, ' ').trim())
  await expect
    .poll(() => texts().filter((text) => !/^[a-z]+\/[a-z.]+$/.test(text)))
    .toEqual([
      expect.stringMatching(/^2 mods that aren’t part of the modpack .* Sodium ?Sodium$/),
      'Fabric 0.16.9 for Minecraft 1.21',
      '2 files, 1.9 MB to download',
      '1 file is added mods/new.jar',
      '1 file is removed mods/old.jar',
      '1 file that you changed is kept config/mine.toml',
      'The world is converted from Minecraft 1.20.4 to 1.21.',
      'A backup is made first.',
    ])
  await expect.element(page.getByText('mods/new.jar')).not.toBeVisible()
  await page.getByText('1 file is added').click()
  await expect.element(page.getByText('mods/new.jar')).toBeVisible()
  await page.getByRole('checkbox', { name: 'map.jar' }).click()
  await button('Update').click()
  await expect.poll(() => close.mock.calls.length).toBe(1)
  expect(bodyOf(way, 'send modpacks.install')).toMatchObject({
    params: { serverId: 's' },
    body: { versionId: 'v2', leaveOut: ['mods/map.jar'] },
  })
  expect(notices()[0]?.text()).toBe('The modpack is being installed. The console shows the progress.')
})

it('what somebody has done by hand is kept unless its tick is taken away, and what is for players alone comes only with one', async () => {
  const { way } = service()
  way.answer('view modpacks.foresee', () =>
    shown({
      ...PLAN,
      kept: ['config/mine.toml', 'mods/lithium-3.jar', 'mods/map-2.jar'],
      yours: [
        { path: 'config/mine.toml', kind: 'changed' as const },
        { path: 'mods/lithium-3.jar', kind: 'updated' as const, theirs: 'mods/lithium-2.jar' },
        { path: 'mods/map-2.jar', kind: 'removed' as const },
        { path: 'mods/mine.jar', kind: 'added' as const },
      ],
      optional: [{ path: 'mods/voice.jar', name: 'voice.jar', leftOut: true }],
      clientFiles: [
        { path: 'mods/shaders.jar', name: 'Shaders', reason: 'pack' as const, taken: false },
        { path: 'mods/sodium.jar', name: 'Sodium', reason: 'catalog' as const, taken: false },
        { path: 'mods/looks.jar', name: 'looks.jar', reason: 'mod' as const, taken: true },
      ],
    }),
  )
  const server = new ServerState(`d${connectionId}`, 's')
  const { close } = await update({ way, server })
  const box = (name: string | RegExp) => page.getByRole('checkbox', { name })
  await expect.element(box('config/mine.toml You changed this file.')).toBeChecked()
  await expect
    .element(box('lithium-3.jar You installed this version. The modpack has lithium-2.jar.'))
    .toBeChecked()
  await expect.element(box('map-2.jar You removed this mod.')).toBeChecked()
  await expect.element(box('voice.jar')).not.toBeChecked()
  await expect.element(box('Shaders Client only, according to the modpack.')).not.toBeChecked()
  await expect.element(box('Sodium Client only, according to Modrinth.')).not.toBeChecked()
  await expect.element(box('looks.jar Client only, according to the mod.')).toBeChecked()
  await expect.element(page.getByText('1 mod that you added is kept')).toBeVisible()
  await expect.element(page.getByText(/file that you changed is kept/)).not.toBeInTheDocument()
  await box(/^lithium/).click()
  await box('voice.jar').click()
  await box(/^Sodium/).click()
  await box(/^looks/).click()
  await button('Update').click()
  await expect.poll(() => close.mock.calls.length).toBe(1)
  expect(bodyOf(way, 'send modpacks.install')).toMatchObject({
    body: {
      leaveOut: ['mods/shaders.jar', 'mods/looks.jar'],
      take: ['mods/sodium.jar'],
      overwrite: ['mods/lithium-3.jar'],
    },
  })
})

it('a license that is asked for is accepted in the dialog, and the rest of what was chosen stays', async () => {
  const { way, close } = await update()
  way.answer('send modpacks.install', ({ body }) =>
    body.acceptLicense
      ? { ok: true, value: { accepted: true } }
      : refused('software.license', 'Accept the license first.'),
  )
  await button('Update').click()
  await expect.element(page.getByRole('alert').getByText('Accept the license first.')).toBeVisible()
  expect(close).not.toHaveBeenCalled()
  await page.getByRole('checkbox', { name: /Minecraft EULA/ }).click()
  await button('Update').click()
  await expect.poll(() => close.mock.calls.length).toBe(1)
})

it('a refusal is said in the language of the panel, and the dialog stays', async () => {
  const { way, close } = await update()
  way.answer('send modpacks.install', () => ({
    ok: false,
    problem: {
      ...{ code: 'conflict', message: 'This server has no modpack.', retryable: false },
      ...{ serviceCode: 'modpacks.none', text: { key: 'refused.modpacks.none', values: {} } },
    },
  }))
  await useLanguage('de')
  await button('Aktualisieren').click()
  const alert = page.getByRole('alert')
  await expect.element(alert.getByText(/Auf diesem Server ist kein Modpack installiert\./)).toBeVisible()
  await expect.element(alert.getByText(/has no modpack/)).not.toBeInTheDocument()
  expect(close).not.toHaveBeenCalled()
})

it('without room for the copy nothing can be installed, and why is said', async () => {
  const given = service()
  given.way.answer('view modpacks.foresee', () =>
    shown({ ...PLAN, freeBytes: 1_000_000, items: [{ kind: 'no-room' }] }),
  )
  await update(given)
  await expect.element(page.getByText(/isn’t enough room for a backup/)).toBeVisible()
  await expect.element(button('Update')).not.toBeInTheDocument()
  await expect.element(button('Cancel')).toBeVisible()
})

it('whoever may not change the software is told so at the button', async () => {
  const { way } = await update(service(['extensions.read', 'software.read']))
  await expect.element(button('Update')).toHaveAttribute('aria-disabled', 'true')
  await button('Update').click({ force: true })
  expect(bodyOf(way, 'send modpacks.install')).toBe(undefined)
})

it('the list for players names what is optional, and is copied and saved', async () => {
  const { way, server } = service()
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await render(PlayersDialog, { server, close: vi.fn() })
  await expect.element(page.getByText('Cozy 1.1 · Minecraft 1.21 · Fabric 0.16.9')).toBeVisible()
  const items = page.getByRole('list', { name: 'List for players' }).getByRole('listitem')
  expect(items.elements().map((one) => one.textContent.replaceAll(/\s+/g, ' ').trim())).toEqual([
    'Lithium 2.0',
    'World Map optional 3.2',
  ])
  await button('Copy list').click()
  await expect.element(page.getByRole('status')).toHaveTextContent('The list is copied.')
  expect(copied.mock.calls.at(-1)?.[0]).toBe(
    'Cozy 1.1\nMinecraft 1.21\nFabric 0.16.9\n\nLithium 2.0\nWorld Map 3.2 (optional) https://maps.example/map.jar',
  )
  await button('Save as web page').click()
  await expect.element(page.getByRole('status')).toHaveTextContent('Saved to /home/ann/Cozy.html')
  expect(bodyOf(way, 'servers.save-players-list')).toMatchObject({
    ...{ serverId: 's', words: { title: 'What players need', minecraft: 'Minecraft 1.21' } },
  })
})

it('a list that cannot be read is asked for again, and one without files says so', async () => {
  const { way, server } = service()
  way.answer('view modpacks.players', () => refused('modpacks.not-found', 'It is gone.'))
  await render(PlayersDialog, { server, close: vi.fn() })
  await expect.element(page.getByText('It is gone.')).toBeVisible()
  await expect.element(button('Copy list')).not.toBeInTheDocument()
  way.answer('view modpacks.players', () => shown({ ...PLAYERS, items: [] }))
  await button('Try again').click()
  await expect.element(page.getByText('Players need no files for this modpack.')).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'List for players' })).not.toBeInTheDocument()
})
