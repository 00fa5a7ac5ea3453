import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, RuntimeStatus, Server, View } from '../../../contract/bridge/values.ts'
import type { ViewValue } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import { ServerState } from '../../core/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/notices.svelte.ts'
import './ResetServer.svelte'
import SoftwareView from './SoftwareView.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const at = { connectionId: 'c', params: { serverId: 's' } }
const EULA = { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' }
const versions = (...ids: string[]) => ids.map((id) => ({ id, channel: 'release' as const }))

let way: ScriptedWay
let server: Server
let status: RuntimeStatus
let installed: ViewValue<'software.read'>
let plan: object

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
  plan = {
    items: [{ kind: 'newer-version', from: '1.20.4', to: '1.20.6' }],
    copyBytes: 1000,
    freeBytes: 9000,
  }
  const catalogue = [
    { id: 'paper', name: 'Paper', license: EULA, versions: versions('1.20.6', '1.20.4') },
    { id: 'velocity', name: 'Velocity', versions: versions('3.4.0') },
  ]
  way = new ScriptedWay({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view(status),
    'view software.list': () => view({ items: catalogue, leftOut: [], more: false }),
    'view software.read': () => view(installed),
    'view software.plan': () => view(plan),
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
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = () => page.getByRole('dialog')
const sent = (name: string) => way.called.filter((one) => one.name === name).map(({ input }) => input)

describe('the software of a server', () => {
  it('is told with its build; what another version would do stands there before it is begun', async () => {
    await open()
    await expect.element(page.getByText('499')).toBeVisible()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    await expect.element(page.getByText(/converted from 1\.20\.4 to 1\.20\.6/)).toBeVisible()
    await button('Change to Paper 1.20.6').click()
    await expect
      .poll(() => sent('send software.change'))
      .toMatchObject([{ ...at, body: { id: 'paper', version: '1.20.6' } }])
    await expect
      .poll(() => notices()[0]?.text())
      .toBe('The change has begun. The console shows the progress.')
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
    await open()
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
    await open()
    await page.getByLabelText('Version').selectOptions('1.20.6')
    await expect.element(button('Change to Paper 1.20.6')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(page.getByText(/^The copy needs .*, but the service’s disk has only/)).toBeVisible()
    expect(sent('send software.change')).toEqual([])
  })

  it('is changed by nobody while the server runs, and by nobody without the permission', async () => {
    status = { status: 'online' }
    const drawn = await open()
    await button(/^Install the newest build/).hover()
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('Stop the server first.')
    await drawn.unmount()
    status = { status: 'offline' }
    server = { ...server, role: ['server.read'] }
    await open()
    await expect.element(button(/^Install the newest build/)).toHaveAttribute('aria-disabled', 'true')
    await expect.element(button('Reset server')).toHaveAttribute('aria-disabled', 'true')
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
    await expect.element(page.getByText('1.20.4').first()).toBeVisible()
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
