import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type { Update, UpdateState, Updates } from '../../../contract/bridge/update-calls.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import UpdatesSection from './UpdatesSection.svelte'

const update: Update = {
  ...{
    version: '1.1.0',
    notes: 'Tray and alerts',
    releasedAt: '2026-11-20T10:00:00.000Z',
    size: 1024 * 1024,
  },
}
const shown = (state: UpdateState): Updates => ({
  ...{ version: '1.0.0', state, channel: 'stable', automatic: true, checkedAt: null },
})

let way: ScriptedBridge
let state: UpdateState

beforeEach(async () => {
  state = { kind: 'current' }
  const now = () => ({ ok: true, value: shown(state) }) as const
  way = new ScriptedBridge({
    'updates.read': now,
    'updates.check': () => ((state = { kind: 'available', update }), now()),
    'updates.download': () => (
      (state = { kind: 'downloading', update, received: 512 * 1024, rate: 1024 }),
      now()
    ),
    'updates.cancel-download': () => ((state = { kind: 'available', update }), now()),
    'updates.change': ({ channel }) => ({
      ok: true,
      value: { ...shown(state), channel: channel ?? 'stable' },
    }),
    'updates.install': ({ stop }) => ({
      ok: true,
      value: stop ? { kind: 'installing' } : { kind: 'would-stop', running: { transfers: 1, servers: 2 } },
    }),
  })
  window.panel = way
  await useLanguage('en')
})

it('leads from looking to the download, and shows how far that is and what it brings', async () => {
  await render(UpdatesSection)
  await expect.element(page.getByRole('status')).toMatchTextContent(/Wheelhouse is up to date\./)
  await page.getByRole('button', { name: 'Check for updates' }).click()
  await expect.element(page.getByRole('status')).toMatchTextContent(/Version 1\.1\.0 is available\./)
  await page.getByText('What’s new in 1.1.0').click()
  await expect.element(page.getByText('Tray and alerts')).toBeVisible()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
  way.send('updates', shown({ kind: 'ready', update, installs: 'on-quit' }))
  await expect.element(page.getByRole('status')).toMatchTextContent(/installed when you close Wheelhouse/)
})

it('asks before servers are stopped for it', async () => {
  state = { kind: 'ready', update, installs: 'on-quit' }
  await render(UpdatesSection)
  const install = page.getByRole('button', { name: 'Install and restart' })
  await install.click()
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(/2 servers are running on this computer\./)
  await page.getByRole('button', { name: 'Stop and install' }).click()
  await expect
    .poll(() => way.called.filter(({ name }) => name === 'updates.install').map(({ input }) => input))
    .toEqual([{ stop: false }, { stop: true }])
})

it('says in German why a download failed, and offers it again', async () => {
  await useLanguage('de')
  state = {
    ...{ kind: 'failed', during: 'download', update },
    problem: {
      ...{ code: 'too-large', message: 'full', retryable: false, serviceCode: 'computer.update' },
      text: { key: 'update.disk-full' },
    },
  }
  await render(UpdatesSection)
  await expect.element(page.getByRole('alert')).toMatchTextContent(/nicht genug Speicherplatz/)
  await expect.element(page.getByRole('button', { name: 'Herunterladen' })).toBeVisible()
})

it('offers nothing where the panel is not updated by itself', async () => {
  state = { kind: 'not-here', why: 'no-feed' }
  await render(UpdatesSection)
  await expect.element(page.getByRole('status')).toMatchTextContent(/names no place to get updates from/)
  expect(document.querySelectorAll('button, select, input')).toHaveLength(0)
})
