import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import type { Connection, FoundServer, Import, View } from '../../../contract/bridge/values.ts'
import type { ViewValue } from '../../../contract/bridge/passed.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import CreateServer from './CreateServer.svelte'

type Software = ViewValue<'software.list'>['items'][number]

const license = { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' }
const paper: Software = {
  ...{ id: 'paper', name: 'Paper', license },
  versions: [{ id: '1.21', recommended: true }, { id: '1.20.4' }, { id: '1.18' }],
}
const found: FoundServer = {
  ...{ folder: 'world/home', software: { id: 'paper', name: 'Paper', version: '1.20.4' } },
  ...{
    jar: { name: 'mine.jar', java: 17, version: '1.20.4' },
    worlds: [{ name: 'world', version: '1.20.4' }],
  },
  ...{ port: 25565, freePort: 25566, memoryMb: 4096 },
}
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})
const ok = { ok: true as const, value: undefined }
const transfer = (change: Partial<Transfer>): Transfer => ({
  ...{ id: 'transfer-1', kind: 'upload', state: 'running', name: 'home.zip', others: 0, from: null },
  ...{ server: { connectionId: 'c', serverId: 'i1' }, folder: '', asking: null, problem: null },
  ...{ files: 1, filesDone: 0, filesFailed: 0, filesSkipped: 0, rate: 1024 ** 2, secondsLeft: 3 },
  ...{ bytes: 4 * 1024 ** 2, bytesDone: 1024 ** 2, createdAt: '2026-01-01T00:00:00Z', endedAt: null },
  ...change,
})

let connectionId = 0
let drawn: { unmount: () => unknown }

