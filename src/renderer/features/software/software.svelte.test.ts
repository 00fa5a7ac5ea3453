import { tick } from 'svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, RuntimeStatus, Server, View } from '../../../contract/bridge/values.ts'
import type { ViewValue } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import './ResetServer.svelte'
import SoftwareView from './SoftwareView.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const at = { connectionId: 'c', params: { serverId: 's' } }
const EULA = { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' }
const versions = (...ids: string[]) => ids.map((id) => ({ id, channel: 'release' as const }))

let way: ScriptedBridge
let server: Server
let status: RuntimeStatus
let installed: ViewValue<'software.read'>
let plan: object
let builds: ViewValue<'software.builds'>['items']

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const failed = (code: 'unavailable' | 'conflict', message: string) => ({
  ok: true as const,
  value: { value: null, asOf: null, stale: true, problem: { code, message, retryable: false } },
})

beforeEach(() => {
  const software = { id: 'paper', name: 'Paper', version: '1.20.4' }
  server = { id: 's', name: 'Meadow', role: 'owner', software }
  status = { status: 'offline' }
  installed = {
    ...{ ...software, build: '499' },
    copy: {
      ...{ at: '2026-11-23T12:00:00Z', reason: 'change', bytes: 3 * 1024 * 1024 },
      software: { id: 'paper', name: 'Paper', version: '1.20.2' },
    },
  }
  builds = []
  plan = {
    items: [{ kind: 'newer-version', from: '1.20.4', to: '1.20.6' }],
    copyBytes: 1000,
    freeBytes: 9000,
  }
  const catalog = [
    { id: 'paper', name: 'Paper', license: EULA, versions: versions('1.20.6', '1.20.4') },
    { id: 'velocity', name: 'Velocity', versions: versions('3.4.0') },
  ]
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view(status),
    'view software.list': () => view({ items: catalog, leftOut: [], more: false }),
    'view software.read': () => view(installed),
    'view software.plan': () => view(plan),
    'view software.builds': () => view({ items: builds, leftOut: [], more: false }),
    'send software.change': () => ({ ok: true, value: { accepted: true } }),
    'send software.undo': () => ({ ok: true, value: { accepted: true } }),
    'send software.forget-copy': () => ({ ok: true, value: undefined }),
    'servers.reset': () => ({ ok: true, value: undefined }) as never,
  })
  window.panel = way
  panel.take(connection)
  for (const { id } of notices()) dismiss(id)
})

