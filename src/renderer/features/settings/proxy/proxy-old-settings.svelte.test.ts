import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { RuntimeStatus } from '../../../../contract/bridge/values.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { notices } from '../../../ui/feedback/notices.svelte.ts'
import { oldSettings } from './old-settings.svelte.ts'
import ServerSettings from '../ServerSettings.svelte'
import { proxy as section } from '../index.ts'
import { addLobby, at, button, open, shown } from './proxy-settings.fixture.ts'

describe('a proxy that runs with its old settings', () => {
  const old = () => page.getByText('The proxy runs with its old settings', { exact: false })
  const becomes = (to: RuntimeStatus) => {
    at.status = to
    const { value } = shown(to)
    at.way.send('view', {
      ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 'p' }, query: {} },
      now: value,
    })
  }
  const save = async () => {
    await addLobby()
    await button('Save').click()
    await expect.element(button('Save')).not.toBeInTheDocument()
  }

  it('in a container, it is offered its servers by loopback', async () => {
    at.lobby = { ...at.lobby, address: { host: 'games.example', port: 25566 } }
    const option = (text: string) => page.getByRole('option', { name: text, exact: true })
    at.driver = 'process'
    const view = await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.element(option('My Lobby (games.example:25566)')).toBeInTheDocument()
    await view.unmount()
    at.driver = 'docker'
    await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.element(option('My Lobby (127.0.0.1:25566)')).toBeInTheDocument()
  })

  it('is reloaded by whoever may send commands, and not by others', async () => {
    at.role = ['server.read', 'files.read', 'files.write', 'console.send']
    const view = await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await save()
    await expect.element(button('Reload settings')).not.toHaveAttribute('aria-disabled', 'true')
    await view.unmount()
    at.role = ['server.read', 'files.read', 'files.write']
    await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.element(button('Reload settings')).toHaveAttribute('aria-disabled', 'true')
  })

  it.each([
    ['docker', 1],
    ['process', 0],
  ] as const)('as a %s, it is said whether a reload is enough for a new server', async (driver, count) => {
    at.driver = driver
    await open()
    await save()
    await expect.element(old()).toBeVisible()
    const more = page.getByText('servers that you added are reached only after a restart', { exact: false })
    await expect.poll(() => more.elements().length).toBe(count)
  })

  it('is told so also after another page was shown, until it stops', async () => {
    const view = await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await save()
    await expect.element(old()).toBeVisible()
    await view.unmount()
    const again = await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.element(old()).toBeVisible()
    await again.unmount()
    becomes({ status: 'offline' })
    await expect.poll(() => oldSettings({ connectionId: 'c', serverId: 'p' })).toBeUndefined()
    becomes({ status: 'online' })
    await open()
    await expect.element(old()).not.toBeInTheDocument()
  })

  it('is told to restart as long as that was not seen, and no longer where another run is', async () => {
    at.status = { status: 'online', since: '2026-01-01T10:00:00Z' }
    await open()
    await save()
    await expect.element(old()).toBeVisible()
    becomes({ status: 'online', since: '2026-01-01T11:00:00Z' })
    await expect.element(old()).not.toBeInTheDocument()
  })

  it('is not known to be one where it was starting when its settings were saved', async () => {
    at.status = { status: 'starting' }
    await open()
    await save()
    const maybe = page.getByText('so it may run with its old settings', { exact: false })
    await expect.element(maybe).toBeVisible()
    expect(notices().map(({ text }) => text())).toContain(
      'Saved. The proxy is starting, and may run with its old settings.',
    )
    // It takes no commands yet.
    await expect.element(button('Reload settings')).toHaveAttribute('aria-disabled', 'true')
    becomes({ status: 'online' })
    await expect.element(maybe).toBeVisible()
    await expect.element(button('Reload settings')).not.toHaveAttribute('aria-disabled', 'true')
    await button('Reload settings').click()
    await expect.element(maybe).not.toBeInTheDocument()
  })
})
