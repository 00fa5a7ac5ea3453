import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../../app/theme.css'
import type { Connection, RuntimeStatus, Server, View } from '../../../../contract/bridge/values.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedWay } from '../../../core/scripted-way.fixture.ts'
import { ServerState } from '../../../core/server-state.svelte.ts'
import { dismiss, notices } from '../../../ui/notices.svelte.ts'
import { setUp } from './behind-proxy.ts'
import { oldSettings } from './old-settings.svelte.ts'
import ProxySettings from './ProxySettings.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T, tag?: string): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null, ...(tag && { tag }) },
})
const refused = (code: 'changed' | 'not-found') =>
  ({ ok: false, problem: { code, message: '', retryable: false } }) as const

const proxy: Server = {
  ...{ id: 'p', name: 'Gate', role: 'owner', status: 'online' },
  software: { id: 'velocity', proxy: true },
  address: { host: '127.0.0.1', port: 25565 },
}
const lobby: Server = {
  ...{ id: 'l', name: 'My Lobby', role: 'owner', status: 'offline' },
  software: { id: 'paper' },
  address: { host: '127.0.0.1', port: 25566 },
}

let way: ScriptedWay
/** Path → text, as they are at the service; the text is its own entity tag. */
let files: Map<string, string>
let onlineMode: string
/** Of the proxy. */
let role: Server['role']
let status: RuntimeStatus
/** What was written, in order. */
let written: string[]

