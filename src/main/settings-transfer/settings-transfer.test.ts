import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answerJson, oddService } from '../../../tests/doubles/services/odd-service.ts'
import { MOVING_MOST } from '../../contract/bridge/settings-transfer-calls.ts'
import { createPanel } from '../panel/panel.ts'
import { openWindow, testPorts } from '../panel/panel.fixture.ts'
import { readMoved, writeMoved } from './settings-file.ts'

async function computer(way: 'electron' | 'browser' = 'electron') {
  const folder = await mkdtemp(join(tmpdir(), 'settings-transfer-'))
  const panel = await createPanel({ ...testPorts(folder), way, downloadsFolder: join(folder, 'D') })
  onTestFinished(async () => {
    await panel.close()
    await rm(folder, { recursive: true })
  })
  return { ...openWindow(panel), folder }
}

async function annsService() {
  const service = await oddService({
    'GET /users/me': (_request, response) =>
      answerJson(response, { id: 'u', name: 'Ann', email: 'ann@x.example' }),
  })
  onTestFinished(() => service.close())
  return service
}
const file = (connections: unknown[], more: object = {}) =>
  JSON.stringify({
    format: 'wheelhouse-settings',
    version: 1,
    connections,
    settings: null,
    desktop: null,
    ...more,
  })

it('connections and settings come along to another computer, tokens do not, and signing in goes on with them', async () => {
  const service = await annsService()
  const old = await computer()
  await old.call('connections.use-token', { baseUrl: service.baseUrl, token: 'wh_secretToken1' })
  await old.call('settings.change', { theme: 'dark', language: 'de' })
  await old.call('desktop.choose', { tray: true, alerts: { joined: true } })
  const { path } = await old.call('settings-transfer.save', undefined)
  const text = await readFile(path, 'utf8')
  expect(text).not.toMatch(/secretToken|token|autostart/i)

  const fresh = await computer()
  const user = { name: 'Ann', email: 'ann@x.example' }
  expect(await fresh.call('settings-transfer.preview', { text })).toMatchObject({
    connections: [{ address: service.baseUrl, user, outcome: 'new' }],
    settings: { theme: 'dark', language: 'de' },
    desktop: true,
  })
  expect(await fresh.call('connections.list', undefined)).toEqual([])
  expect(await fresh.call('settings-transfer.bring', { text, settings: true })).toEqual({ added: 1 })
  const [brought] = await fresh.call('connections.list', undefined)
  expect(brought).toMatchObject({
    baseUrl: service.baseUrl,
    user,
    state: { kind: 'signed-out' },
    tokenKept: 'none',
  })
  expect(await fresh.call('settings.read', undefined)).toMatchObject({ theme: 'dark', language: 'de' })
  expect(await fresh.call('desktop.choices', undefined)).toMatchObject({
    tray: true,
    alerts: { joined: true },
  })

  // The same file again brings nothing, and signing in makes no second connection.
  expect(await fresh.call('settings-transfer.preview', { text })).toMatchObject({
    connections: [{ outcome: 'known' }],
  })
  expect(await fresh.call('settings-transfer.bring', { text, settings: false })).toEqual({ added: 0 })
  const signedIn = await fresh.call('connections.use-token', { baseUrl: service.baseUrl, token: 'good' })
  expect(signedIn.id).toBe(brought!.id)
  expect(await fresh.call('connections.list', undefined)).toHaveLength(1)
})

it('a browser takes over no choices of a desktop, and settings only where they are wanted', async () => {
  const { call } = await computer('browser')
  const settings = { theme: 'dark', language: 'de', timestamps: false, playersOn: 'ask' }
  const desktop = {
    tray: true,
    alerts: { service: true, started: true, joined: true, left: false, transfers: true, update: true },
  }
  const text = file([], { settings, desktop })
  await call('settings-transfer.bring', { text, settings: false })
  expect(await call('settings.read', undefined)).toMatchObject({ theme: 'system' })
  await call('settings-transfer.bring', { text, settings: true })
  expect(await call('settings.read', undefined)).toEqual(settings)
  expect(await call('desktop.choices', undefined)).toMatchObject({ tray: false })
})

