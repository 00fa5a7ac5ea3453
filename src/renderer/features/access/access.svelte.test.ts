import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../app/theme.css'
import type { Collaborator, Invitation } from '../../../contract/areas/access.ts'
import type { Connection, Server, View } from '../../../contract/bridge/values.ts'
import { groups, presets } from '../../../contract/rules/scopes.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import Access from './Access.svelte'
import Invitations from './Invitations.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null },
})
const items = <T>(list: T[], more: false | 'perhaps' = false) => shown({ items: list, leftOut: [], more })

const ann: Collaborator = {
  id: 'ann',
  name: 'Ann',
  email: 'ann@example.org',
  role: 'owner',
  state: 'active',
  you: true,
}
const ben: Collaborator = { id: 'ben', name: 'Ben', role: [...presets.viewer], state: 'active' }
const cleo: Collaborator = { id: 'i1', email: 'cleo@example.org', role: ['files.write'], state: 'expired' }

let way: ScriptedBridge
let people: Collaborator[]
let more: false | 'perhaps'
let invitations: Invitation[]
let role: Server['role']

beforeEach(() => {
  people = [ann, ben, cleo]
  more = false
  role = 'owner'
  invitations = []
  way = new ScriptedBridge({
    'view servers.read': () => shown({ id: 's', name: 'Meadow', role }),
    'view servers.list': () => items([{ id: 's', name: 'Meadow' }]),
    'view servers.status': () => shown({ status: 'offline' as const }),
    'view access.list': () => items(people, more),
    'view access.scopes': () => items([...Object.values(groups).flat(), 'moon.fly'].map((id) => ({ id }))),
    'view access.invitations': () => items(invitations),
    'send access.invite': () => ({ ok: true, value: cleo }),
    'send access.change': () => ({ ok: true, value: ben }),
    'send access.remove': () => ({ ok: true, value: undefined }),
    'send access.answer': () => ({ ok: true, value: undefined }),
  })
  window.panel = way
  panel.take(connection)
})
afterEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const box = (name: RegExp) => page.getByRole('checkbox', { name })
const row = (name: RegExp) => page.getByRole('row', { name })
const sent = (name: string) =>
  way.called.filter((one) => one.name === `send ${name}`).map(({ input }) => input)
async function open(): Promise<void> {
  await render(Access, { server: new ServerState('c', 's') })
  await expect.element(row(/Ann/)).toBeVisible()
}