beforeEach(() => {
  files = new Map([
    ['p/velocity.toml', '# mine\nplayer-info-forwarding-mode = "NONE" # for now\n\n[servers]\ntry = []\n'],
    ['p/forwarding.secret', 'hidden-words\n'],
    ['l/config/paper-global.yml', "# Paper\nproxies:\n  velocity:\n    enabled: false\n    online-mode: true # yes\n    secret: ''\n"], // prettier-ignore
  ])
  onlineMode = 'true'
  role = 'owner'
  status = { status: 'online' }
  written = []
  way = new ScriptedWay({
    'view servers.read': ({ params }) => shown(params.serverId === 'p' ? { ...proxy, role } : lobby),
    'view servers.list': () =>
      shown({ items: [{ ...proxy, role }, lobby], leftOut: [], more: false as const }),
    'view servers.status': () => shown(status),
    'view servers.read-config': () =>
      shown({ name: '', properties: [{ key: 'online-mode', value: onlineMode }] }, onlineMode),
    'send servers.change-config': ({ body, ifMatch }) => {
      if (ifMatch !== onlineMode) return refused('changed')
      onlineMode = String(body.properties![0]!.value)
      written.push('online-mode')
      return { ok: true, value: { name: '' } }
    },
    'files.read-text': ({ serverId, path }) => {
      const text = files.get(`${serverId}/${path}`)
      if (text === undefined) return refused('not-found')
      const content = { kind: 'text' as const, text }
      return { ok: true, value: { path, size: text.length, modifiedAt: null, etag: text, content } }
    },
    'files.write-text': ({ serverId, path, text, base }) => {
      const name = `${serverId}/${path}`
      if (base.kind !== 'etag' || base.etag !== files.get(name)) return refused('changed')
      files.set(name, text)
      written.push(path)
      return { ok: true, value: { etag: text, running: false } }
    },
    'console.command': () => ({ ok: true, value: { lineId: null } }),
  })
  window.panel = way
  panel.take(connection)
})
afterEach(() => {
  oldSettings({ connectionId: 'c', serverId: 'p' })?.forget()
  for (const notice of notices()) dismiss(notice.id)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const file = () => files.get('p/velocity.toml')
async function open(): Promise<void> {
  await render(ProxySettings, { server: new ServerState('c', 'p') })
  await expect.element(field('Server')).toBeVisible()
}
async function addLobby(): Promise<void> {
  await userEvent.selectOptions(field('Server'), 'My Lobby (127.0.0.1:25566)')
  await button('Add server').click()
}

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
      .poll(() => way.called.find(({ name }) => name === 'console.command')?.input)
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
    files.set('p/velocity.toml', `[servers]\n${servers}[forced-hosts]\n${hosts}`)
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
    files.set('p/velocity.toml', file()!.replace('"NONE"', '"legacy"').replace('# mine', '# theirs'))
    await button('Save').click()
    await expect.element(page.getByText('have been changed elsewhere', { exact: false })).toBeVisible()
    await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await button('Mine: modern').click()
    await button('Save').click()
    await expect.poll(file).toContain('my-lobby = "127.0.0.1:25566"')
    expect(file()).toContain('# theirs\nplayer-info-forwarding-mode = "modern" # for now\n')
  })

  it('are set up by one button: first the secret, then the check of players; the secret is never shown', async () => {
    files.set('p/velocity.toml', 'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n')
    await open()
    await expect.element(page.getByText('Not set up for this proxy yet')).toBeVisible()
    await button('Set up').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await expect.element(page.getByText('Takes players from this proxy')).toBeVisible()
    expect(written).toEqual(['config/paper-global.yml', 'online-mode'])
    expect(files.get('l/config/paper-global.yml')).toMatch(
      /^# Paper\nproxies:\n {2}velocity:\n {4}enabled: true\n {4}online-mode: true # yes\n {4}secret: '?hidden-words'?\n$/,
    )
    expect(onlineMode).toBe('false')
    expect(document.body.innerHTML).not.toContain('hidden-words')
  })

  it('say what half of a setting up is done where the rest failed, and are set up again by the same button', async () => {
    files.set('p/velocity.toml', 'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n')
    let fails = true
    const change = async ({ body }: { body: { properties?: readonly { value?: unknown }[] } }) => {
      if (fails) return refused('changed')
      onlineMode = String(body.properties![0]!.value)
      return { ok: true as const, value: { name: '' } }
    }
    way.answer('send servers.change-config', change)
    await open()
    await button('Set up').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await expect.element(page.getByText('Half set up', { exact: false })).toBeVisible()
    await expect.element(page.getByRole('alert')).toBeVisible()
    expect(written).toEqual(['config/paper-global.yml'])
    fails = false
    await button('Set up').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click()
    await expect.element(page.getByText('Takes players from this proxy')).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  it('are looked at again where it was not known how they are set up', async () => {
    files.set('p/velocity.toml', 'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n')
    const secret = files.get('p/forwarding.secret')!
    files.delete('p/forwarding.secret')
    await open()
    await expect.element(page.getByText('isn’t known', { exact: false })).toBeVisible()
    files.set('p/forwarding.secret', secret)
    await button('Try again').click()
    await expect.element(page.getByText('Not set up for this proxy yet')).toBeVisible()
  })

  it('are not set up for a proxy that does not check who players are, and it is said why', async () => {
    files.set('p/velocity.toml', 'online-mode = false\nplayer-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\n') // prettier-ignore
    await open()
    await expect.element(page.getByText('Not set up for this proxy yet')).toBeVisible()
    await expect.element(page.getByText('anybody could join under any name', { exact: false })).toBeVisible()
    await expect.element(button('Set up')).toHaveAttribute('aria-disabled', 'true')
    const known = { onlineMode: false, secretFile: 'forwarding.secret', connectionId: 'c', serverId: 'p' }
    expect(await setUp(known, lobby)).toMatchObject({ kind: 'failed' })
    expect(written).toEqual([])
  })

  it('have the secret read once for all of them, and not for who may set up none', async () => {
    const games: Server = { ...lobby, id: 'g', name: 'Games', address: { host: '127.0.0.1', port: 25567 } }
    way.answer('view servers.list', () =>
      shown({ items: [proxy, lobby, games], leftOut: [], more: false as const }),
    )
    panel.take({ ...connection })
    files.set('g/config/paper-global.yml', files.get('l/config/paper-global.yml')!)
    files.set('p/velocity.toml', 'player-info-forwarding-mode = "modern"\n[servers]\nl = "localhost:25566"\ng = "localhost:25567"\n') // prettier-ignore
    const secretsRead = () =>
      way.called.filter(({ input }) => (input as { path?: string }).path === 'forwarding.secret').length
    const view = await render(ProxySettings, { server: new ServerState('c', 'p') })
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

    way.answer('view servers.list', () =>
      shown({ items: [proxy, { ...lobby, role: ['files.read'] }], leftOut: [], more: false as const }),
    )
    panel.take({ ...connection })
    await open()
    await expect.element(page.getByText('config.read', { exact: false }).first()).toBeVisible()
    expect(secretsRead()).toBe(1)
  })

  it('leave out nobody who comes by an address of its own where no server is a beginning', async () => {
    files.set(
      'p/velocity.toml',
      '[servers]\nl = "localhost:25566"\ntry = []\n[forced-hosts]\n"a.example" = ["l"]\n',
    )
    await open()
    await expect.element(page.getByText('only by the addresses below', { exact: false })).toBeVisible()
  })

  it('say what to do where there is no file yet, where it is damaged, and where a server has never run', async () => {
    files.set('p/velocity.toml', 'player-info-forwarding-mode = "modern"\n[servers]\nl = "127.0.0.1:25566"\n')
    files.delete('l/config/paper-global.yml')
    await open()
    await expect.element(page.getByText('Start it once', { exact: false })).toBeVisible()
    files.set('p/velocity.toml', '[servers')
    const other = await render(ProxySettings, { server: new ServerState('c', 'p') })
    await expect.element(page.getByText('velocity.toml has an error', { exact: false })).toBeVisible()
    await other.unmount()
    files.delete('p/velocity.toml')
    await render(ProxySettings, { server: new ServerState('c', 'p') })
    await expect.element(page.getByText('Start the proxy once', { exact: false })).toBeVisible()
  })
})

