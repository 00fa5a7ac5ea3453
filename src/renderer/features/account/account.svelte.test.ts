import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { AccountSession } from '../../../contract/areas/my-account.ts'
import type { Connection, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import type { ProblemData } from '../../core/bridge.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Notices from '../../ui/feedback/Notices.svelte'
import Account from './Account.svelte'
import SignOut from './SignOut.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'example.com', baseUrl: 'https://example.com/api/v1' },
  ...{ user: { name: 'Ann', email: 'ann@example.com' }, tokenKept: 'memory', expiresAt: null },
  state: { kind: 'ready' },
}
const fresh = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: '2026-01-01T00:00:00Z', stale: false, problem: null },
})
const failed = (problem: ProblemData): { ok: true; value: View<never> } => ({
  ok: true,
  value: { value: null, asOf: null, stale: true, problem },
})
const absent = (id: string) => failed({ code: 'unavailable', message: '', retryable: false, detail: id })
const all = (items: AccountSession[]) => fresh({ items, leftOut: [], more: false as const })

const here: AccountSession = { id: '1', device: 'Wheelhouse (Linux)', address: '192.0.2.7', current: true }
const tablet: AccountSession = { id: '2', device: 'A tablet', lastUsedAt: '2026-01-02T03:04:00Z' }

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'view promocodes.list': () => absent('promocodes.list'),
    'view promocodes.limits': () => absent('promocodes.limits'),
    'view account.me': () => fresh({ id: 'u', name: 'Ann', email: 'ann@example.com' }),
    'view account.second-factor': () => absent('account.second-factor'),
    'view account.sign-in-methods': () => absent('account.sign-in-methods'),
    'account.unlink-identity': () => ({ ok: true, value: undefined }),
    'view account.sessions': () => all([tablet, here]),
    'send account.update-me': () => ({ ok: true, value: null }),
    'send account.end-session': () => ({ ok: true, value: undefined }),
    'send account.end-other-sessions': () => ({ ok: true, value: undefined }),
    'account.save-export': () => ({
      ok: true,
      value: { path: '/home/ann/Downloads/account-example.com.json' },
    }),
  })
  window.panel = way
  panel.take(connection)
})

const sent = (name: string) => way.called.filter((one) => one.name === name).map(({ input }) => input)

it('sends of name and language what was changed, and nothing else', async () => {
  const { getByLabelText, getByRole } = await render(Account, { connection, section: 'profile' })
  const save = getByRole('button', { name: 'Save', exact: true })
  await expect.element(getByLabelText('Name', { exact: true })).toHaveValue('Ann')
  await expect.element(save).not.toBeInTheDocument()
  await userEvent.selectOptions(getByLabelText('Language of emails'), 'de')
  await userEvent.click(save)
  await expect
    .poll(() => sent('send account.update-me'))
    .toEqual([{ connectionId: 'c', body: { language: 'de' } }])
  await expect.element(save).not.toBeInTheDocument()
  await expect.element(getByLabelText('Name', { exact: true })).toHaveFocus()
  await userEvent.fill(getByLabelText('Name', { exact: true }), '  Anna ')
  await userEvent.click(save)
  await expect.poll(() => sent('send account.update-me')).toHaveLength(2)
  expect(sent('send account.update-me')[1]).toEqual({ connectionId: 'c', body: { name: 'Anna' } })
})

it('sends no name that is too long or steers a terminal', async () => {
  const { getByLabelText, getByRole, getByText } = await render(Account, { connection, section: 'profile' })
  await expect.element(getByLabelText('Name', { exact: true })).toHaveValue('Ann')
  await userEvent.fill(getByLabelText('Name', { exact: true }), 'A'.repeat(81))
  await userEvent.click(getByRole('button', { name: 'Save', exact: true }))
  await expect.element(getByText('Use at most 80 characters.')).toBeVisible()
  await userEvent.fill(getByLabelText('Name', { exact: true }), 'Ann\u001b[31m')
  await userEvent.click(getByRole('button', { name: 'Save', exact: true }))
  await expect.element(getByText(/cannot contain line breaks/)).toBeVisible()
  expect(sent('send account.update-me')).toEqual([])
})