describe('those who share a server', () => {
  it('are shown with what each can do and how each stands; the owner cannot be changed', async () => {
    await open()
    await expect.element(row(/Ann/)).toMatchTextContent(/you.*Owner.*Has access/)
    await expect.element(row(/Ben/)).toMatchTextContent(/Viewer.*Has access/)
    await expect.element(row(/cleo@example.org/)).toMatchTextContent(/One permission.*Expired/)
    expect(button('Remove Ann').query()).toBeNull()
    await expect.element(button('Send the invitation to cleo@example.org again')).toBeVisible()
  })

  it('can be left by who may not see them', async () => {
    role = [...presets.viewer]
    way.answer('send access.leave', () => ({ ok: true, value: undefined }))
    await render(Access, { server: new ServerState('c', 's') })
    await expect.element(page.getByRole('heading', { name: 'This server is shared with you' })).toBeVisible()
    expect(page.getByRole('alert').query()).toBeNull()
    await button('Leave').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
    await expect.poll(() => sent('access.leave')).toHaveLength(1)
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  it('are granted what the service knows and nothing else', async () => {
    way.answer('view access.scopes', () => items([{ id: 'moon.fly' }, { id: 'moon.land' }]))
    await open()
    await button('Invite').click()
    await page.getByLabelText('Email address').fill('dora@example.org')
    await page.getByText('Details').click()
    await box(/moon.fly/).click()
    await button('Send invitation').click()
    await expect
      .poll(() => sent('access.invite'))
      .toEqual([expect.objectContaining({ body: { email: 'dora@example.org', scopes: ['moon.fly'] } })])
  })

  it('are added at once at a host, where whoever holds a permission can grant it and nobody leaves', async () => {
    panel.take({ ...connection, kind: 'host', baseUrl: 'https://panel.example/api/client' })
    role = [...presets.viewer, 'files.read', 'files.write', 'access.read', 'access.write']
    people = [
      { ...ann, you: false },
      { ...ben, you: true },
    ]
    await open()
    await expect.element(row(/Ben/)).toMatchTextContent(/you/)
    expect(button('Leave').query()).toBeNull()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect.element(page.getByText(/The host makes an account/)).toBeVisible()
    await page.getByLabelText('Email address').fill('dora@example.org')
    await page.getByText('Details').click()
    await box(/change files/i).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    await expect.poll(() => sent('access.invite')).toHaveLength(1)
    expect(JSON.stringify(sent('access.invite')[0])).toContain('files.write')
    await expect
      .poll(() => notices().map(({ text }) => text()))
      .toContain('dora@example.org can use this server now.')
  })

  it('are called nobody else where the owner is alone', async () => {
    people = [ann]
    await open()
    await expect.element(page.getByText('Nobody else has access')).toBeVisible()
  })

  it('are not called nobody where there may be more', async () => {
    people = [ann]
    more = 'perhaps'
    await open()
    await expect.element(page.getByText('There may be more than the service listed.')).toBeVisible()
    expect(page.getByText('Nobody else has access').query()).toBeNull()
  })

  it('are invited with what a role brings, said in a sentence, with a warning where it lets them run programs', async () => {
    await open()
    await button('Invite').click()
    await page.getByLabelText('Email address').fill(' dora@example.org ')
    await expect
      .element(
        page.getByRole('dialog').getByText(/^Can see the server and its status, .* and see players\.$/),
      )
      .toBeVisible()
    expect(page.getByRole('note').query()).toBeNull()
    await page.getByLabelText('Role').selectOptions('Administrator')
    await expect.element(page.getByText('Can do everything except delete or reset the server.')).toBeVisible()
    await expect.element(page.getByRole('note')).toMatchTextContent(/run programs/)
    await button('Send invitation').click()
    await expect.poll(() => sent('access.invite')).toHaveLength(1)
    expect(sent('access.invite')[0]).toMatchObject({
      body: { email: 'dora@example.org', scopes: presets.administrator },
    })
  })

  it('can be given what the contract does not know, and never anything without seeing the server', async () => {
    await open()
    await button('Change the permissions of Ben').click()
    await expect.element(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await page.getByText('Details', { exact: true }).click()
    await box(/^moon\.fly/).click()
    await expect.element(box(/^see the server and its status/)).toHaveAttribute('aria-disabled', 'true')
    await button('Save').click()
    await expect.poll(() => sent('access.change')).toHaveLength(1)
    expect(sent('access.change')[0]).toMatchObject({ params: { serverId: 's', userId: 'ben' } })
    const { body } = sent('access.change')[0] as { body: { scopes: string[] } }
    expect(body.scopes.toSorted()).toEqual([...presets.viewer, 'moon.fly'].toSorted())
  })

  it('are changed by a member only as far as that member holds it, and it is said why', async () => {
    role = ['server.read', 'access.read', 'access.write', 'console.read']
    people = [ann, { ...ben, role: ['server.read', 'console.read'] }, cleo]
    await open()
    await expect.element(button('Remove Ben')).not.toHaveAttribute('aria-disabled')
    await expect
      .element(button('Revoke the invitation to cleo@example.org'))
      .toHaveAttribute('aria-disabled', 'true')
    await button('Change the permissions of Ben').click()
    await expect
      .poll(() =>
        [...document.querySelectorAll('dialog select option')].map(({ textContent }) => textContent),
      )
      .toEqual(['Custom'])
    await page.getByText('Details', { exact: true }).click()
    await expect.element(box(/^start the server/)).toHaveAttribute('aria-disabled', 'true')
    await box(/^start the server/).click({ force: true })
    await expect.element(box(/^start the server/)).not.toBeChecked()
  })

  it('cannot be invited by who lacks the permission, which is said', async () => {
    role = ['server.read', 'access.read']
    people = [ann, { ...ben, you: true }]
    await open()
    await expect.element(button('Invite')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(button('Leave')).not.toHaveAttribute('aria-disabled')
  })
})

describe('invitations', () => {
  it('say who invites to what, and what it lets one do', async () => {
    invitations = [
      { id: 'i', server: { id: 's', name: 'Meadow' }, from: 'Ann', scopes: ['server.read', 'files.write'] },
    ]
    await render(Invitations, { connectionId: 'c' })
    await expect.element(page.getByText('Ann wants to share the server Meadow with you.')).toBeVisible()
    await expect
      .element(page.getByText('You can then see the server and its status and change files.'))
      .toBeVisible()
    await expect.element(page.getByText('This lets you run programs on the server’s computer.')).toBeVisible()
    await button('Decline').click()
    await expect.poll(() => sent('access.answer')).toHaveLength(1)
    expect(sent('access.answer')[0]).toMatchObject({ params: { invitationId: 'i' }, body: { accept: false } })
  })

  it('take no room where there are none', async () => {
    await render(Invitations, { connectionId: 'c' })
    await expect.poll(() => way.called.some(({ name }) => name === 'view access.invitations')).toBe(true)
    expect(page.getByText('Invitations').query()).toBeNull()
  })
})
