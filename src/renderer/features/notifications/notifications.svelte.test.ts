import { beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Notification, NotificationSettings } from '../../../contract/areas/notifications.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import type { Connection, ListValue, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { useFeatures } from '../../app/features.ts'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { dismiss, notices, notify } from '../../ui/feedback/notices.svelte.ts'
import { grouped } from './feed.ts'
import Notifications from './Notifications.svelte'
import { said } from './said.ts'
import UnreadBadge from './UnreadBadge.svelte'

useFeatures()

const connection = (id: string, kind: 'ready' | 'signed-out' = 'ready'): Connection => ({
  ...{ id, kind: 'service', name: `${id}.example.org`, baseUrl: '', user: null, tokenKept: 'keychain' },
  ...{ expiresAt: null, state: { kind } },
})
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const crash: Notification = {
  ...{ id: 'n1', kind: 'crash', title: 'Insel ist abgestürzt', serverId: 's', createdAt: minutesAgo(5) },
  values: { server: 'Island', exitCode: 7 },
}
const foreign: Notification = {
  ...{ id: 'n2', kind: { kind: 'unknown', raw: 'billing' }, title: 'Your bill is ready' },
  ...{ createdAt: minutesAgo(60 * 24 * 3), readAt: minutesAgo(60) },
}
const unavailable: Problem = { code: 'unavailable', message: 'Not offered', retryable: false }

const viewOf = <T>(value: T | null, problem: Problem | null = null): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: value ? minutesAgo(20) : null, stale: problem !== null, problem },
})
const listOf = (items: Notification[]): ListValue<Notification> => ({ items, leftOut: [], more: false })

let way: ScriptedBridge
let items: Record<string, Notification[]>
let settings: NotificationSettings
/** Each test has connections of its own: what was learned of a service holds for its connection. */
let one: string
let tests = 0
beforeEach(() => {
  one = `one${++tests}`
  items = { [one]: [foreign, crash] }
  settings = { mutedKinds: [], mutedServers: [], quietHours: null }
  way = new ScriptedBridge({
    'connections.list': () => ({ ok: true, value: [connection(one)] }),
    'view servers.list': () =>
      viewOf({ items: [{ id: 's', name: 'Island' }], leftOut: [], more: false as const }),
    'view notifications.list': ({ connectionId }) => viewOf(listOf(items[connectionId] ?? [])),
    'view notifications.settings': () => viewOf(settings),
    'send notifications.read': () => ({ ok: true, value: undefined }),
    'send notifications.change-settings': () => ({ ok: true, value: settings }),
  })
  window.panel = way
  location.hash = '#/notifications'
  void panel.start()
  take([connection(one)])
})

/** Which connections there are now. */
const take = (connections: Connection[]) => way.send('connections', connections)

const sent = (name: string) =>
  way.called.filter((call) => call.name === `send ${name}`).map(({ input }) => input)

it('says what is known in its own words, what is not in the service’s, new first, and leads there', async () => {
  const { getByRole } = await render(Notifications, {})
  const link = getByRole('link', { name: 'Island crashed' })
  await expect.element(link).toBeVisible()
  await expect.element(getByRole('heading', { name: 'New' })).toBeVisible()
  await expect.element(getByRole('listitem').filter({ hasText: 'Your bill is ready' })).toBeVisible()
  expect(link.element().getAttribute('href')).toBe(`#/c/${one}/s/s/console`)
  await userEvent.click(link)
  await expect.poll(() => sent('notifications.read')).toEqual([{ connectionId: one, body: { ids: ['n1'] } }])
  expect(location.hash).toBe(`#/c/${one}/s/s/console`)
})

it('of an overdue backup leads to the schedules that should have made it', async () => {
  const values = { server: 'Island', action: 'overdue' }
  items = { [one]: [{ id: 'n3', kind: 'backup', serverId: 's', createdAt: minutesAgo(5), values }] }
  const { getByRole } = await render(Notifications, {})
  const link = getByRole('link', { name: 'A backup of Island is three days overdue' })
  await expect.element(link).toHaveAttribute('href', `#/c/${one}/s/s/settings/schedules`)
})