it('shows a language that another program has chosen, and keeps it', async () => {
  way.answer('view account.me', () => fresh({ id: 'u', name: 'Ann', language: 'fr' }))
  const { getByLabelText, getByRole } = await render(Account, { connection, section: 'profile' })
  await expect.element(getByLabelText('Language of emails')).toHaveValue('fr')
  await userEvent.fill(getByLabelText('Name', { exact: true }), 'Anna')
  await userEvent.click(getByRole('button', { name: 'Save', exact: true }))
  await expect
    .poll(() => sent('send account.update-me'))
    .toEqual([{ connectionId: 'c', body: { name: 'Anna' } }])
})

it('stays as it is when something else of its connection has changed', async () => {
  const { getByText, rerender } = await render(Account, { connection, section: 'devices' })
  await expect.element(getByText('This panel', { exact: true })).toBeVisible()
  await rerender({ connection: { ...connection, expiresAt: '2026-02-01T00:00:00Z' }, section: 'devices' })
  await expect.element(getByText('This panel', { exact: true })).toBeVisible()
  expect(sent('view account.sessions')).toHaveLength(1)
})

it('shows this panel first, and offers to end the others alone', async () => {
  const { getByRole, getByText } = await render(Account, { connection, section: 'devices' })
  await expect.element(getByText('This panel', { exact: true })).toBeVisible()
  const items = getByRole('listitem')
  expect(items.elements().map((one) => one.textContent)).toEqual([
    expect.stringContaining('192.0.2.7'),
    expect.stringContaining('A tablet'),
  ])
  await userEvent.click(getByRole('button', { name: 'End the session of A tablet' }))
  await expect
    .poll(() => sent('send account.end-session'))
    .toEqual([{ connectionId: 'c', params: { sessionId: '2' } }])
  expect(getByRole('button', { name: 'End the session of Wheelhouse' }).elements()).toHaveLength(0)
})

it('shows of a device that goes on and on no more than a person reads', async () => {
  way.answer('view account.sessions', () =>
    all([{ id: '3', device: 'x'.repeat(50_000), address: 'y'.repeat(50_000) }, here]),
  )
  const { getByRole } = await render(Account, { connection, section: 'devices' })
  await expect.poll(() => getByRole('listitem').elements()).toHaveLength(2)
  expect(getByRole('listitem').elements().at(1)?.textContent.length).toBeLessThan(1000)
})

it('asks before all other sessions end', async () => {
  const { getByRole } = await render(Account, { connection, section: 'devices' })
  await userEvent.click(getByRole('button', { name: 'End all other sessions' }))
  const dialog = getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  expect(sent('send account.end-other-sessions')).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'End all other sessions' }))
  await expect.poll(() => sent('send account.end-other-sessions')).toEqual([{ connectionId: 'c' }])
  await expect.poll(() => dialog.elements()).toHaveLength(0)
})

it('offers no other session to end where there is none', async () => {
  way.answer('view account.sessions', () => all([here]))
  const { getByRole, getByText } = await render(Account, { connection, section: 'devices' })
  await expect.element(getByText('This panel', { exact: true })).toBeVisible()
  expect(getByRole('button', { name: 'End all other sessions' }).elements()).toHaveLength(0)
})

it('draws the first of many sessions, and all when they are asked for', async () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ id: `s${at}`, device: `Device ${at}` }))
  way.answer('view account.sessions', () => all([...many, here]))
  const { getByRole } = await render(Account, { connection, section: 'devices' })
  await expect.poll(() => getByRole('listitem').elements()).toHaveLength(10)
  await userEvent.click(getByRole('button', { name: 'Show all 41' }))
  await expect.poll(() => getByRole('listitem').elements()).toHaveLength(41)
})

it('says where a service has nothing of a section, and leaves out what it has not', async () => {
  way.answer('view account.sessions', () => absent('account.sessions'))
  const { getByRole, getByText, rerender } = await render(Account, { connection, section: 'devices' })
  await expect.element(getByText('This service doesn’t offer this.')).toBeVisible()
  await rerender({ connection, section: 'security' })
  await expect.element(getByRole('heading', { name: 'Password' })).toBeVisible()
  await expect
    .poll(() => getByRole('heading', { name: 'Two-factor authentication' }).elements())
    .toHaveLength(0)
  await expect.element(getByText('This service doesn’t offer this.')).not.toBeVisible()
})

