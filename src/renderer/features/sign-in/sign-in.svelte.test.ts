import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { route } from '../../core/routes/router.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import SignIn from './SignIn.svelte'

const connection: Connection = {
  ...{ id: 'a1', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
  ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
}
let signedIn: (connection: Connection) => void

beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<Connection>()
  signedIn = resolve
  window.panel = new ScriptedBridge({
    'account.google-offered': () => ({ ok: true, value: false }),
    'connections.sign-in': async () => ({ ok: true, value: await promise }),
  })
  location.hash = '#/sign-in'
  await expect.poll(route).toMatchObject({ view: 'sign-in' })
  await render(SignIn, { connectionId: null })
  await userEvent.fill(page.getByLabelText('Service address'), connection.baseUrl)
  await userEvent.fill(page.getByLabelText('Email'), 'ada@example.com')
  await userEvent.fill(page.getByLabelText('Password', { exact: true }), 'a good password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
})

it('goes to the service once signed in', async () => {
  signedIn(connection)
  await expect.poll(() => location.hash).toBe('#/c/a1')
})

it('whoever leaves the form meanwhile is signed in and not moved', async () => {
  location.hash = '#/settings'
  await expect.poll(route).toMatchObject({ view: 'settings' })
  signedIn({ ...connection, id: 'a2' })
  await expect.poll(() => panel.connection('a2')).not.toBeNull()
  expect(location.hash).toBe('#/settings')
})