it('marks all read, and stays where it stands once it is read', async () => {
  const { getByRole } = await render(Notifications, {})
  await userEvent.click(getByRole('button', { name: 'Mark all as read' }))
  await expect.poll(() => sent('notifications.read')).toEqual([{ connectionId: one, body: { ids: ['n1'] } }])
  const now = viewOf(listOf([foreign, { ...crash, readAt: minutesAgo(0) }])).value
  way.send('view', { view: 'notifications.list', connectionId: one, now } as never)
  await expect.element(getByRole('button', { name: 'Mark all as read' })).not.toBeInTheDocument()
  await expect.element(getByRole('heading', { name: 'New' })).toBeVisible()
})

it('shows the list alone of a service that has nothing else', async () => {
  way.answer('view notifications.settings', () => viewOf(null, unavailable) as never)
  way.answer('send notifications.read', () => ({ ok: false, problem: unavailable }))
  const { getByRole } = await render(Notifications, {})
  await expect.element(getByRole('link', { name: 'Island crashed' })).toBeVisible()
  expect(getByRole('button', { name: 'Notification settings' }).elements()).toHaveLength(0)
  expect(getByRole('button', { name: /^Mute/ }).elements()).toHaveLength(0)
  await userEvent.click(getByRole('button', { name: 'Mark as read: Island crashed' }))
  await expect.element(getByRole('button', { name: 'Mark all as read' })).not.toBeInTheDocument()
  expect(getByRole('button', { name: /^Mark as read/ }).elements()).toHaveLength(0)
})

it('says that nothing is offered where no service has any, and what is empty where one has none', async () => {
  way.answer('view notifications.list', () => viewOf(null, unavailable) as never)
  const { getByText, getByRole, unmount } = await render(Notifications, {})
  await expect.element(getByText('This service does not offer notifications')).toBeVisible()
  way.answer('view notifications.list', () => viewOf(listOf([])))
  await userEvent.click(getByRole('button', { name: 'Check again' }))
  await expect.element(getByRole('heading', { name: 'No notifications' })).toBeVisible()
  await unmount()
})

it('names which of several services has none, says so of the one that is chosen, and shows all when that one is gone', async () => {
  const bare = `bare${tests}`
  way.answer('view notifications.list', (({ connectionId }: { connectionId: string }) =>
    connectionId === bare ? viewOf(null, unavailable) : viewOf(listOf([crash]))) as never)
  take([connection(one), connection(bare)])
  const { getByRole, getByText, getByLabelText } = await render(Notifications, {})
  await expect.element(getByText(`${bare}.example.org does not offer notifications.`)).toBeVisible()
  await expect.element(getByRole('link', { name: 'Island crashed' })).toBeVisible()
  await userEvent.selectOptions(getByLabelText('Connection'), bare)
  await expect.element(getByText('This service does not offer notifications')).toBeVisible()
  await expect.element(getByRole('button', { name: 'Check again' })).toBeVisible()
  expect(getByRole('link', { name: 'Island crashed' }).elements()).toHaveLength(0)
  take([connection(one)])
  await expect.element(getByRole('link', { name: 'Island crashed' })).toBeVisible()
})

it('shows what was read before while the service is away, says how old it is, and changes nothing', async () => {
  const away: Problem = { code: 'offline', message: 'Away', retryable: true }
  way.answer('view notifications.list', () => viewOf(listOf([crash]), away))
  take([{ ...connection(one), state: { kind: 'offline', problem: away, since: minutesAgo(20) } }])
  const { getByRole, getByText } = await render(Notifications, {})
  await expect.element(getByRole('link', { name: 'Island crashed' })).toBeVisible()
  await expect.element(getByText(/20 minutes ago/)).toBeVisible()
  await expect
    .element(getByRole('button', { name: 'Mark all as read' }))
    .toHaveAttribute('aria-disabled', 'true')
})