it('what is no usable address is left out, and what is there twice comes once', async () => {
  const { call } = await computer()
  const user = { id: null, name: null, email: 'ann@x.example' }
  const good = { address: 'https://panel.example/api/v1', user }
  const text = file([
    ...[good, { ...good, user: { ...user, email: 'ANN@x.example' } }, { ...good, user: null }],
    ...['http://panel.example/api/v1', 'javascript:alert(1)', 'https://ann:pw@panel.example/api/v1'].map(
      (address) => ({
        address,
        user,
      }),
    ),
  ])
  const { connections } = await call('settings-transfer.preview', { text })
  expect(connections.map(({ outcome }) => outcome)).toEqual([
    ...Array(3).fill('new'),
    ...Array(3).fill('unusable'),
  ])
  expect(await call('settings-transfer.bring', { text, settings: true })).toEqual({ added: 2 })
})

it.each([
  ['is no JSON', 'x', 'no file of Wheelhouse'],
  ['is another file', '{"version":1}', 'no file of Wheelhouse'],
  ['is of a newer version', file([], { version: 2 }), 'newer version'],
  ['lacks something', file([{ address: 'https://a.example/api/v1' }]), 'damaged'],
  ['holds too many', file(Array(1001).fill({ address: '', user: null })), 'damaged'],
  ['is too long', `${file([])}${' '.repeat(MOVING_MOST)}`, 'no file of Wheelhouse'],
])('a file that %s changes nothing, and a sentence says why', (_what, text, sentence) => {
  expect(() => readMoved(text)).toThrow(sentence)
})

it('holds nothing but what is declared, whatever it was given', () => {
  const user = { id: 'u', name: 'Ann', email: null, token: 'wh_secret1' }
  const settings = {
    theme: 'dark',
    language: 'en',
    timestamps: true,
    playersOn: 'ask',
    token: 'wh_secret2',
  } as const
  const one = { address: 'https://a.example/api/v1', user, token: 'wh_secret3' }
  const text = writeMoved({ connections: [one], settings, desktop: null })
  expect(text).not.toContain('secret')
  expect(readMoved(`\uFEFF${text}`).connections).toEqual([
    { address: one.address, user: { id: 'u', name: 'Ann', email: null } },
  ])
})

const many = (count: number, beside = '') =>
  Array.from({ length: count }, (_, n) => ({
    address: `https://panel-${n}.example/api/v1${beside}`,
    user: { id: `user-${n}`, name: 'Ann', email: `ann@panel-${n}.example` },
  }))

it('every connection of a panel that has hundreds comes along', () => {
  const text = writeMoved({ connections: many(1000), settings: null, desktop: null })
  expect(readMoved(text).connections).toHaveLength(1000)
})

it.each([
  ['so many', many(1001)],
  ['such long addresses', many(900, `?${'a'.repeat(1900)}`)],
])('no file is written that could not be read, of %s: a sentence says why', (_what, connections) => {
  expect(() => writeMoved({ connections, settings: null, desktop: null })).toThrow(
    'You have more connections than fit into one file, which takes about 1,000.',
  )
})

it('an account whose service gives it a name without end keeps no connection from coming along', () => {
  const long = {
    id: 'i'.repeat(201),
    name: `${'n'.repeat(198)}🙂 and more`,
    email: `${'e'.repeat(400)}@x.example`,
  }
  const ann = { id: 'u', name: 'Ann', email: null }
  const connections = [long, ann].map((user) => ({ address: 'https://panel.example/api/v1', user }))
  const moved = readMoved(writeMoved({ connections, settings: null, desktop: null }))
  expect(moved.connections.map(({ user }) => user)).toEqual([
    { id: null, name: `${'n'.repeat(198)}…`, email: null },
    ann,
  ])
})

it('connects to nothing that no person could have typed: passwords in addresses, scripts, files, unencrypted ones', async () => {
  const { call } = await computer()
  const addresses = [
    'https://ann:secret@panel.example/api/v1',
    'javascript:alert(1)//api/v1',
    'file:///etc/api/v1',
    'http://panel.example/api/v1',
  ]
  const text = file(addresses.map((address) => ({ address, user: null })))
  const { connections } = await call('settings-transfer.preview', { text })
  expect(connections.map(({ outcome }) => outcome)).toEqual(addresses.map(() => 'unusable'))
  expect(await call('settings-transfer.bring', { text, settings: false })).toEqual({ added: 0 })
})

it('names of a file are only names: none reaches what all objects share', () => {
  const text = `{"format":"wheelhouse-settings","version":1,"connections":[],"settings":null,"desktop":null,
    "__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`
  const moved = readMoved(text)
  expect(Object.keys(moved).toSorted()).toEqual(['connections', 'desktop', 'format', 'settings', 'version'])
  expect('polluted' in moved || 'polluted' in {}).toBe(false)
})
