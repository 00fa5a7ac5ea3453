import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page } from 'vitest/browser'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import AboutHelp from './AboutHelp.svelte'

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'diagnostics.read': ({ hosts }) => ({
      ok: true,
      value: hosts
        ? { id: 'two', text: 'service 1: panel.example', crashes: 2 }
        : { id: 'one', text: 'service 1: ready', crashes: 0 },
    }),
    'diagnostics.save': () => ({ ok: true, value: { path: '/downloads/wheelhouse-diagnostics.txt' } }),
  })
  window.panel = way
})
const button = (name: string) => page.getByRole('button', { name, exact: true })
const text = () => page.getByRole('region', { name: 'The diagnostics as text' })

it('gathers nothing before it is asked to, shows what it has, and saves what was shown', async () => {
  await render(AboutHelp)
  expect(way.called).toEqual([])
  await button('Show diagnostics').click()
  await expect.element(text()).toHaveTextContent('service 1: ready')
  await expect.element(page.getByText(/never sent\. There are none right now/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Include the host names of services' }).click()
  await expect.element(text()).toHaveTextContent('service 1: panel.example')
  await expect.element(page.getByText(/2 are kept in the folder/)).toBeVisible()
  await button('Save as file').click()
  await expect.element(page.getByText('Saved as /downloads/wheelhouse-diagnostics.txt.')).toBeVisible()
  expect(way.called.map(({ input }) => input)).toEqual([{ hosts: false }, { hosts: true }, { id: 'two' }])
})

it('says where it could not be gathered, and tries again', async () => {
  way.answer('diagnostics.read', () => ({
    ok: false,
    problem: { code: 'internal', message: 'No.', retryable: true },
  }))
  await render(AboutHelp)
  await button('Show diagnostics').click()
  await expect.element(page.getByText('The diagnostics could not be gathered.')).toBeVisible()
  await expect.element(button('Copy diagnostics')).not.toBeInTheDocument()
  way.answer('diagnostics.read', () => ({ ok: true, value: { id: 'x', text: 'now', crashes: null } }))
  await button('Try again').click()
  await expect.element(text()).toHaveTextContent('now')
})
