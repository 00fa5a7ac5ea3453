import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import DownloadsSection from './DownloadsSection.svelte'

const usual = { path: '/home/ann/Downloads', isChosen: false, isThere: true }
const chosen = { path: '/mnt/disk/saved', isChosen: true, isThere: false }
let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'computer.downloads': () => ({ ok: true, value: usual }),
    'computer.choose-downloads': () => ({ ok: true, value: chosen }),
    'computer.usual-downloads': () => ({ ok: true, value: usual }),
  })
  window.panel = way
})
const button = (name: string) => page.getByRole('button', { name })

it('shows where downloads go, says that a chosen folder is gone, and takes the choice back', async () => {
  await render(DownloadsSection)
  await expect.element(page.getByText('/home/ann/Downloads')).toBeVisible()
  await expect.element(button('Use the usual folder')).not.toBeInTheDocument()
  await button('Choose folder…').click()
  await expect.element(page.getByText('/mnt/disk/saved')).toBeVisible()
  await expect.element(page.getByText('This folder is not there.', { exact: false })).toBeVisible()
  await button('Use the usual folder').click()
  await expect.element(page.getByText('/home/ann/Downloads')).toBeVisible()
  await expect.element(button('Choose folder…')).toHaveFocus()
})

it('says where it cannot be read, and is read again', async () => {
  way.answer('computer.downloads', () => ({
    ok: false,
    problem: { code: 'internal', message: 'No.', retryable: true },
  }))
  await render(DownloadsSection)
  await expect.element(page.getByText('The folder for downloads could not be read.')).toBeVisible()
  way.answer('computer.downloads', () => ({ ok: true, value: usual }))
  await button('Try again').click()
  await expect.element(page.getByText('/home/ann/Downloads')).toBeVisible()
})
