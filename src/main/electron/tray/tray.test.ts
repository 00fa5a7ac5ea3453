import { beforeEach, expect, it, vi } from 'vitest'
import type { TrayModel } from '../../desktop/tray-model.ts'
import { given, StandInNotification, StandInTray, told } from '../electron-stand-in.ts'
import { showAlert } from './alerts.ts'
import { PanelTray } from './tray.ts'

vi.mock('electron', () => import('../electron-stand-in.ts'))

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
        { label: 'Stop', action: 'stop', enabled: true },
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
  StandInNotification.shown.length = 0
  did = []
  tray = new PanelTray({
    go: (place) => did.push(['go', place]),
    power: (server, action) => did.push(['power', server.serverId, action]),
    quit: () => did.push(['quit']),
  })
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
    ['power', 'a', 'stop'],
    ['go', '#/notifications'],
    ['go', undefined],
    ['quit'],
    ['go', undefined],
  ])
})

it('an alert leads to its place when it is clicked; where the system shows none, nothing happens', () => {
  const alert = { key: 'k', title: 'A crashed', body: 'Its console <b>', to: '#/c/c/s/a/console' }
  showAlert(alert, (place) => did.push(place))
  const [shown] = StandInNotification.shown
  expect(shown?.options.title).toBe('A crashed')
  if (process.platform === 'linux') expect(shown?.options.body).toBe('Its console ‹b›')
  shown?.emit('click')
  expect(did).toEqual(['#/c/c/s/a/console'])
  given.notifications = false
  showAlert(alert, () => undefined)
  given.notifications = true
  expect(StandInNotification.shown).toHaveLength(1)
})
