// What Electron does not have, or wants otherwise, does not compile: each line below is such a mistake, and `npm run check`
// fails where one of them is none. Nothing of it runs.
import {
  app,
  type BrowserWindow,
  dialog,
  Notification,
  powerMonitor,
  protocol,
  session,
  shell,
  Tray,
} from 'electron'
import { expect, expectTypeOf, test, vi } from 'vitest'
import type { EventOf, StandInContents, StandInWindow } from './electron.ts'
import type * as StandIn from './electron.ts'

vi.mock('electron', () => import('./electron.ts'))

type Of<Name extends keyof typeof StandIn> = (typeof StandIn)[Name]

/** Never called. */
export function mistakesInCalls(window: BrowserWindow): void {
  // @ts-expect-error: a call that Electron does not have
  app.openAtLogin(true)
  // @ts-expect-error: a call that is on another part of it
  shell.resolveProxy('https://example.org')
  // @ts-expect-error: a number that is to be one
  app.setBadgeCount('3')
  // @ts-expect-error: an option that is to be a list
  void dialog.showMessageBox({ message: 'Quit?', buttons: 'Cancel' })
  // @ts-expect-error: a handler that answers nothing
  protocol.handle('app', () => 'page')
  // @ts-expect-error: an answer that is to come through a callback
  session.defaultSession.setPermissionRequestHandler(() => ({ granted: false }), 1)
  // @ts-expect-error: a text that is missing
  new Tray()
  // @ts-expect-error: an option that notifications do not have
  new Notification({ title: 'Crashed', onclick: () => undefined })
  // @ts-expect-error: an event that windows do not have
  window.on('put-back', () => undefined)
  // @ts-expect-error: an event that another part of it has
  powerMonitor.on('second-instance', () => undefined)
  // @ts-expect-error: an argument that the event does not bring
  app.on('open-url', (_event: unknown, _address: number) => undefined)
}

/** Never called: what a test could fire. */
export function mistakesInEvents(stand: {
  app: Of<'app'>
  window: StandInWindow
  page: StandInContents
}): void {
  // @ts-expect-error: an event that the app does not have
  stand.app.emit('opened-url')
  // @ts-expect-error: an event of the page, not of its window
  stand.window.emit('render-process-gone')
  // @ts-expect-error: an event that was renamed
  stand.page.emit('crashed')
}

test('an event is known by its name, and another name is none', () => {
  expectTypeOf<EventOf<Electron.App, 'second-instance'>>().toEqualTypeOf<'second-instance'>()
  expectTypeOf<EventOf<Electron.App, 'second-instances'>>().toEqualTypeOf<never>()
  expectTypeOf<EventOf<Electron.BrowserWindow, 'close' | 'crashed'>>().toEqualTypeOf<'close'>()
  expectTypeOf<EventOf<Electron.App, string>>().toEqualTypeOf<never>()
  expect(mistakesInCalls.length + mistakesInEvents.length).toBe(2)
})
