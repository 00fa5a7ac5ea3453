import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import type { Connection, FoundPack, PackPlan as Plan, View } from '../../contract/bridge/values.ts'
import '../app/theme.css'
import { Problem } from '../core/bridge.ts'
import { panel } from '../core/panel.svelte.ts'
import { type AnswerName, ScriptedBridge } from '../core/scripted-bridge.fixture.ts'
import { ChosenPack } from './chosen-pack.svelte.ts'
import { HeldPack, type SentPack } from './pack-upload.svelte.ts'
import PackFinder from './PackFinder.svelte'
import PackPlan from './PackPlan.svelte'

const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})
const failed = (code: 'service-failed' | 'unavailable' | 'conflict', message = '') => ({
  ok: false as const,
  problem: { code, message, retryable: code === 'service-failed' },
})
const ok = { ok: true as const, value: undefined }
const list = (items: FoundPack[], next: string | null = null) =>
  shown({ items, leftOut: [], more: next !== null, next })
const COZY: FoundPack = { id: 'cozy', name: 'Cozy', author: 'Ann', downloads: 1200, hasIcon: false }
const PLAN: Plan = { name: 'Cozy', software: { id: 'fabric', name: 'Fabric', version: '1.21' }, files: 3 }

let connectionId = 0

/** A connection whose service answers so; `state` as of a connection. */
function service(
  search: () => ReturnType<typeof list> | ReturnType<typeof failed> | Promise<never>,
  state: Connection['state'] = { kind: 'ready' },
) {
  const connection: Connection = {
    ...{ id: `v${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state },
  }
  const way = new ScriptedBridge({
    'view modpacks.search': search,
    'view software.list': () => failed('unavailable'),
    'view modpacks.plan': () => shown(PLAN),
    'send servers.begin-import': () => ({ ok: true, value: { id: 'i1', state: 'waiting' } }),
    'send servers.remove-import': () => ok,
    'transfers.list': () => ({ ok: true, value: { items: [], limit: null, atOnce: 2 } }),
    'transfers.cancel': () => ok,
    'transfers.clear': () => ok,
    'transfers.retry': () => ok,
  })
  window.panel = way
  panel.take(connection)
  return { way, connectionId: connection.id }
}

async function finder(...given: Parameters<typeof service>) {
  const { way, connectionId } = service(...given)
  const [choose, sent] = [vi.fn<(pack: FoundPack) => void>(), vi.fn<(pack: SentPack) => void>()]
  const drawn = await render(PackFinder, { connectionId, creates: true, choose, sent })
  return { way, choose, sent, drawn }
}

it('modpacks are searched, and nothing jumps until they are there', async () => {
  await finder(() => new Promise<never>(() => {}))
  await expect.element(page.getByRole('status')).toHaveTextContent('Searching…')
  await expect.element(page.getByRole('button', { name: 'Choose a .mrpack file' })).toBeVisible()
})

it('what was found is chosen', async () => {
  const { choose } = await finder(() => list([COZY]))
  await page.getByRole('button', { name: /Cozy.*Ann · 1.2K ↓/ }).click()
  expect(choose).toHaveBeenCalledExactlyOnceWith(COZY)
  await expect.element(page.getByRole('status')).toHaveTextContent('1 modpack')
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
})

it('modpacks are narrowed down by the version of the game and the loader that the service can install', async () => {
  const { way, connectionId } = service(() => list([COZY]))
  const versions = (...ids: string[]) => ids.map((id) => ({ id }))
  const snapshot = { id: '26w01a', channel: 'snapshot' as const }
  way.answer('view software.list', () =>
    shown({
      items: [
        { id: 'paper', name: 'Paper', versions: versions('1.8') },
        { id: 'fabric', name: 'Fabric', versions: [snapshot, ...versions('1.21', '1.20.4')] },
        { id: 'forge', name: 'Forge', versions: versions('1.20.4', '1.16.5') },
      ],
      ...{ leftOut: [], more: false as const },
    }),
  )
  await render(PackFinder, { connectionId, choose: vi.fn(), sent: vi.fn() })
  const select = (name: string) => page.getByRole('combobox', { name })
  const options = (name: string) =>
    [...(select(name).element() as HTMLSelectElement).options].map(({ text }) => text)
  await expect.element(select('Mod loader')).toBeVisible()
  expect(options('Mod loader')).toEqual(['Any', 'Fabric', 'Forge'])
  expect(options('Minecraft version')).toEqual(['Any', '1.21', '1.20.4', '1.16.5'])
  await select('Minecraft version').selectOptions('1.20.4')
  await select('Mod loader').selectOptions('Forge')
  const asked = () => way.called.findLast(({ name }) => name === 'view modpacks.search')?.input
  await expect.poll(asked).toMatchObject({ query: { minecraft: '1.20.4', software: 'forge' } })
  await select('Minecraft version').selectOptions('Any')
  await expect.poll(asked).toEqual({ connectionId, query: { query: '', software: 'forge' } })
})

it('nothing found says what to do', async () => {
  await finder(() => list([]))
  await expect.element(page.getByText('The catalog has no modpacks right now')).toBeVisible()
  await page.getByRole('searchbox').fill('castle')
  await expect.element(page.getByText('Nothing found for “castle”')).toBeVisible()
  await expect.element(page.getByText('Try another word.')).toBeVisible()
})

it('a catalog that cannot be reached is one sentence, and asked again', async () => {
  const problem = {
    ...{ code: 'service-failed' as const, serviceCode: 'software.catalogue-unreachable', message: 'Away.' },
    ...{ text: { key: 'refused.software.catalogue-unreachable' as const, values: { name: 'Modrinth' } } },
    retryable: true,
  }
  const { way } = await finder(() => ({ ok: false, problem }))
  await expect.element(page.getByText('The service can’t reach Modrinth right now.')).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  way.answer('view modpacks.search', () => list([COZY]))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('button', { name: /Cozy/ })).toBeVisible()
})

it('a search that failed is tried again, and a file can be chosen all the same', async () => {
  const { way } = await finder(() => failed('service-failed'))
  await expect.element(page.getByText('Modpacks couldn’t be searched')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Choose a .mrpack file' })).toBeEnabled()
  way.answer('view modpacks.search', () => list([COZY]))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('button', { name: /Cozy/ })).toBeVisible()
})

it('a service that has no catalog says so', async () => {
  await finder(() => failed('unavailable'))
  await expect.element(page.getByText(/finding modpacks/)).toBeVisible()
})

it('where the service cannot be reached no file is chosen, and why is said', async () => {
  await finder(() => list([]), { kind: 'signed-out' })
  const button = page.getByRole('button', { name: 'Choose a .mrpack file' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
})

it.each([
  ['is read', () => new Promise<never>(() => {}), 'Reading the modpack…'],
  ['is known', () => shown(PLAN), 'Fabric 1.21'],
  ['could not be read', () => failed('service-failed'), 'What this modpack installs couldn’t be determined'],
] as const)('what a modpack installs %s, and that is said', async (_how, answer, words) => {
  const { way, connectionId } = service(() => list([]))
  way.answer('view modpacks.plan', answer)
  const pack = new ChosenPack({ connectionId, serverId: null }, { importId: 'i1', path: 'a.mrpack' })
  await render(PackPlan, { pack, versions: false })
  await expect.element(page.getByText(words)).toBeVisible()
  expect(way.called.find(({ name }) => name === 'view modpacks.plan')?.input).toMatchObject({
    query: { importId: 'i1', path: 'a.mrpack' },
  })
})

it('lists of a plan that name only some say how many there are beside those', async () => {
  const { way, connectionId } = service(() => list([]))
  const more = { added: 300, optional: 40, refused: 3 }
  const optional = [{ path: 'mods/map.jar', name: 'Map' }]
  way.answer('view modpacks.plan', () =>
    shown({ ...PLAN, added: ['mods/a.jar', 'mods/b.jar'], optional, refused: ['ops.json'], more }),
  )
  const pack = new ChosenPack({ connectionId, serverId: null }, { importId: 'i1', path: 'a.mrpack' })
  await render(PackPlan, { pack, versions: false })
  await page.getByText('302 files are added').click()
  await expect.element(page.getByText('and 300 more')).toBeVisible()
  await expect.element(page.getByText('and 40 more')).toBeVisible()
  await expect.element(page.getByText(/^Left out for safety.*ops\.json/)).toBeVisible()
})

/** Chooses a file, as the dialog of the browser does. */
function choose(name: string): void {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!
  const chosen = new DataTransfer()
  chosen.items.add(new File(['x'], name))
  input.files = chosen.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

const tell = (way: ScriptedBridge, change: Partial<Transfer>) => {
  const all = {
    id: 'transfer-1',
    kind: 'upload',
    state: 'running',
    bytes: 4096,
    bytesDone: 1024,
    problem: null,
  }
  const item = { ...all, ...change } as Transfer
  way.send('transfers', { items: [item], limit: null, atOnce: 2 })
}
const called = (way: ScriptedBridge, name: AnswerName) => way.called.some((one) => one.name === name)

it('a file of this computer is sent with its progress, and taken as a pack that was found', async () => {
  const { way, sent } = await finder(() => list([]))
  choose('notes.txt')
  await expect.element(page.getByText(/“notes\.txt” isn’t a \.mrpack file/)).toBeVisible()
  choose('Cozy-1.0.zip')
  await expect.element(page.getByText(/Modpacks from CurseForge can’t be installed here/)).toBeVisible()
  choose('Cozy.mrpack')
  await expect.poll(() => called(way, 'transfers.list')).toBe(true)
  expect(way.uploaded[0]?.to).toMatchObject({ serverId: 'i1', folder: '' })
  tell(way, {})
  await expect.element(page.getByRole('progressbar', { name: 'Uploading Cozy.mrpack' })).toHaveAttribute('aria-valuenow', '25') // prettier-ignore
  tell(way, { state: 'offline' })
  await expect.element(page.getByText('The upload is waiting. Transfers shows why.')).toBeVisible()
  tell(way, { state: 'done' })
  await expect.poll(() => sent.mock.calls).toEqual([[{ importId: 'i1', path: 'Cozy.mrpack', name: 'Cozy' }]])
  // Also where nobody can move a server in.
  expect(way.called.find(({ name }) => name === 'send servers.begin-import')?.input).toMatchObject({
    query: { for: 'modpack', creates: 'server' },
  })
  expect(called(way, 'send servers.remove-import')).toBe(false)
})

it('an upload that is canceled, or that nobody waits for, leaves nothing at the service', async () => {
  const { way, drawn, sent } = await finder(() => list([]))
  choose('Cozy.mrpack')
  await expect.poll(() => called(way, 'transfers.list')).toBe(true)
  tell(way, {})
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => called(way, 'send servers.remove-import')).toBe(true)
  expect(called(way, 'transfers.cancel')).toBe(true)
  const before = way.called.length
  choose('Cozy.mrpack')
  await expect.poll(() => way.uploaded.length).toBe(2)
  await drawn.unmount()
  await expect
    .poll(() => way.called.slice(before).map(({ name }) => name))
    .toContain('send servers.remove-import')
  expect(sent).not.toHaveBeenCalled()
})

it('an upload that failed says why, and is sent again', async () => {
  const { way, sent } = await finder(() => list([]))
  choose('Cozy.mrpack')
  await expect.poll(() => called(way, 'transfers.list')).toBe(true)
  tell(way, { state: 'failed' })
  await expect.element(page.getByText('The file couldn’t be uploaded. Transfers shows why.')).toBeVisible()
  await page.getByRole('button', { name: 'Upload again' }).click()
  await expect.poll(() => called(way, 'transfers.retry')).toBe(true)
  tell(way, { state: 'done' })
  await expect.poll(() => sent.mock.calls.length).toBe(1)
})

it('the keyboard stays where a modpack is sent, whatever becomes of it', async () => {
  const { way } = await finder(() => list([]))
  const button = (name: string) => page.getByRole('button', { name })
  const sending = page.getByRole('region', { name: 'Uploading Cozy.mrpack' })
  const focus = (at: ReturnType<typeof button>) => (at.element() as HTMLElement).focus()
  focus(button('Choose a .mrpack file'))
  choose('Cozy.mrpack')
  await expect.element(sending).toHaveFocus()
  await expect.poll(() => called(way, 'transfers.list')).toBe(true)
  focus(button('Cancel'))
  tell(way, {})
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  await expect.element(button('Cancel')).toHaveFocus()
  tell(way, { state: 'failed' })
  await expect.element(button('Upload again')).toHaveFocus()
  await button('Upload again').click()
  await expect.element(sending).toHaveFocus()
  await button('Cancel').click()
  await expect.element(button('Choose a .mrpack file')).toHaveFocus()
  focus(page.getByRole('searchbox'))
  choose('Cozy.mrpack')
  await expect.element(sending).toBeVisible()
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
})

it('a modpack that was sent is deleted when its place is left, but not while a server may be made of it', async () => {
  const { way, connectionId } = service(() => list([]))
  const deleted = () => way.called.filter(({ name }) => name === 'send servers.remove-import').length
  const heldPack = () => {
    const held = new HeldPack(connectionId)
    held.take('i1')
    return held
  }
  heldPack().end()
  await expect.poll(deleted).toBe(1)

  // It is left while the request goes, which succeeds, or of which nobody knows what came of it.
  for (const came of [Promise.resolve(), Promise.reject(new Problem(failed('unavailable').problem))]) {
    const held = heldPack()
    const given = held.giving(() => came).catch(() => undefined)
    held.end()
    await given
  }
  expect(deleted()).toBe(1)

  // What was refused is deleted then, or is there for another try.
  const refused = () =>
    Promise.reject(new Problem({ ...failed('conflict').problem, serviceCode: 'modpacks.changed' }))
  const held = heldPack()
  await held.giving(refused).catch(() => undefined)
  expect(deleted()).toBe(1)
  const last = held.giving(refused).catch(() => undefined)
  held.end()
  await last
  await expect.poll(deleted).toBe(2)
})