it('gives the service a name', async () => {
  way.answer('connections.rename', (input) => ({
    ok: true,
    value: { ...connection, name: (input as { name: string }).name },
  }))
  const { getByLabelText, getByRole } = await render(Account, { connection, section: 'profile' })
  await userEvent.fill(getByLabelText('Name of this service'), ' Bee hosting ')
  await userEvent.click(getByRole('button', { name: 'Rename' }))
  await expect.poll(() => sent('connections.rename')).toEqual([{ connectionId: 'c', name: 'Bee hosting' }])
  await expect.poll(() => panel.connection('c')?.name).toBe('Bee hosting')
})

it('names what a service does not offer where that is found out by trying', async () => {
  const refused = (detail: string) => ({
    ok: false as const,
    problem: { code: 'unavailable' as const, message: '', retryable: false, detail },
  })
  way.answer('send account.update-me', () => refused('account.update-me'))
  way.answer('account.save-export', () => refused('account.export'))
  const { getByLabelText, getByRole, getByText, rerender } = await render(Account, {
    connection,
    section: 'profile',
  })
  await userEvent.fill(getByLabelText('Name', { exact: true }), 'Anna')
  await userEvent.click(getByRole('button', { name: 'Save', exact: true }))
  await expect.element(getByText(/does not offer changing your details/)).toBeVisible()
  await rerender({ connection, section: 'data' })
  await userEvent.click(getByRole('button', { name: 'Save my data' }))
  await expect.element(getByText(/does not offer a copy of your data/)).toBeVisible()
})

it('says where the data was saved', async () => {
  const { getByRole, getByText } = await render(Account, { connection, section: 'data' })
  await userEvent.click(getByRole('button', { name: 'Save my data' }))
  await expect.element(getByText('Saved as /home/ann/Downloads/account-example.com.json')).toBeVisible()
})

it('says what went wrong when a session could not be ended', async () => {
  way.answer('send account.end-session', () => ({
    ok: false,
    problem: { code: 'service-failed', message: '', retryable: true },
  }))
  const { getByText } = await render(Notices)
  const { getByRole } = await render(Account, { connection, section: 'devices' })
  await userEvent.click(getByRole('button', { name: 'End the session of A tablet' }))
  await expect.element(getByText(/had an internal error/)).toBeVisible()
})

const methods = (hasPassword: boolean) =>
  fresh({
    hasPassword,
    identities: [
      {
        id: 'g',
        issuer: 'https://accounts.google.com',
        email: 'ann@gmail.com',
        since: '2026-01-02T03:04:00Z',
      },
      { id: 'g', issuer: 'https://elsewhere.example' },
    ],
  })

it('shows the linked identity, and unlinks it by the password and the code that the service asks for', async () => {
  way.answer('view account.sign-in-methods', () => methods(true))
  way.answer('account.unlink-identity', (input) =>
    (input as { code?: string }).code === undefined
      ? {
          ok: false,
          problem: { code: 'forbidden', message: '', retryable: false, serviceCode: 'auth.second-factor' },
        }
      : { ok: true, value: undefined },
  )
  const { getByRole, getByText } = await render(Account, { connection, section: 'security' })
  await expect.element(getByText('ann@gmail.com')).toBeVisible()
  await userEvent.click(getByRole('button', { name: 'Unlink Google' }))
  const dialog = getByRole('dialog')
  await userEvent.fill(dialog.getByLabelText('Current password'), 'my password')
  await userEvent.click(dialog.getByRole('button', { name: 'Unlink', exact: true }))
  await userEvent.fill(dialog.getByLabelText('Code from your app'), '123456')
  await userEvent.click(dialog.getByRole('button', { name: 'Unlink', exact: true }))
  await expect
    .poll(() => sent('account.unlink-identity').at(-1))
    .toEqual({
      ...{ connectionId: 'c', identityId: 'g', currentPassword: 'my password', code: '123456' },
    })
  await expect.element(dialog).not.toBeInTheDocument()
})

it('keeps the keyboard in the list when the identity it stood at is unlinked', async () => {
  way.answer('view account.sign-in-methods', () => methods(true))
  const { getByRole } = await render(Account, { connection, section: 'security' })
  await userEvent.click(getByRole('button', { name: 'Unlink Google' }))
  const dialog = getByRole('dialog')
  await userEvent.fill(dialog.getByLabelText('Current password'), 'my password')
  way.answer('view account.sign-in-methods', () => fresh({ hasPassword: true, identities: [] }))
  await userEvent.click(dialog.getByRole('button', { name: 'Unlink', exact: true }))
  await expect.element(getByRole('button', { name: 'Unlink Google' })).not.toBeInTheDocument()
  const part = getByRole('region', { name: 'How you sign in' }).element()
  await expect.poll(() => part.contains(document.activeElement)).toBe(true)
})

