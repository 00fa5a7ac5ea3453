import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TrayModel } from '../../desktop/tray/tray-model.ts'
import { TOAST_ACTIVATOR, WINDOWS_ID } from '../../desktop/autostart.ts'
import {
  app,
  given,
  StandInEvent,
  StandInNotification,
  StandInTray,
  StandInWindow,
  told,
} from '../../../../tests/doubles/electron/electron.ts'
import { nameNotifications, showAlert } from './alerts.ts'
import { PanelTray } from './tray.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

const model: TrayModel = {
  tooltip: 'Wheelhouse\n1 of 1 servers running',
  title: '3',
  unread: 3,
  entries: [
    { kind: 'line', label: '1 of 1 servers running' },
    {
      kind: 'server',
      label: 'A – online',
      server: { connectionId: 'c', serverId: 'a' },
      entries: [
        { label: 'Open', to: '#/c/c/s/a/overview' },
        { label: 'Stop', action: 'stop', how: 'now', enabled: true },
      ],
    },
    { kind: 'separator' },
    { kind: 'place', label: '3 unread', to: '#/notifications' },
    { kind: 'open', label: 'Open Wheelhouse' },
    { kind: 'quit', label: 'Quit' },
  ],
}

let did: unknown[]
let tray: PanelTray
beforeEach(() => {
  StandInTray.made.length = 0
  StandInWindow.opened.length = 0
  app.removeAllListeners()
  told.badge = 0
  StandInNotification.shown.length = 0
  did = []
  tray = trayOn('linux')
})
const trayOn = (platform: NodeJS.Platform) =>
  new PanelTray({
    platform,
    go: (place) => did.push(['go', place]),
    power: (server, action, how) => did.push(['power', server.serverId, action, how]),
    quit: () => did.push(['quit']),
  })

it('is there only while it is wanted, and shows then what is known already', () => {
  tray.show(model)
  expect(StandInTray.made).toEqual([])
  expect(told.badge).toBe(3)
  tray.wanted(true)
  expect(StandInTray.made[0]).toMatchObject({ tip: model.tooltip })
  tray.wanted(true)
  expect(StandInTray.made).toHaveLength(1)
  tray.wanted(false)
  expect(StandInTray.made[0]?.destroyed).toBe(true)
  expect(tray.isThere).toBe(false)
})

it('does what its entries say', () => {
  tray.wanted(true)
  tray.show(model)
  const click = (entry: Electron.MenuItemConstructorOptions | undefined) =>
    entry?.click?.(undefined as never, undefined, undefined as never)
  const [, server, , unread, open, quit] = StandInTray.made[0]!.menu
  for (const entry of server?.submenu as Electron.MenuItemConstructorOptions[]) click(entry)
  for (const entry of [unread, open, quit]) click(entry)
  StandInTray.made[0]!.emit('click')
  expect(did).toEqual([
    ['go', '#/c/c/s/a/overview'],
    ['power', 'a', 'stop', 'now'],
    ['go', '#/notifications'],
    ['go', undefined],
    ['quit'],
    ['go', undefined],
  ])
})

it('an alert leads to its place when it is clicked; where the system shows none, nothing happens', () => {
  const alert = { key: 'k', title: 'A crashed', body: 'Its console <b>', to: '#/c/c/s/a/console' }
  showAlert(alert, (place) => did.push(place), 'linux')
  const [shown] = StandInNotification.shown
  expect(shown?.options).toMatchObject({ title: 'A crashed', body: 'Its console ‹b›' })
  shown?.emit('click')
  expect(did).toEqual(['#/c/c/s/a/console'])
  given.notifications = false
  showAlert(alert, () => undefined)
  given.notifications = true
  expect(StandInNotification.shown).toHaveLength(1)
})

it.each([
  ['timedOut', true],
  ['userCanceled', false],
  [undefined, false],
] as const)(
  'an alert that only moved to the list of Windows still leads to its place, and one that is gone is let go: %s',
  async (reason, stays) => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const shown = (() => {
      showAlert({ key: 'k', title: 'A crashed', body: '', to: '#/c/c/s/a' }, (place) => did.push(place))
      const [one] = StandInNotification.shown.splice(0)
      one!.emit('close', { reason })
      return new WeakRef(one!)
    })()
    // What was looked at is held until this turn is over, and one collection need not find all.
    for (let turn = 0; turn < 10 && (turn === 0 || (!stays && shown.deref())); turn++) {
      await setImmediate()
      collect()
    }
    shown.deref()?.emit('click')
    expect(did).toEqual(stays ? ['#/c/c/s/a'] : [])
  },
)

it('Windows is told whose notifications these are and what a click on an old one starts, and no other system is', () => {
  nameNotifications('linux')
  nameNotifications('darwin')
  expect(told.windowsIds).toEqual({})
  nameNotifications('win32')
  expect(told.windowsIds).toEqual({ app: WINDOWS_ID, toasts: TOAST_ACTIVATOR })
  // As Electron takes it.
  expect(TOAST_ACTIVATOR).toMatch(/^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/)
})

it('a crash is urgent, and other things are not', () => {
  const alert = { key: 'k', title: 'A crashed', body: '', to: '#/' }
  showAlert({ ...alert, urgent: true }, () => undefined, 'linux')
  showAlert(alert, () => undefined, 'linux')
  expect(StandInNotification.shown.map(({ options }) => options.urgency)).toEqual(['critical', undefined])
})

it('only on Linux a notification may hold marks that its text has to be kept from', () => {
  for (const platform of ['win32', 'darwin'] as const)
    showAlert({ key: 'k', title: '<b>', body: '', to: '#/' }, () => undefined, platform)
  expect(StandInNotification.shown.map(({ options }) => options.title)).toEqual(['<b>', '<b>'])
})

it('on Windows the button of each window says what is unread, also of one that opens later', () => {
  const windows = trayOn('win32')
  const open = () => {
    const window = new StandInWindow({})
    app.emit('browser-window-created', new StandInEvent(), window)
    window.emit('show')
    return window
  }
  const before = open()
  expect(before.overlay).toBeNull()
  windows.show(model)
  const later = open()
  expect([before.overlay, later.overlay]).toEqual(['3', '3'])
  windows.show({ ...model, unread: 0, title: '' })
  expect([before.overlay, later.overlay, open().overlay]).toEqual([null, null, null])
  expect(told.badge).toBe(0)
})

it('on macOS the number stands beside the icon, and a click opens the menu alone', () => {
  const mac = trayOn('darwin')
  mac.show(model)
  mac.wanted(true)
  const [icon] = StandInTray.made
  expect(icon).toMatchObject({ title: '3', tip: model.tooltip })
  icon!.emit('click')
  expect(did).toEqual([])
  expect(told.badge).toBe(3)
  tray.show(model)
  tray.wanted(true)
  expect(StandInTray.made[1]?.title).toBe('')
})