it('mutes kinds, servers and hours', async () => {
  const { getByRole, getByLabelText } = await render(Notifications, {})
  await userEvent.click(getByRole('button', { name: 'Mute Island' }))
  await expect
    .poll(() => sent('notifications.change-settings'))
    .toEqual([{ connectionId: one, body: { mutedServers: ['s'] } }])
  await userEvent.click(getByRole('button', { name: 'Notification settings' }))
  await userEvent.click(getByRole('checkbox', { name: 'Crashes' }))
  await expect
    .poll(() => sent('notifications.change-settings').at(-1))
    .toEqual({ connectionId: one, body: { mutedKinds: ['crash'] } })
  await userEvent.click(getByRole('checkbox', { name: 'Use quiet hours' }))
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const lastSent = () => expect.poll(() => sent('notifications.change-settings').at(-1))
  await lastSent().toEqual({
    connectionId: one,
    body: { quietHours: { begins: '22:00', ends: '07:00', timeZone } },
  })
  const setEnd = async (time: string) => {
    await userEvent.fill(getByLabelText('To', { exact: true }), time)
    getByLabelText('To', { exact: true }).element().dispatchEvent(new Event('change'))
  }
  await setEnd('22:00')
  await expect.element(getByRole('dialog').getByText(/have to end at another time/)).toBeVisible()
  await setEnd('06:30')
  await lastSent().toEqual({
    connectionId: one,
    body: { quietHours: { begins: '22:00', ends: '06:30', timeZone } },
  })
})

it('settings hold for all accounts at once, or for one, and show where they differ', async () => {
  const other = `other${tests}`
  way.answer('view notifications.settings', ({ connectionId }: { connectionId: string }) =>
    viewOf(connectionId === other ? { ...settings, mutedKinds: ['crash'] } : settings),
  )
  take([connection(one), connection(other)])
  const { getByRole } = await render(Notifications, {})
  await userEvent.click(getByRole('button', { name: 'Notification settings' }))
  const dialog = getByRole('dialog')
  await expect.element(dialog.getByRole('checkbox', { name: 'Crashes' })).toBePartiallyChecked()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Invitations' }))
  await expect
    .poll(() => sent('notifications.change-settings'))
    .toEqual([
      { connectionId: one, body: { mutedKinds: ['invitation'] } },
      { connectionId: other, body: { mutedKinds: ['crash', 'invitation'] } },
    ])
  await userEvent.selectOptions(dialog.getByLabelText('Connection'), other)
  await expect.element(dialog.getByRole('checkbox', { name: 'Crashes' })).not.toBeChecked()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Crashes' }))
  await expect
    .poll(() => sent('notifications.change-settings').at(-1))
    .toEqual({ connectionId: other, body: { mutedKinds: [] } })
})

it('in a window of its own, players who join and leave can be chosen, and are off', async () => {
  const alerts = { service: true, started: true, joined: false, left: false, transfers: true, update: true }
  const choices = { tray: false, autostart: false, keepServers: false, alerts }
  way.answer('app.info', () => ({ ok: true, value: { way: 'electron' } as never }))
  way.answer('desktop.choices', () => ({ ok: true, value: choices }))
  way.answer('desktop.choose', () => ({
    ok: true,
    value: { ...choices, alerts: { ...alerts, joined: true } },
  }))
  await panel.start()
  const { getByRole } = await render(Notifications, {})
  await userEvent.click(getByRole('button', { name: 'Notification settings' }))
  const joining = getByRole('checkbox', { name: 'A player joining' })
  await expect.element(joining).not.toBeChecked()
  await expect.element(getByRole('checkbox', { name: 'A player leaving' })).not.toBeChecked()
  await userEvent.click(joining)
  await expect.element(joining).toBeChecked()
  expect(way.called.filter(({ name }) => name === 'desktop.choose').map(({ input }) => input)).toEqual([
    { alerts: { joined: true } },
  ])
})

