import type { ExternalFile, ExternalFileState } from '../../src/contract/bridge/external-editor-calls.ts'
import type { Update, Updates, UpdateState } from '../../src/contract/bridge/update-calls.ts'
import { answerNow, standInForDesktop, tell } from './fixtures/desktop-stand-in.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, serverLink, signIn, tab } from './fixtures/views.ts'

test.use({ sharesPanel: true })

const update: Update = {
  version: '1.1.0',
  notes: 'Added\n\nServers that an update stopped are started again.\n\nFixed\n\nA full disk is told.',
  releasedAt: '2026-11-20T10:00:00.000Z',
  size: 98_000_000,
}
const as = (state: UpdateState): Updates => ({
  version: '1.0.0',
  state,
  channel: 'stable',
  automatic: true,
  checkedAt: '2026-11-24T08:00:00.000Z',
})
const choices = {
  tray: true,
  autostart: false,
  keepServers: true,
  alerts: { service: true, started: false, joined: true, left: false, transfers: true, update: true },
}
const DATA = '/home/ann/.local/share/wheelhouse'
const unreachable = { code: 'offline', retryable: true, message: '' } as const

test('@browser the sections of the desktop can be read in both themes, in each state of an update', async ({
  openPanel,
}) => {
  const looks = new Looks()
  const { page } = await openPanel()
  await standInForDesktop(page, {
    'desktop.choices': choices,
    'updates.read': as({ kind: 'available', update }),
    'computer.downloads': { path: '/home/ann/Downloads', isChosen: true, isThere: false },
    'external-editor.list': [
      externalFile('server.properties', { kind: 'found' }, { isGone: true }),
      externalFile(
        'plugins/Essentials/config.yml',
        { kind: 'failed', problem: unreachable },
        { isGone: true },
      ),
    ],
    'updates.install': { kind: 'would-stop', running: { transfers: 1, servers: 2 } },
  })
  await page.reload()
  await page.getByRole('link', { name: 'App settings' }).click()
  await expect(page.getByText('Version 1.1.0 is available')).toBeVisible()
  await looks.at(page, 'desktop settings')
  const section = page.getByRole('region', { name: 'Updates' })
  const states: Record<string, UpdateState> = {
    downloading: { kind: 'downloading', update, received: 31_000_000, rate: 2_400_000 },
    'ready, with a password': { kind: 'ready', update, installs: 'asked' },
    failed: { kind: 'failed', during: 'download', problem: unreachable, update },
    'not installed': { kind: 'not-here', why: 'not-installed' },
    ready: { kind: 'ready', update, installs: 'on-quit' },
  }
  for (const [name, state] of Object.entries(states)) {
    await tell(page, 'updates', as(state))
    await looks.at(page, `updates, ${name}`, section)
  }
  await section.getByRole('button', { name: 'Install and restart' }).click()
  await looks.atDialog(page, 'updates, stop everything')
  looks.expectNothing()
})

test('@browser what a file brings to another computer can be read in both themes', async ({ openPanel }) => {
  const looks = new Looks()
  const { page } = await openPanel()
  await standInForDesktop(page, {
    'desktop.choices': choices,
    'updates.read': as({ kind: 'current' }),
    'computer.downloads': { path: '/home/ann/Downloads', isChosen: false, isThere: true },
    'external-editor.list': [],
    'settings-transfer.save': { path: `${DATA}/wheelhouse-connections.json` },
    'settings-transfer.preview': {
      connections: [
        {
          address: 'https://panel.example.org',
          user: { name: 'Ann', email: 'ann@example.org' },
          outcome: 'new',
        },
        { address: 'https://games.example.net', user: null, outcome: 'known' },
        { address: 'http://far.example.com', user: null, outcome: 'unusable' },
      ],
      settings: { theme: 'dark', language: 'en', timestamps: true, playersOn: 'ask' },
      desktop: true,
    },
  })
  await page.reload()
  await page.getByRole('link', { name: 'App settings' }).click()
  const moving = page.getByRole('region', { name: 'Moving to another computer' })
  await moving.getByRole('button', { name: 'Save to a file' }).click()
  await expect(moving.getByRole('status')).toContainText('wheelhouse-connections.json')
  await looks.at(page, 'moving, saved', moving)
  await moving
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await looks.atDialog(page, 'moving, what it brings')
  looks.expectNothing()
})

test('@browser files in editors of this computer are listed below the files, with what is to be decided', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away')
  const { page } = await openPanel()
  await standInForDesktop(page, { 'external-editor.list': [] })
  await page.reload()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Far away').click()
  await openConsole(page)
  await expect(page.getByRole('button', { name: 'Open in its own window' })).toBeVisible()
  await looks.at(page, 'console, with a way to a window of its own')
  const connectionId = /#\/c\/([^/]+)\//.exec(page.url())?.[1] ?? ''
  const at = { connectionId, serverId }
  const files = [
    externalFile('server.properties', { kind: 'watched' }, { ...at, sentAt: '2026-11-24T08:00:00.000Z' }),
    externalFile('plugins/Essentials/config.yml', { kind: 'conflict', why: 'changed' }, at),
    externalFile('bukkit.yml', { kind: 'conflict', why: 'deleted' }, at),
    externalFile('spigot.yml', { kind: 'waiting', problem: unreachable }, at),
    externalFile('ops.json', { kind: 'read-only' }, at),
  ]
  await answerNow(page, 'external-editor.list', files)
  await tab(page, 'Files').click()
  await expect(page.getByRole('grid')).toBeVisible()
  await tell(page, 'external-files', files)
  const list = page.getByRole('region', { name: 'Open in your own editor' })
  await expect(list.getByRole('listitem')).toHaveCount(files.length)
  await looks.at(page, 'files in editors', list)
  looks.expectNothing()
})

const externalFile = (path: string, state: ExternalFileState, more: Partial<ExternalFile>): ExternalFile => ({
  ...{ id: path, connectionId: 'gone', serverId: 'gone', path, state, isGone: false, sentAt: null },
  ...more,
})

test('@browser while the program waits for its servers, its window says so, and nothing else can be done', async ({
  openPanel,
}) => {
  const looks = new Looks()
  const { page } = await openPanel()
  await standInForDesktop(page, {})
  await page.reload()
  await expect(page.getByRole('link', { name: 'App settings' })).toBeVisible()
  await tell(page, 'closing', 'stop')
  const cover = page.getByRole('dialog', { name: 'Saving worlds…' })
  await expect(cover).toContainText('Wheelhouse closes by itself.')
  await looks.at(page, 'closing')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(cover).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await tell(page, 'closing', 'hand-over')
  await expect(cover).toContainText('start again in the background')
  looks.expectNothing()
})

test('@browser a window that opens only while the program ends says so from its beginning', async ({
  openPanel,
}) => {
  const { page } = await openPanel()
  await page.goto(`${new URL(page.url()).origin}/?closing#/`)
  await expect(page.getByRole('dialog', { name: 'Saving worlds…' })).toBeVisible()
})
