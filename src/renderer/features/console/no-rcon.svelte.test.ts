import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Connection, Server } from '../../../contract/bridge/values.ts'
import { panel } from '../../core/panel.svelte.ts'
import Console from './Console.svelte'
import { FixtureMain } from './main.fixture.ts'

it.each([
  { baseUrl: 'sftp://ann@node.example.com', isTold: true },
  { baseUrl: 'https://panel.example.com/api/client', isTold: false },
])('at $baseUrl, a console that takes no commands says why: $isTold', async ({ baseUrl, isTold }) => {
  const server = { connectionId: 'c', serverId: crypto.randomUUID() }
  window.panel = new FixtureMain(server)
  const connection: Connection = {
    ...{ id: 'c', kind: 'host', name: 'node.example.com', baseUrl },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  panel.take(connection)
  const only = { role: ['console.read'] } as unknown as Server
  await render(Console, { server: { ...server, kind: 'online', reach: 'ready', server: only } })
  await expect.element(page.getByRole('status')).toBeVisible()
  expect(page.getByLabelText('Command').query()).toBeNull()
  const said = page.getByText('Commands need RCON, which is off or can’t be reached.')
  if (!isTold) return expect(said.query()).toBeNull()
  await expect.element(said).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Set up commands' }))
    .toHaveAttribute('href', '#/accounts/c')
})
