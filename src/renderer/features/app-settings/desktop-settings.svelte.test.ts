import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import type { DesktopChoices } from '../../../contract/bridge/desktop-calls.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import DesktopSettings from './DesktopSettings.svelte'

let choices: DesktopChoices
let way: ScriptedBridge
beforeEach(() => {
  choices = {
    tray: false,
    autostart: false,
    keepServers: false,
    alerts: { service: true, started: true, joined: false, left: false, transfers: true, update: true },
  }
  way = new ScriptedBridge({
    'desktop.choices': () => ({ ok: true, value: choices }),
    'desktop.choose': () => ({ ok: true, value: choices }),
  })
  window.panel = way
})
const box = (name: string) => page.getByRole('checkbox', { name })
const chosen = () => way.called.filter(({ name }) => name === 'desktop.choose').map(({ input }) => input)

it('shows what is chosen, and sends each choice by itself', async () => {
  await render(DesktopSettings)
  await expect.element(box('A server has started')).toBeChecked()
  choices = { ...choices, tray: true }
  await box('Keep running in the tray when the window is closed').click()
  await expect.element(box('Keep running in the tray when the window is closed')).toBeChecked()
  choices = { ...choices, alerts: { ...choices.alerts, update: false } }
  await box('An update is ready').click()
  await expect.element(box('An update is ready')).not.toBeChecked()
  expect(chosen()).toEqual([{ tray: true }, { alerts: { update: false } }])
})

it('says what the desktop does not have', async () => {
  choices = { ...choices, tray: true, lacks: ['tray', 'notifications'] }
  await render(DesktopSettings)
  await expect.element(page.getByText(/Your desktop has no tray/)).toBeVisible()
  await expect.element(page.getByText(/nothing that shows notifications/)).toBeVisible()
  way.send('desktop', { ...choices, lacks: [] })
  await expect.element(page.getByText(/Your desktop has no tray/)).not.toBeInTheDocument()
})

it('a choice that is refused is not shown as made', async () => {
  await render(DesktopSettings)
  way.answer('desktop.choose', () => ({
    ok: false,
    problem: { code: 'unavailable', message: 'Not here.', retryable: false },
  }))
  await box('Start with the system').click()
  await expect.poll(chosen).toHaveLength(1)
  await expect.element(box('Start with the system')).not.toBeChecked()
})

it('says where it cannot be read, and is read again', async () => {
  way.answer('desktop.choices', () => ({
    ok: false,
    problem: { code: 'internal', message: 'No.', retryable: true },
  }))
  await render(DesktopSettings)
  await expect.element(page.getByText('These settings could not be read.')).toBeVisible()
  way.answer('desktop.choices', () => ({ ok: true, value: choices }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(box('An update is ready')).toBeChecked()
})