/** The page for moving a server in, at a service that answers this of what was sent. */
async function open(
  answered: Partial<Import> = { state: 'ready', found },
  items: Software[] = [paper],
): Promise<ScriptedBridge> {
  const connection: Connection = {
    ...{ id: `m${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  const way = new ScriptedBridge({
    'view servers.list': () => shown({ items: [], leftOut: [], more: false }),
    'view software.list': () => shown({ items, leftOut: [], more: false }),
    'send servers.begin-import': () => ({ ok: true, value: { id: 'i1', state: 'waiting' } }),
    'send servers.look-at-import': () => ({ ok: true, value: { id: 'i1', state: 'extracting' } }),
    'view servers.read-import': () => shown({ id: 'i1', ...answered }),
    'send servers.remove-import': () => ok,
    'send servers.create-from-import': () => ({
      ok: true,
      value: { id: 'n1', name: 'New', status: 'installing' },
    }),
    'transfers.list': () => ({ ok: true, value: { items: [], limit: null, atOnce: 2 } }),
    'transfers.cancel': () => ok,
    'transfers.clear': () => ok,
    'transfers.retry': () => ok,
  })
  window.panel = way
  panel.take(connection)
  drawn = await render(CreateServer, { connectionId: connection.id })
  await page.getByRole('radio', { name: 'Existing server' }).click()
  await expect.element(page.getByRole('button', { name: 'Choose an archive' })).toBeVisible()
  return way
}

/** Chooses a file, as the dialog of the browser does. */
function choose(name: string): void {
  const input = document.querySelector<HTMLInputElement>('input[type=file]:not([webkitdirectory])')!
  const chosen = new DataTransfer()
  chosen.items.add(new File(['x'], name))
  input.files = chosen.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

const tell = (way: ScriptedBridge, change: Partial<Transfer>) =>
  way.send('transfers', { items: [transfer(change)], limit: null, atOnce: 2 })
const names = (way: ScriptedBridge) => way.called.map(({ name }) => name)
const inputOf = (way: ScriptedBridge, called: string) =>
  way.called.filter(({ name }) => name === called).at(-1)?.input as { body?: unknown } | undefined

/** Chooses an archive and has all of it sent. */
async function sent(way: ScriptedBridge, name = 'home.zip'): Promise<void> {
  choose(name)
  await expect.poll(() => names(way)).toContain('transfers.list')
  tell(way, { state: 'done' })
}

afterEach(() => history.replaceState(null, '', '/'))

it('the upload tells how far it is, and is canceled with all that was sent', async () => {
  const way = await open()
  choose('home.zip')
  await expect.poll(() => names(way)).toContain('transfers.list')
  expect(way.uploaded[0]?.to).toMatchObject({ serverId: 'i1', folder: '' })
  tell(way, {})
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  await expect.element(page.getByText(/1(\.00)? MB of 4(\.00)? MB/)).toBeVisible()
  tell(way, { state: 'offline' })
  await expect.element(page.getByText('The upload is waiting. Transfers shows why.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('button', { name: 'Choose an archive' })).toBeVisible()
  await expect
    .poll(() => names(way))
    .toEqual(expect.arrayContaining(['transfers.cancel', 'send servers.remove-import']))
  expect(names(way)).not.toContain('send servers.look-at-import')
})

it('what could not be sent is sent again, and looked at only when all is there', async () => {
  const way = await open()
  choose('home.zip')
  await expect.poll(() => names(way)).toContain('transfers.list')
  tell(way, { state: 'failed', filesFailed: 1 })
  await expect.element(page.getByText(/^Some files couldn’t be uploaded\./)).toBeVisible()
  expect(names(way)).not.toContain('send servers.look-at-import')
  way.answer('transfers.list', () => ({
    ok: true,
    value: { items: [transfer({ state: 'done' })], limit: null, atOnce: 2 },
  }))
  await page.getByRole('button', { name: 'Upload the rest again' }).click()
  await expect.poll(() => names(way)).toContain('transfers.retry')
  await expect.element(page.getByRole('heading', { name: 'What was found' })).toBeVisible()
})

it('what ran the server is chosen first, and what another choice does is said before', async () => {
  const way = await open()
  await sent(way)
  await expect.element(page.getByText('Its own, 25565, is in use here.')).toBeVisible()
  await expect.element(page.getByLabelText('Software', { exact: true })).toHaveValue('paper')
  const version = page.getByLabelText('Version', { exact: true })
  await expect.element(version).toHaveValue('1.20.4')
  await expect.element(page.getByRole('note')).not.toBeInTheDocument()
  await version.selectOptions('1.18')
  await expect.element(page.getByText(/1\.18 is older and may not be able to open it\./)).toBeVisible()
  await version.selectOptions('1.20.4')
  await page.getByLabelText('Name').fill('Home')
  await page.getByLabelText('Port').fill('80')
  await page.getByRole('button', { name: 'Move the server in' }).click()
  await expect.element(page.getByText('Enter a port from 1024 to 65535.')).toBeVisible()
  await expect.element(page.getByText('Accept the license to create the server.')).toBeVisible()
  await page.getByLabelText('Port').fill('25570')
  await page.getByRole('checkbox', { name: /^I accept/ }).click()
  await page.getByRole('button', { name: 'Move the server in' }).click()
  await expect.poll(() => location.href).toContain('n1')
  expect(inputOf(way, 'send servers.look-at-import')?.body).toEqual({ archive: 'home.zip' })
  expect(inputOf(way, 'send servers.create-from-import')?.body).toEqual({
    ...{ name: 'Home', software: { id: 'paper', version: '1.20.4' }, memoryMb: 4096, port: 25570 },
    acceptLicense: true,
  })
})

it('whom its lists name and that its remote console is turned off is said before', async () => {
  const way = await open({
    state: 'ready',
    found: { ...found, operators: 1, whitelisted: 12, whitelistOn: true, banned: 3, remoteConsole: true },
  })
  await sent(way)
  for (const text of ['1 operator', '12 on the whitelist, which is on: nobody else can join', '3 bans'])
    await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await expect.element(page.getByText(/^Its remote console \(RCON\) is turned off/)).toBeVisible()
})

it('one of several jars is chosen, and a world that did not come along is told', async () => {
  const jars = ['a.jar', 'b.jar'].map((name) => ({ name, version: '1.20.4' }))
  const level = { name: 'mine', state: 'missing' as const, folder: null }
  const way = await open({ state: 'ready', found: { ...found, jar: jars[0], jars, level } })
  await sent(way)
  await expect.element(page.getByText(/^Its settings load the world “mine”/)).toBeVisible()
  await page.getByLabelText('Software', { exact: true }).selectOptions('The jar that came along: b.jar')
  await page.getByRole('checkbox', { name: /^I accept/ }).click()
  await page.getByRole('button', { name: 'Move the server in' }).click()
  await expect.poll(() => location.href).toContain('n1')
  expect(inputOf(way, 'send servers.create-from-import')?.body).toMatchObject({
    software: { id: 'custom', jar: 'b.jar' },
  })
})

it('the jar that came along is chosen first where the catalog does not have its version; a jar is sent as a file', async () => {
  const software = { id: 'paper', name: 'Paper', version: '1.8.8' }
  const way = await open({ state: 'ready', found: { ...found, software } })
  await sent(way, 'mine.jar')
  await expect.element(page.getByLabelText('Software', { exact: true })).toHaveValue('custom')
  expect(inputOf(way, 'send servers.look-at-import')?.body).toEqual({})
  await page.getByRole('checkbox', { name: /^I accept/ }).click()
  await page.getByRole('button', { name: 'Move the server in' }).click()
  await expect
    .poll(() => inputOf(way, 'send servers.create-from-import')?.body)
    .toMatchObject({ software: { id: 'custom' } })
})

it('what cannot be used is told in words, and something else can be chosen', async () => {
  const error = { code: 'files.archive-encrypted', message: 'This archive is protected by a password.' }
  const way = await open({ state: 'failed', error })
  await sent(way)
  await expect.element(page.getByText(/Extract it on your computer, then choose the folder\./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Choose something else' }).click()
  await expect.poll(() => names(way)).toContain('send servers.remove-import')
  await expect.element(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible()
})

it('what was sent is not lost to a request that fails: it is looked at again', async () => {
  const way = await open()
  const away = { code: 'service-failed', message: '', retryable: true, unsure: true } as const
  way.answer('send servers.look-at-import', () => ({ ok: false, problem: away }))
  await sent(way)
  await expect.element(page.getByRole('button', { name: 'Choose something else' })).toBeVisible()
  // The first request was heard, although nobody knew.
  let asked = 0
  way.answer('view servers.read-import', () => {
    if (++asked === 1) return shown({ id: 'i1', state: 'waiting' })
    if (asked === 2) return { ok: false, problem: { code: 'rate-limited', message: '', retryable: true } }
    return shown({ id: 'i1', state: 'ready', found })
  })
  const busy = { code: 'conflict', message: '', retryable: false, serviceCode: 'imports.busy' } as const
  way.answer('send servers.look-at-import', () => ({ ok: false, problem: busy }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'What was found' })).toBeVisible()
  expect(way.uploaded).toHaveLength(1)
  expect(names(way)).not.toContain('send servers.remove-import')
})

it('what the service has no room for is looked at again when there is room', async () => {
  const error = { code: 'service.disk-full', message: 'Full.' }
  const way = await open({ state: 'failed', error })
  await sent(way)
  await expect.element(page.getByText(/Free up space there, then try again\./)).toBeVisible()
  const looks = () => names(way).filter((name) => name === 'send servers.look-at-import').length
  way.answer('send servers.look-at-import', () => {
    way.answer('view servers.read-import', () => shown({ id: 'i1', state: 'ready', found }))
    return { ok: true, value: { id: 'i1', state: 'extracting' } }
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'What was found' })).toBeVisible()
  expect(looks()).toBe(2)
})

it('a service that does not take servers in says so', async () => {
  const way = await open()
  way.answer('send servers.begin-import', () => ({
    ok: false,
    problem: { code: 'unavailable', message: '', retryable: false, detail: 'servers.begin-import' },
  }))
  choose('home.zip')
  await expect.element(page.getByText(/moving servers in/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Choose an archive' })).not.toBeInTheDocument()
  expect(way.uploaded).toEqual([])
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect.element(page.getByRole('button', { name: 'Choose an archive' })).toBeVisible()
})

it('touching another way loses nothing that was filled in', async () => {
  const way = await open()
  await sent(way)
  await page.getByRole('textbox', { name: 'Name' }).fill('Home')
  await page.getByRole('radio', { name: 'New', exact: true }).click()
  await expect.element(page.getByRole('button', { name: 'Create and start' })).toBeVisible()
  await page.getByRole('radio', { name: 'Existing server' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Home')
})

it('without a catalog the upload is seen and canceled all the same', async () => {
  const way = await open({ state: 'ready', found }, [])
  choose('home.zip')
  await expect.poll(() => names(way)).toContain('transfers.list')
  tell(way, {})
  await expect.element(page.getByRole('progressbar')).toBeVisible()
  tell(way, { state: 'done' })
  await expect.element(page.getByText('The server can be moved in.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Check again' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => names(way)).toContain('send servers.remove-import')
})

it('what was filled in is there again when its page is', async () => {
  const way = await open()
  await sent(way)
  const field = (name: string) => page.getByLabelText(name, { exact: true })
  await field('Name').fill('My old home')
  await field('Port').fill('25599')
  await field('Version').selectOptions('1.18')
  await page.getByRole('checkbox', { name: /Minecraft EULA/ }).click()
  await drawn.unmount()
  drawn = await render(CreateServer, { connectionId: `m${connectionId}` })
  await expect.element(field('Name')).toHaveValue('My old home')
  await expect.element(field('Port')).toHaveValue('25599')
  await expect.element(field('Version')).toHaveValue('1.18')
  await expect.element(page.getByRole('checkbox', { name: /Minecraft EULA/ })).toBeChecked()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('button', { name: 'Choose an archive' })).toBeVisible()
})

it('a service that takes no servers in says so before anything is chosen', async () => {
  const way = await open()
  const problem = {
    code: 'unavailable',
    message: '',
    retryable: false,
    detail: 'servers.read-import',
  } as const
  way.answer('view servers.read-import', () => ({
    ok: true,
    value: { value: null, asOf: null, stale: true, problem },
  }))
  await drawn.unmount()
  drawn = await render(CreateServer, { connectionId: `m${connectionId}` })
  await page.getByRole('radio', { name: 'Existing server' }).click()
  await expect.element(page.getByText(/moving servers in/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Choose an archive' }).elements()).toEqual([])
  way.answer('view servers.read-import', () => ({
    ok: true,
    value: { value: null, asOf: null, stale: true, problem: { ...problem, code: 'not-found' } },
  }))
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect.element(page.getByRole('button', { name: 'Choose an archive' })).toBeVisible()
})

it('what was left out of an archive is named, and names are read again in another encoding', async () => {
  const omissions = [{ name: 'logs/latest', reason: 'link' as const }]
  const read = { leftOut: 2, omissions, names: { encoding: 'shift_jis' as const, guessed: true } }
  const way = await open({ state: 'ready', found: { ...found, ...read } })
  await sent(way)
  await expect
    .element(page.getByText(/2 items were left out: links \(.logs\/latest.\); 1 more\./))
    .toBeVisible()
  await expect.element(page.getByText(/read as Japanese \(Shift JIS\), which is a guess\./)).toBeVisible()
  const encoding = page.getByRole('combobox', { name: 'Encoding of names' })
  await encoding.selectOptions('Chinese, simplified (GBK)')
  const asked = () => inputOf(way, 'send servers.look-at-import')?.body
  await expect.poll(asked).toEqual({ archive: 'home.zip', names: 'gbk' })
  await expect.element(encoding).toHaveValue('gbk')
})
