import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Server } from '../../../../contract/bridge/values.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { setUp } from './behind-proxy.ts'
import { oldSettings } from './old-settings.svelte.ts'
import ServerSettings from '../ServerSettings.svelte'
import { proxy as section } from '../index.ts'
import {
  addLobby,
  at,
  button,
  connection,
  field,
  file,
  lobby,
  open,
  proxy,
  refused,
  shown,
} from './proxy-settings.fixture.ts'

describe('the servers behind a proxy', () => {
  it('are picked from the other servers, and the first is where players begin; all else in the file stays', async () => {
    await open()
    await addLobby()
    await userEvent.selectOptions(field('Mode'), 'Modern')
    await field('Address that players enter').fill('Lobby.Example.com')
    await button('Add address').click()
    await button('Save').click()
    await expect
      .poll(file)
      .toBe(
        '# mine\nplayer-info-forwarding-mode = "modern" # for now\n\n[servers]\ntry = ["my-lobby"]\nmy-lobby = "127.0.0.1:25566"\n' +
          '\n[forced-hosts]\n"lobby.example.com" = ["my-lobby"]\n',
      )
    await expect
      .element(page.getByText('or disconnected where there is none', { exact: false }))
      .toBeVisible()
    await button('Reload settings').click()
    await expect
      .poll(() => at.way.called.find(({ name }) => name === 'console.command')?.input)
      .toMatchObject({ serverId: 'p', command: 'velocity reload' })
    await expect.element(button('Reload settings')).not.toBeInTheDocument()
  })

  it('are not saved where Velocity would not start with them, and go with all that names them', async () => {
    await open()
    await addLobby()
    await field('Address of my-lobby').fill('http://x')
    await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await button('Remove my-lobby').click()
    await expect.element(page.getByText('No servers yet.', { exact: false })).toBeVisible()
    await expect.element(button('Save')).not.toBeInTheDocument()
    await field('Name').fill('try')
    await button('Add server').click()
    await expect.element(page.getByText('Use one word', { exact: false })).toBeVisible()
  })

  it('are taken out and moved by keyboard, which stays among them, and last goes to what adds one', async () => {
    const hosts = '"a.example" = ["one", "two"]\n"b.example" = ["two"]\n'
    const servers = 'try = ["one", "two", "three"]\none = "h:1"\ntwo = "h:2"\nthree = "h:3"\n'
    at.files.set('p/velocity.toml', `[servers]\n${servers}[forced-hosts]\n${hosts}`)
    await open()
    const press = async (name: string, key = '{Enter}') => {
      ;(button(name).element() as HTMLElement).focus()
      await userEvent.keyboard(key)
    }
    await press('Move two up')
    await expect.element(button('Move one up')).not.toHaveAttribute('aria-disabled', 'true')
    await expect.element(button('Move two up')).toHaveFocus()
    await press('Don’t lead a.example to one')
    await expect.element(button('Don’t lead a.example to two')).toHaveFocus()
    await press('Remove a.example')
    await expect.element(button('Remove b.example')).toHaveFocus()
    await press('Remove b.example', ' ')
    await expect.element(button('Add address')).toHaveFocus()
    await press('Remove one')
    await expect.element(button('Remove three')).toHaveFocus()
    await press('Remove three')
    await expect.element(button('Remove two')).toHaveFocus()
    await press('Remove two')
    await expect.element(button('Add server')).toHaveFocus()
  })

  it('keep what somebody else changed meanwhile, and ask where both changed the same', async () => {
    await open()
    await addLobby()
    await userEvent.selectOptions(field('Mode'), 'Modern')
    at.files.set('p/velocity.toml', file()!.replace('"NONE"', '"legacy"').replace('# mine', '# theirs'))
    await button('Save').click()
    await expect.element(page.getByText('have been changed elsewhere', { exact: false })).toBeVisible()
    await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await button('Mine: modern').click()
    await button('Save').click()
    await expect.poll(file).toContain('my-lobby = "127.0.0.1:25566"')
    expect(file()).toContain('# theirs\nplayer-info-forwarding-mode = "modern" # for now\n')
  })

  it('are set up by one button: first the secret, then the check of players; the secret is never shown', async () => {
    at.files.set(
      'p/velocity.toml',
      'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n',
    )
    await open()
    await expect.element(page.getByText('Not set up for this proxy yet')).toBeVisible()
    await button('Set up').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await expect.element(page.getByText('Takes players from this proxy')).toBeVisible()
    expect(at.written).toEqual(['config/paper-global.yml', 'online-mode'])
    expect(at.files.get('l/config/paper-global.yml')).toMatch(
      /^# Paper\nproxies:\n {2}velocity:\n {4}enabled: true\n {4}online-mode: true # yes\n {4}secret: '?hidden-words'?\n$/,
    )
    expect(at.onlineMode).toBe('false')
    expect(document.body.innerHTML).not.toContain('hidden-words')
  })

  it('say what half of a setting up is done where the rest failed, and are set up again by the same button', async () => {
    at.files.set(
      'p/velocity.toml',
      'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n',
    )
    let fails = true
    const change = async ({ body }: { body: { properties?: readonly { value?: unknown }[] } }) => {
      if (fails) return refused('changed')
      at.onlineMode = String(body.properties![0]!.value)
      return { ok: true as const, value: { name: '' } }
    }
    at.way.answer('send servers.change-config', change)
    await open()
    await button('Set up').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await expect.element(page.getByText('Half set up', { exact: false })).toBeVisible()
    await expect.element(page.getByRole('alert')).toBeVisible()
    expect(at.written).toEqual(['config/paper-global.yml'])
    fails = false
    await button('Set up').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await expect.element(page.getByText('Takes players from this proxy')).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  it('are looked at again where it was not known how they are set up', async () => {
    at.files.set(
      'p/velocity.toml',
      'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n',
    )
    const secret = at.files.get('p/forwarding.secret')!
    at.files.delete('p/forwarding.secret')
    await open()
    await expect.element(page.getByText('isn’t known', { exact: false })).toBeVisible()
    at.files.set('p/forwarding.secret', secret)
    await button('Try again').click()
    await expect.element(page.getByText('Not set up for this proxy yet')).toBeVisible()
  })

  it('are not set up for a proxy that does not check who players are, and it is said why', async () => {
    at.files.set('p/velocity.toml', 'online-mode = false\nplayer-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n') // prettier-ignore
    await open()
    await expect.element(page.getByText('Not set up for this proxy yet')).toBeVisible()
    await expect.element(page.getByText('anybody could join under any name', { exact: false })).toBeVisible()
    await expect.element(button('Set up')).toHaveAttribute('aria-disabled', 'true')
    const known = { onlineMode: false, secretFile: 'forwarding.secret', connectionId: 'c', serverId: 'p' }
    expect(await setUp(known, lobby)).toMatchObject({ kind: 'failed' })
    expect(at.written).toEqual([])
  })

  it('have the secret read once for all of them, and not for who may set up none', async () => {
    const games: Server = { ...lobby, id: 'g', name: 'Games', address: { host: '127.0.0.1', port: 25567 } }
    at.way.answer('view servers.list', () =>
      shown({ items: [proxy, lobby, games], leftOut: [], more: false as const }),
    )
    panel.take({ ...connection })
    at.files.set('g/config/paper-global.yml', at.files.get('l/config/paper-global.yml')!)
    at.files.set('p/velocity.toml', 'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\ng = "localhost:25567"\n') // prettier-ignore
    const secretsRead = () =>
      at.way.called.filter(({ input }) => (input as { path?: string }).path === 'forwarding.secret').length
    const view = await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.poll(() => page.getByText('Not set up for this proxy yet').elements().length).toBe(2)
    expect(secretsRead()).toBe(1)
    await field('Address that players enter').fill('a.example')
    await button('Add address').click()
    await button('Save').click()
    await expect.element(button('Save')).not.toBeInTheDocument()
    await expect.element(button('Set up').first()).not.toHaveAttribute('aria-disabled', 'true')
    expect(secretsRead()).toBe(1)
    await view.unmount()
    // What was noted of the saving holds the list, too.
    oldSettings({ connectionId: 'c', serverId: 'p' })?.forget()

    at.way.answer('view servers.list', () =>
      shown({ items: [proxy, { ...lobby, role: ['files.read'] }], leftOut: [], more: false as const }),
    )
    await panel.servers('c').again()
    panel.take({ ...connection })
    await open()
    await expect.element(page.getByText('config.read', { exact: false }).first()).toBeVisible()
    expect(secretsRead()).toBe(1)
  })

  it('leave out nobody who comes by an address of its own where no server is a beginning', async () => {
    at.files.set(
      'p/velocity.toml',
      '[servers]\nl = "localhost:25566"\ntry = []\n[forced-hosts]\n"a.example" = ["l"]\n',
    )
    await open()
    await expect.element(page.getByText('only by the addresses below', { exact: false })).toBeVisible()
  })

  it('say what to do where there is no file yet, where it is damaged, and where a server has never run', async () => {
    at.files.set(
      'p/velocity.toml',
      'player-info-forwarding-mode = "modern"\n[servers]\nl = "127.0.0.1:25566"\n',
    )
    at.files.delete('l/config/paper-global.yml')
    await open()
    await expect.element(page.getByText('Start it once', { exact: false })).toBeVisible()
    at.files.set('p/velocity.toml', '[servers')
    const other = await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.element(page.getByText('velocity.toml has an error', { exact: false })).toBeVisible()
    await other.unmount()
    at.files.delete('p/velocity.toml')
    await render(ServerSettings, { server: new ServerState('c', 'p'), sections: [section] })
    await expect.element(page.getByText('Start the proxy once', { exact: false })).toBeVisible()
  })
})