it('keeps the keyboard in the list when the session it stood at is ended', async () => {
  const { getByRole } = await render(Account, { connection, section: 'devices' })
  await expect.element(getByRole('button', { name: 'End the session of A tablet' })).toBeVisible()
  ;(getByRole('button', { name: 'End the session of A tablet' }).element() as HTMLElement).focus()
  way.answer('view account.sessions', () => all([here]))
  await userEvent.keyboard('{Enter}')
  await expect.element(getByRole('button', { name: 'End the session of A tablet' })).not.toBeInTheDocument()
  const part = getByRole('region', { name: 'Where you are signed in' }).element()
  await expect.poll(() => part.contains(document.activeElement)).toBe(true)
})

it('says nothing of other ways in where two identities are linked and no password is set', async () => {
  way.answer('view account.sign-in-methods', () =>
    fresh({
      hasPassword: false,
      identities: [
        { id: 'g', issuer: 'https://accounts.google.com' },
        { id: 'h', issuer: 'https://elsewhere.example' },
      ],
    }),
  )
  const { getByRole } = await render(Account, { connection, section: 'security' })
  await expect.element(getByRole('button', { name: 'Unlink elsewhere.example' })).toBeVisible()
  const said = getByRole('region', { name: 'How you sign in' }).element().textContent
  expect(said).not.toMatch(/only way|any other way/)
  expect(said).toMatch(/no password is set. To set one/)
})

it('unlinks nothing that is the only way in, and says how there is another', async () => {
  way.answer('view account.sign-in-methods', () => methods(false))
  const { getByRole, getByText } = await render(Account, { connection, section: 'security' })
  await expect.element(getByText('No password is set.')).toBeVisible()
  await expect
    .element(getByRole('button', { name: 'Unlink Google' }))
    .toHaveAttribute('aria-disabled', 'true')
  await expect.element(getByText(/choose “Forgot password”/).first()).toBeVisible()
})

it('takes the address that a host opens consoles by, and no other text', async () => {
  const atHost: Connection = { ...connection, kind: 'host', baseUrl: 'https://panel.example.com/api/client' }
  way.answer('connections.set-console-origin', ({ origin }) => ({
    ok: true,
    value: { ...atHost, consoleOrigin: origin },
  }))
  const { getByLabelText, getByRole, getByText } = await render(Account, {
    connection: atHost,
    section: 'profile',
  })
  const field = getByLabelText('Address that consoles are opened by')
  await userEvent.fill(field, 'not an address')
  await userEvent.click(getByRole('button', { name: 'Save', exact: true }))
  await expect.element(getByText('Enter an address such as https://panel.example.com.')).toBeVisible()
  await userEvent.fill(field, 'games.example.com/server/1')
  await userEvent.click(getByRole('button', { name: 'Save', exact: true }))
  await expect
    .poll(() => sent('connections.set-console-origin'))
    .toEqual([{ connectionId: 'c', origin: 'https://games.example.com' }])
})

it('offers to delete the key at a panel when signing out, and nothing of the kind elsewhere', async () => {
  way.answer('connections.sign-out', () => ({ ok: true, value: { revoked: true, expiresAt: null } }))
  const close = () => undefined
  const at = (baseUrl: string): Connection => ({ ...connection, kind: 'host', baseUrl })
  const sftp = await render(SignOut, { connection: at('sftp://me@example.com/'), close, done: close })
  await expect.element(sftp.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(sftp.getByRole('checkbox').query()).toBeNull()
  await sftp.unmount()
  const atPanel = at('https://panel.example.com/api/client')
  panel.take(atPanel)
  const { getByRole } = await render(SignOut, { connection: atPanel, close, done: close })
  await userEvent.click(getByRole('checkbox', { name: /Delete the key at the host too/ }))
  await userEvent.click(getByRole('button', { name: 'Sign out' }))
  await expect.poll(() => sent('connections.sign-out')).toEqual([{ connectionId: 'c', everywhere: true }])
})