describe('a proxy that runs with its old settings', () => {
  const old = () => page.getByText('The proxy runs with its old settings', { exact: false })
  const becomes = (to: RuntimeStatus) => {
    status = to
    const { value } = shown(to)
    way.send('view', {
      ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 'p' }, query: {} },
      now: value,
    })
  }
  const save = async () => {
    await addLobby()
    await button('Save').click()
    await expect.element(button('Save')).not.toBeInTheDocument()
  }

  it('is reloaded by whoever may send commands, and not by others', async () => {
    role = ['server.read', 'files.read', 'files.write', 'console.send']
    const view = await render(ProxySettings, { server: new ServerState('c', 'p') })
    await save()
    await expect.element(button('Reload settings')).not.toHaveAttribute('aria-disabled', 'true')
    await view.unmount()
    role = ['server.read', 'files.read', 'files.write']
    await render(ProxySettings, { server: new ServerState('c', 'p') })
    await expect.element(button('Reload settings')).toHaveAttribute('aria-disabled', 'true')
  })

  it('is told so also after another page was shown, until it stops', async () => {
    const view = await render(ProxySettings, { server: new ServerState('c', 'p') })
    await save()
    await expect.element(old()).toBeVisible()
    await view.unmount()
    const again = await render(ProxySettings, { server: new ServerState('c', 'p') })
    await expect.element(old()).toBeVisible()
    await again.unmount()
    becomes({ status: 'offline' })
    await expect.poll(() => oldSettings({ connectionId: 'c', serverId: 'p' })).toBeUndefined()
    becomes({ status: 'online' })
    await open()
    await expect.element(old()).not.toBeInTheDocument()
  })

  it('is told to restart as long as that was not seen, and no longer where another run is', async () => {
    status = { status: 'online', since: '2026-01-01T10:00:00Z' }
    await open()
    await save()
    await expect.element(old()).toBeVisible()
    becomes({ status: 'online', since: '2026-01-01T11:00:00Z' })
    await expect.element(old()).not.toBeInTheDocument()
  })

  it('is not known to be one where it was starting when its settings were saved', async () => {
    status = { status: 'starting' }
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
