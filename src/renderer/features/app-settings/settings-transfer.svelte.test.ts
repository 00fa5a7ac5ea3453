import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import SettingsTransfer from './SettingsTransfer.svelte'

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'settings-transfer.save': () => ({ ok: true, value: { path: '/downloads/wheelhouse-settings.json' } }),
    'settings-transfer.preview': () => ({
      ok: true,
      value: {
        connections: [
          {
            address: 'https://a.example/api/v1',
            user: { name: null, email: 'ann@x.example' },
            outcome: 'new',
          },
          { address: 'ftp://b.example', user: null, outcome: 'unusable' },
        ],
        settings: { theme: 'dark', language: 'en', timestamps: true, playersOn: 'ask' },
        desktop: false,
      },
    }),
    'settings-transfer.bring': () => ({ ok: true, value: { added: 1 } }),
  })
  window.panel = way
})
const button = (name: string) => page.getByRole('button', { name, exact: true })
const called = () => way.called.map(({ name, input }) => [name, input])

async function pick(content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('input[type=file]')!
  const chosen = new DataTransfer()
  chosen.items.add(new File([content], 'wheelhouse-settings.json'))
  field.files = chosen.files
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

it('saves a file and says where', async () => {
  await render(SettingsTransfer)
  await button('Save to a file').click()
  await expect.element(page.getByText('Saved as /downloads/wheelhouse-settings.json.')).toBeVisible()
})

it('shows what a file brings before anything is changed, and takes over what is wanted', async () => {
  await render(SettingsTransfer)
  await pick('the file')
  const rows = page.getByRole('list', { name: 'Services' }).getByRole('listitem')
  await expect.element(rows.nth(0)).toHaveTextContent('https://a.example/api/v1 ann@x.example new')
  await expect.element(rows.nth(1)).toHaveTextContent('ftp://b.example left out: not a usable address')
  expect(called()).toEqual([['settings-transfer.preview', { text: 'the file' }]])
  await page.getByRole('checkbox').click()
  await button('Import').click()
  await expect.poll(called).toContainEqual(['settings-transfer.bring', { text: 'the file', settings: false }])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('reads no file that is far too large', async () => {
  await render(SettingsTransfer)
  await pick(new Uint8Array(4_000_001))
  await expect
    .element(page.getByText('This file is too large to be one of Wheelhouse settings.'))
    .toBeVisible()
  expect(called()).toEqual([])
})
