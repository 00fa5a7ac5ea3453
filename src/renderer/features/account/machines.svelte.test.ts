import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { MachineList } from '../../../contract/bridge/machine-calls.ts'
import type { Connection } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Account from './Account.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'host', name: 'panel.example.com', baseUrl: 'https://panel.example.com/api/client' },
  ...{ user: { name: 'steve', email: null }, tokenKept: 'keychain', expiresAt: null },
  state: { kind: 'ready' },
}
const met = { machine: 'node1.example.com:2022', hostKey: 'ssh-ed25519 SHA256:one' }
const other = { machine: 'node2.example.com:2022', hostKey: 'ssh-ed25519 SHA256:two' }
const silent = { machine: 'node3.example.com:2022', hostKey: null }

let way: ScriptedBridge
let password: MachineList['password']
let kept: MachineList['machines']
beforeEach(() => {
  password = 'none'
  kept = [met, { ...other, hostKey: null }, silent]
  way = new ScriptedBridge({
    'view account.me': () => ({
      ok: true,
      value: { value: { name: 'steve' }, asOf: '2026-01-01T00:00:00Z', stale: false, problem: null },
    }),
    'connections.machines': ({ meets }) => ({
      ok: true,
      value: { machines: meets ? [met, other, silent] : kept, password },
    }),
    'connections.enter-machines': ({ password: sent }) => {
      if (sent !== 'right') {
        const fields = { password: ['The machine did not take it.'] }
        const message = 'The machine did not take it.'
        return { ok: false, problem: { code: 'invalid', message, retryable: false, fields } }
      }
      password = 'kept'
      return { ok: true, value: undefined }
    },
    'connections.forget-machine': ({ machine }) => {
      kept = kept.map((one) => (one.machine === machine ? { machine, hostKey: null } : one))
      return { ok: true, value: undefined }
    },
    'connections.forget-machine-password': () => {
      password = 'none'
      return { ok: true, value: undefined }
    },
  })
  window.panel = way
  panel.take(connection)
})

const sent = (name: string) => way.called.filter((one) => one.name === name).map(({ input }) => input)

it('shows which machines a password goes to before it is typed, and asks again for a wrong one', async () => {
  await render(Account, { connection, section: 'profile' })
  await page.getByRole('button', { name: 'Enter password…' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText(met.hostKey)).toBeVisible()
  await expect.element(dialog.getByText(other.hostKey)).toBeVisible()
  await expect.element(dialog.getByText(silent.machine)).not.toBeInTheDocument()
  const field = dialog.getByLabelText('Password at the panel')
  await userEvent.fill(field, 'wrong')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText('The machine did not take it.')).toBeVisible()
  await expect.element(field).toHaveValue('')
  await userEvent.fill(field, 'right')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/Your password at the panel is in the keychain/)).toBeVisible()
  expect(sent('connections.enter-machines').at(-1)).toEqual({
    ...{ connectionId: 'c', password: 'right', machines: [met, other] },
  })
  await page.getByRole('button', { name: 'Remove password' }).click()
  await expect.element(page.getByText(/needed only if/)).toBeVisible()
})

it('forgets the key of a machine once that was confirmed', async () => {
  await render(Account, { connection, section: 'profile' })
  await expect.element(page.getByText(met.hostKey)).toBeVisible()
  await expect.element(page.getByText('not met yet').first()).toBeVisible()
  await page.getByRole('button', { name: `Forget the key of ${met.machine}` }).click()
  expect(sent('connections.forget-machine')).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
  await expect.element(page.getByText(met.hostKey)).not.toBeInTheDocument()
  expect(sent('connections.forget-machine')).toEqual([{ connectionId: 'c', machine: met.machine }])
})

it('of a host of SFTP, the key is shown that was signed in with', async () => {
  password = null
  kept = [met]
  await render(Account, {
    connection: { ...connection, baseUrl: 'sftp://ann@node1.example.com:2022' },
    section: 'profile',
  })
  await expect.element(page.getByText(met.hostKey)).toBeVisible()
  await expect.element(page.getByText(/Another one is refused until you sign in again/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Forget|Enter password/ })).not.toBeInTheDocument()
})
