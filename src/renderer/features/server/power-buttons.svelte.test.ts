import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import '../../app/theme.css'
import '../../messages/en.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { powerQuestion } from '../../core/servers/power-question.svelte.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import type { StatusKind } from '../../core/servers/status.ts'
import PowerButtons from './PowerButtons.svelte'

const at = (kind: StatusKind, role: 'owner' | string[] = 'owner') =>
  ({
    ...{
      connectionId: 'c',
      serverId: 's',
      kind,
      status: kind,
      reach: 'ready',
      cancels: false,
      players: null,
    },
    server: { id: 's', name: 'Survival', status: kind, role },
  }) as unknown as ServerState
const shown = () =>
  page
    .getByRole('button')
    .elements()
    .map((one) => one.textContent?.trim() || one.ariaLabel)

test('one primary that changes, Restart while it runs, Kill in the menu', async () => {
  window.panel = new ScriptedBridge({})
  document.body.append(document.createElement('main'))
  const { rerender } = await render(PowerButtons, { server: at('offline') })
  await expect.poll(shown).toEqual(['Start'])
  await rerender({ server: at('online') })
  await expect.poll(shown).toEqual(['Stop', 'Restart', 'More actions'])
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Kill' }).click()
  await expect.poll(powerQuestion).toMatchObject({ action: 'kill', mayWarn: false })
  powerQuestion()?.answer(null)
  await rerender({ server: at('online', ['control.stop', 'control.start']) })
  await expect.poll(shown).toEqual(['Stop', 'Restart'])
  await rerender({ server: at('offline', ['console.read']) })
  await expect.poll(shown).toEqual([])
})

test('what a role does not allow is not offered', async () => {
  window.panel = new ScriptedBridge({})
  const { rerender } = await render(PowerButtons, { server: at('online', ['server.read', 'control.stop']) })
  await expect.poll(shown).toEqual(['Stop'])
  await rerender({ server: at('online', ['server.read']) })
  await expect.element(page.getByRole('group', { name: 'Power' })).not.toBeInTheDocument()
})

test('Kill stands by itself once stopping takes too long', async () => {
  vi.useFakeTimers()
  window.panel = new ScriptedBridge({})
  await render(PowerButtons, { server: at('stopping') })
  expect(page.getByRole('button', { name: 'Kill' }).elements()).toHaveLength(0)
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  await expect.element(page.getByRole('button', { name: 'Kill' })).toBeVisible()
})