const open = () => render(SoftwareView, { server: new ServerState('c', 's') })
const openChange = async () => {
  const drawn = await open()
  await button('Change…').click()
  return drawn
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = () => page.getByRole('dialog')
const sent = (name: string) => way.called.filter((one) => one.name === name).map(({ input }) => input)

describe('the build of a server', () => {
  beforeEach(() => {
    plan = { items: [{ kind: 'same-version' }], build: '501' }
    builds = [
      { id: '502', channel: 'experimental', changes: ['Try something'] },
      {
        id: '501',
        channel: 'release',
        releasedAt: '2026-11-20T12:00:00Z',
        changes: ['Mend beds', 'Mend hoppers'],
      },
      { id: '500', channel: 'release', changes: ['Mend doors'] },
      { id: '499', channel: 'release', changes: ['Long known'] },
      { id: '498', channel: 'release', changes: [] },
    ]
  })

  it('is the newest stable one unless another is chosen, and what changes up to it stands there before', async () => {
    await openChange()
    await expect.element(page.getByRole('heading', { name: 'Changes from build 499 to 501' })).toBeVisible()
    for (const line of ['Mend beds', 'Mend hoppers', 'Mend doors'])
      await expect.element(page.getByText(line)).toBeVisible()
    expect(page.getByText('Long known').query()).toBeNull()
    expect(page.getByText('Try something').query()).toBeNull()
    await button('Install the newest build').click()
    await expect
      .poll(() => sent('send software.change'))
      .toMatchObject([{ body: { id: 'paper', version: '1.20.4' } }])
    expect(sent('send software.change')[0]).not.toHaveProperty('body.build')
  })

  it('that is installed and the newest is said to be it, and nothing else', async () => {
    installed = { ...installed, build: '501' }
    await openChange()
    await expect.element(page.getByText('You have the newest build.')).toBeVisible()
    await expect.element(button('Install build 501 again')).toBeVisible()
    expect(page.getByText(/is installed in its place/).query()).toBeNull()
  })

  it('can be chosen, is sent, and is said to stay', async () => {
    await openChange()
    await page.getByLabelText('Build').selectOptions('500')
    await expect.element(page.getByRole('heading', { name: 'Changes from build 499 to 500' })).toBeVisible()
    expect(page.getByText('Mend beds').query()).toBeNull()
    await expect.element(page.getByText('This build stays until you choose another.')).toBeVisible()
    await expect.element(page.getByText(/Build 500 is installed in its place\./)).toBeVisible()
    await button('Install build 500').click()
    await expect.poll(() => sent('send software.change')).toMatchObject([{ body: { build: '500' } }])
  })

  it('stays as it is chosen where the connection was lost meanwhile', async () => {
    await openChange()
    await page.getByLabelText('Build').selectOptions('500')
    await expect.element(button('Install build 500')).toBeVisible()
    const asked = () => way.called.filter(({ name }) => name === 'view software.builds').length
    const before = asked()
    panel.take({ ...connection, state: { kind: 'starting' } })
    await expect.poll(asked).toBe(before + 1)
    panel.take(connection)
    await expect.poll(asked).toBe(before + 2)
    await expect.element(page.getByLabelText('Build')).toHaveValue('500')
  })

  it('that is the newest is not called stable where no build is', async () => {
    builds = [{ id: '502', channel: 'experimental' }]
    await openChange()
    await expect.element(page.getByRole('option', { name: 'Newest (502, experimental)' })).toBeInTheDocument()
  })

  it('that was chosen before is chosen again, and an older one is said to be older', async () => {
    installed = { ...installed, pinned: true }
    await openChange()
    await expect.element(page.getByText('Build 499 (chosen)')).toBeVisible()
    await expect.element(page.getByLabelText('Build')).toHaveValue('499')
    await expect.element(page.getByText('Build 499 is already installed.')).toBeVisible()
    await expect.element(button('Install build 499 again')).toBeVisible()
    await page.getByLabelText('Build').selectOptions('498')
    await expect.element(page.getByText('This build is older than the installed one, 499.')).toBeVisible()
  })
})

describe('the software of a server', () => {
  it('is told with its build; what another version would do stands there before it is begun', async () => {
    await openChange()
    await expect.element(page.getByText('Build 499')).toBeVisible()
    await expect.element(page.getByText('Paper 1.20.6 is available')).toBeVisible()
    // Nothing is chosen yet.
    await expect.element(button('Install the newest build')).toBeVisible()
    expect(page.getByRole('heading', { name: 'What will happen' }).query()).toBeNull()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    await expect.element(page.getByText(/converted from 1\.20\.4 to 1\.20\.6/)).toBeVisible()
    await button('Change to Paper 1.20.6').click()
    await expect
      .poll(() => sent('send software.change'))
      .toMatchObject([{ ...at, body: { id: 'paper', version: '1.20.6' } }])
    await expect
      .poll(() => notices()[0]?.text())
      .toBe('The change has started. The console shows the progress.')
  })

  it('is no longer offered another version once it was changed', async () => {
    await openChange()
    const form = page.getByRole('region', { name: 'Change software or version' })
    await expect.element(form).toBeVisible()
    const now = (value: RuntimeStatus) =>
      way.send('view', {
        ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
        now: view(value).value,
      })
    now({ status: 'installing' })
    await tick()
    now({ status: 'offline' })
    await expect.element(form).not.toBeInTheDocument()
  })

  it('an older version that cannot open the world is amber, and changed to only after a question', async () => {
    plan = { items: [{ kind: 'older-version', from: '1.20.9', to: '1.20.6' }] }
    await openChange()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    await expect.element(page.getByText(/older and can’t open it/)).toBeVisible()
    await button('Change anyway').click()
    expect(sent('send software.change')).toEqual([])
    await expect.element(dialog()).toMatchTextContent(/can’t open it/)
    await dialog().getByRole('button', { name: 'Change anyway' }).click()
    await expect.poll(() => sent('send software.change')).toMatchObject([{ body: { version: '1.20.6' } }])
    expect(sent('send software.change')[0]).not.toHaveProperty('body.newWorld')
  })

  it('offers a new world with it where the service can make one', async () => {
    plan = { items: [{ kind: 'older-version', from: '1.20.9', to: '1.20.6' }], takesNewWorld: true }
    await openChange()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    await button('Change anyway').click()
    await expect.element(dialog().getByRole('checkbox', { name: /^Start with a new world/ })).toBeChecked()
    await dialog().getByRole('button', { name: 'Change anyway' }).click()
    await expect.poll(() => sent('send software.change')).toMatchObject([{ body: { newWorld: true } }])
  })

  it('is up to date where it has the newest build of the version that is recommended', async () => {
    installed = { ...installed, version: '1.20.6', build: '7' }
    builds = [{ id: '7', channel: 'release' }]
    await open()
    await expect.element(page.getByText('Up to date')).toBeVisible()
    expect(page.getByLabelText('Version').query()).toBeNull()
    builds = [{ id: '8', channel: 'release' }, ...builds]
    await open()
    await expect.element(page.getByText('Build 8 is available')).toBeVisible()
  })

  it('names the mods that do not fit another version with what is wrong, and counts the others', async () => {
    const wrong = (wants: string) => [{ kind: 'wrong-version', name: 'minecraft', wants }]
    const others = Array.from({ length: 19 }, (_, at) => ({ name: `Mod ${at}`, problems: wrong('1.20.4') }))
    plan = {
      ...plan,
      items: [
        {
          ...{ kind: 'mods-unfit', count: 25 },
          extensions: [{ name: 'Lithium', version: '0.11', problems: wrong('~1.20.4') }, ...others],
        },
        {
          kind: 'plugins-stop',
          count: 1,
          extensions: [{ name: 'Shop', problems: [{ kind: 'wrong-software' }] }],
        },
      ],
    }
    await openChange()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    // One name stands there; twenty are opened.
    await expect.element(page.getByText('Shop')).toBeVisible()
    await expect.element(page.getByText('Made for other server software')).not.toBeInTheDocument()
    await expect.element(page.getByText('Lithium')).not.toBeVisible()
    await page.getByText(/^25 mods don’t fit Paper 1\.20\.6\./).click()
    await expect.element(page.getByText('Lithium')).toBeVisible()
    await expect.element(page.getByText('0.11')).toBeVisible()
    await expect.element(page.getByText('Made for Minecraft ~1.20.4')).toBeVisible()
    await expect.element(page.getByText('and 5 more')).toBeVisible()
  })

  it('is not changed where the copy has no room, and says what is missing', async () => {
    plan = { items: [{ kind: 'no-room' }], copyBytes: 9000, freeBytes: 1000 }
    await openChange()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    await expect.element(button('Change to Paper 1.20.6')).toHaveAttribute('aria-disabled', 'true')
    await expect
      .element(page.getByText(/^The backup needs .*, but the service’s disk has only/))
      .toBeVisible()
    expect(sent('send software.change')).toEqual([])
  })

  it('is changed by nobody while the server runs, and by nobody without the permission', async () => {
    status = { status: 'online' }
    const drawn = await openChange()
    await button(/^Install the newest build/).hover()
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('Stop the server first.')
    await drawn.unmount()
    status = { status: 'offline' }
    server = { ...server, role: ['server.read'] }
    await openChange()
    await expect.element(button(/^Install the newest build/)).toHaveAttribute('aria-disabled', 'true')
    expect(button('Reset server').query()).toBeNull()
  })

  it('can be gone back from, which asks first', async () => {
    await open()
    await button('Go back to Paper 1.20.2').click()
    expect(sent('send software.undo')).toEqual([])
    await dialog().getByRole('button', { name: 'Go back to Paper 1.20.2' }).click()
    await expect.poll(() => sent('send software.undo')).toMatchObject([at])
    await expect.poll(() => dialog().query()).toBeNull()
  })

  it('says so where the catalog cannot be read or is not offered; what runs is told all the same', async () => {
    way.answer('view software.list', () => failed('conflict', 'No.') as never)
    const drawn = await open()
    await expect.element(page.getByText('The catalog couldn’t be loaded')).toBeVisible()
    await expect.element(page.getByText('Paper 1.20.4').first()).toBeVisible()
    await drawn.unmount()
    way.answer('view software.list', () => failed('unavailable', 'No.') as never)
    await open()
    await expect.element(page.getByText('The catalog couldn’t be loaded')).not.toBeInTheDocument()
    await expect.element(button('Reset server')).toBeVisible()
  })

  it('is reset after a question that says what stays', async () => {
    await open()
    await button('Reset server').click()
    await dialog().getByRole('checkbox').first().click()
    await dialog().getByRole('button', { name: 'Reset the server' }).click()
    await expect
      .poll(() => sent('servers.reset'))
      .toMatchObject([{ connectionId: 'c', serverId: 's', keep: ['extensions', 'players', 'files'] }])
  })
})
