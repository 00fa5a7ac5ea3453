import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Startup } from '../../../../contract/areas/hosting.ts'
import type { Connection, Server, View } from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import { panel } from '../../../core/panel.svelte.ts'
import { href, useTabs } from '../../../core/routes/route.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../../ui/feedback/notices.svelte.ts'
import { settings, startup } from '../index.ts'
import ServerSettings from '../ServerSettings.svelte'
import './StartupSettings.svelte'

const connection: Connection = {
  ...{
    id: 'c',
    kind: 'host',
    name: 'panel.example',
    baseUrl: 'https://panel.example/api/client',
    user: null,
  },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const all = ['server.read', 'startup.read', 'startup.write', 'startup.image', 'startup.reinstall']

let way: ScriptedBridge
let role: Server['role']
let held: Startup

beforeEach(() => {
  role = all
  held = {
    command: 'java -jar server.jar',
    image: 'x/java:21',
    images: [
      { image: 'x/java:21', name: 'Java 21' },
      { image: 'x/java:17', name: 'Java 17' },
    ],
    variables: [
      {
        key: 'VIEW',
        name: 'View distance',
        value: '10',
        default: '10',
        rules: 'required|integer|between:2,32',
      },
      { key: 'MODE', name: 'Game mode', value: 'survival', rules: 'required|in:survival,creative' },
      { key: 'UPDATE', name: 'Auto update', value: '0', rules: 'required|boolean' },
      { key: 'BUILD', name: 'Build', value: 'latest', editable: false },
    ],
  }
  useTabs([settings.tab, 'overview'], ['startup', 'backups'])
  way = new ScriptedBridge({
    'view servers.read': () => view({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => view({ items: [{ id: 's', name: 'Meadow', role }], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'offline' }),
    'view servers.read-config': () => view({ name: 'Meadow' }),
    'view hosting.startup': () => view(held),
    'send hosting.change-startup': ({ body }) => {
      const values = new Map(body.values.map(({ key, value }) => [key, value]))
      held = {
        ...held,
        variables: held.variables!.map((one) => ({ ...one, value: values.get(one.key) ?? one.value })),
      }
      return { ok: true, value: undefined }
    },
    'send hosting.choose-image': ({ body }) => {
      held = { ...held, image: body.image }
      return { ok: true, value: undefined }
    },
    'send hosting.reinstall': () => ({ ok: true, value: { accepted: true } }),
  })
  window.panel = way
  panel.take(connection)
})
afterEach(() => {
  location.hash = ''
  for (const { id } of notices()) dismiss(id)
})

const open = () => {
  const section = 'startup' as const
  location.hash = href({ view: 'server', connectionId: 'c', serverId: 's', tab: 'settings', section })
  return render(ServerSettings, { server: new ServerState('c', 's'), sections: [startup] })
}
const save = page.getByRole('button', { name: 'Save', exact: true })
const sent = (name: string) =>
  way.called
    .filter((one) => one.name === `send ${name}`)
    .map(({ input }) => (input as { body?: unknown }).body)

it('shows each variable by its rules, and saves those that were changed, and the image', async () => {
  await open()
  await page.getByLabelText('View distance').fill('12')
  await page.getByLabelText('Game mode').selectOptions('creative')
  await page.getByRole('switch', { name: 'Auto update' }).click()
  await page.getByLabelText('Java version').selectOptions('Java 17')
  await expect.element(page.getByLabelText('Build')).toHaveAttribute('readonly')
  await expect.element(page.getByText(/Your host decides this\./)).toBeVisible()
  await expect.element(page.getByText('4 unsaved changes')).toBeVisible()
  await save.click()
  await expect.element(save).not.toBeInTheDocument()
  expect(sent('hosting.choose-image')).toEqual([{ image: 'x/java:17' }])
  expect(sent('hosting.change-startup')).toEqual([
    {
      values: [
        { key: 'VIEW', value: '12' },
        { key: 'MODE', value: 'creative' },
        { key: 'UPDATE', value: '1' },
      ],
    },
  ])
})

it('sends nothing that its rules refuse, and shows what the host refuses at its field', async () => {
  await open()
  const distance = page.getByLabelText('View distance')
  await distance.fill('99')
  await expect.element(page.getByText(/Use at most 32\./)).toBeVisible()
  await save.click({ force: true })
  expect(sent('hosting.change-startup')).toEqual([])
  const message = 'The panel refused.'
  const fields = { VIEW: ['The view distance is too far.'] }
  way.answer('send hosting.change-startup', () => ({
    ok: false,
    problem: { code: 'invalid', message, retryable: false, fields },
  }))
  await distance.fill('30')
  await save.click()
  await expect.element(page.getByText(/The view distance is too far\./)).toBeVisible()
  await expect.element(distance).toHaveValue('30')
  await expect.element(page.getByText(message)).not.toBeInTheDocument()
  await distance.fill('11')
  await expect.element(page.getByText(/The view distance is too far\./)).not.toBeInTheDocument()
})

it('is read only for whom the host lets see it', async () => {
  role = ['server.read', 'startup.read']
  held.image = 'own/image'
  await open()
  await expect.element(page.getByLabelText('View distance')).toHaveAttribute('readonly')
  await expect.element(page.getByText('own/image')).toBeVisible()
  await expect.element(page.getByText(/Your host chose this image/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reinstall…' })).not.toBeInTheDocument()
})

it('says what reinstalling does before it is asked for, and where a backup is made', async () => {
  await open()
  await page.getByRole('button', { name: 'Reinstall…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reinstall Meadow?' })
  await expect.element(dialog).toMatchTextContent(/This can’t be undone\./)
  await expect.element(dialog.getByRole('link', { name: 'Go to backups' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(sent('hosting.reinstall')).toEqual([])
  await page.getByRole('button', { name: 'Reinstall…' }).click()
  await dialog.getByRole('button', { name: 'Reinstall' }).click()
  await expect.poll(() => sent('hosting.reinstall')).toHaveLength(1)
  await expect.element(dialog).not.toBeInTheDocument()
})
