import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  app,
  BrowserWindow,
  dialog,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  told,
  Tray,
} from './electron.ts'
import { phase } from './phase.ts'

// What `tests/unit/electron-boot.test.ts` starts the whole program against: it is refused here what Electron refuses.
afterEach(() => {
  phase.now = 'any'
  BrowserWindow.opened.length = 0
  powerMonitor.removeAllListeners()
})

const onlyAfter: [string, () => unknown][] = [
  ['a window', () => new BrowserWindow({})],
  ['the tray', () => new Tray('icon.png')],
  ['a notification', () => new Notification({ title: 'Crashed' })],
  ['the screens', () => screen.getAllDisplays()],
  ['the session', () => session.defaultSession],
  ["the page's own scheme", () => protocol.handle('app', () => new Response())],
  ['power', () => powerMonitor.on('resume', () => undefined)],
  ['a question', () => dialog.showMessageBox({ message: 'Quit?' })],
  ['starting with the system', () => app.setLoginItemSettings({ openAtLogin: true })],
]
const onlyBefore: [string, () => unknown][] = [
  ['the sandbox', () => app.enableSandbox()],
  ["the page's scheme", () => protocol.registerSchemesAsPrivileged([])],
]

beforeEach(() => void (told.asked = []))

it.each(onlyAfter)('%s is refused before Electron is ready, and there afterwards', async (_what, use) => {
  phase.now = 'before'
  expect(use).toThrow('before the app is ready')
  await app.whenReady()
  expect(use).not.toThrow()
})

it.each(onlyBefore)('%s is settled before Electron is ready, or it is too late', async (_what, use) => {
  phase.now = 'before'
  expect(use).not.toThrow()
  await app.whenReady()
  expect(use).toThrow('before the app is ready')
})

it('an error can be shown at any time', () => {
  phase.now = 'before'
  expect(() => dialog.showErrorBox('Wheelhouse could not start', 'It is open.')).not.toThrow()
  // In English then.
  expect(app.getLocale()).toBe('')
})