it('keeps the keyboard at the kind that is turned off with it, also while that is sent', async () => {
  const { getByRole } = await render(Notifications, {})
  await userEvent.click(getByRole('button', { name: 'Notification settings' }))
  const answer = Promise.withResolvers<{ ok: true; value: NotificationSettings }>()
  way.answer('send notifications.change-settings', () => answer.promise)
  const box = getByRole('checkbox', { name: 'Crashes' })
  await expect.element(box).toBeVisible()
  const element = box.element() as HTMLInputElement
  element.focus()
  await userEvent.keyboard(' ')
  await expect.poll(() => sent('notifications.change-settings')).toHaveLength(1)
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  expect(document.activeElement).toBe(element)
  expect(element.matches(':disabled')).toBe(false)
  // A second one meanwhile would be sent without knowing of the first.
  await userEvent.keyboard(' ')
  expect(element.checked).toBe(false)
  answer.resolve({ ok: true, value: { ...settings, mutedKinds: ['crash'] } })
  await expect.poll(() => box.element().getAttribute('aria-disabled')).not.toBe('true')
  expect(sent('notifications.change-settings')).toHaveLength(1)
})

it('leaves room for other notices, however much a service tells', async () => {
  await render(UnreadBadge, { connectionId: null })
  notices().forEach(({ id }) => dismiss(id))
  notify({ tone: 'error', text: () => 'The upload failed' })
  for (let at = 0; at < 9; at++)
    way.send('notification', {
      connectionId: one,
      notification: { ...crash, id: `flood${at}`, values: { server: `Island ${at}` } },
    })
  await expect.poll(() => notices()[0]?.text()).toBe('Island 8 crashed')
  expect(notices().map(({ text }) => text())).toContain('The upload failed')
  notices().forEach(({ id }) => dismiss(id))
})

it('counts what is unread, and shows what arrives as a notice that leads there', async () => {
  const { getByText } = await render(UnreadBadge, { connectionId: null })
  await expect.element(getByText('1 unread')).toBeInTheDocument()
  way.send('notification', { connectionId: one, notification: { ...crash, id: 'n9' } })
  await expect.poll(() => notices().map(({ text }) => text())).toEqual(['Island crashed'])
  notices()[0]?.action?.run()
  expect(location.hash).toBe(`#/c/${one}/s/s/console`)
  // Its page shows the crash that was told before, too.
  await expect
    .poll(() => sent('notifications.read'))
    .toEqual([
      { connectionId: one, body: { ids: ['n9'] } },
      { connectionId: one, body: { ids: ['n1'] } },
    ])
})

it('counts a crash no longer once its server is online again', async () => {
  const { getByText } = await render(UnreadBadge, { connectionId: one })
  await expect.element(getByText('1 unread')).toBeInTheDocument()
  const server = { id: 's', name: 'Island', status: 'online' as const }
  way.answer('view servers.list', () => viewOf({ items: [server], leftOut: [], more: false as const }))
  await panel.servers(one).read()
  await expect.element(getByText('1 unread')).not.toBeInTheDocument()
})

it('takes whatever a service says: nothing of it is longer than it may be, and none is without words', () => {
  expect(said({ id: '1' }).title).toBe('Notification')
  expect(said({ id: '1', kind: { kind: 'unknown', raw: 'weather' } }).title).toBe('weather')
  expect(said({ id: '1', kind: 'crash', title: 'Crashed', values: {} }).title).toBe('Crashed')
  expect(said({ id: '1', title: 'x'.repeat(9000), body: 'y'.repeat(9000) }).title).toHaveLength(200)
  const all = Array.from({ length: 300 }, (_, at) => ({
    connectionId: 'c',
    notification: { id: `${at}`, createdAt: at % 2 ? 'never' : minutesAgo(at) },
  }))
  const groups = grouped(all, () => false, 50)
  expect(groups.reduce((sum, { all: list }) => sum + list.length, 0)).toBe(50)
})
