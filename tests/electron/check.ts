// npm run check:electron: opens the panel and tries what only Electron has. In no packed panel.
import { app, BrowserWindow, nativeImage, Notification, Tray } from 'electron'
import { keychainStore } from '../../src/main/accounts/keychain/keychain-store.ts'
import { type CheckedPage, checksOf } from './checks.ts'
import { pickFile } from './pick-file.ts'
import { findUpdate, triedInstaller } from './find-update.ts'
import { intoFile, tryAll } from './rows.ts'
import { trayPicture } from '../../src/main/desktop/tray/tray-picture.ts'
import { updaterFor } from '../../src/main/updates/library-engine.ts'
import { startKeychainChild } from '../../src/main/electron/child-programs.ts'

const installer = triedInstaller(process.platform)
const findHere = () => findUpdate(updaterFor(installer), installer)

/** Tries all, writes the rows into a file and ends the program. */
export async function checkElectron(report: string, limitMs = 15_000, update = findHere): Promise<void> {
  const checks = checksOf({
    page,
    secrets: keychainStore({ startChild: () => startKeychainChild() }),
    tray() {
      const picture = trayPicture(nativeImage, process.platform)
      new Tray(picture).destroy()
      return !picture.isEmpty()
    },
    notify: () => (Notification.isSupported() ? shown() : null),
    update,
    folder: app.getPath('userData'),
  })
  await tryAll(checks, limitMs, intoFile(report))
  app.quit()
}

async function page(): Promise<CheckedPage> {
  const opened = () =>
    new Promise<BrowserWindow>((resolve) =>
      app.once('browser-window-created', (_, window) => resolve(window)),
    )
  const { webContents: contents } = BrowserWindow.getAllWindows()[0] ?? (await opened())
  return {
    evaluate: (script) => contents.executeJavaScript(script),
    async pick(id, file) {
      contents.debugger.attach('1.3')
      await pickFile((command, input) => contents.debugger.sendCommand(command, input), id, file)
      contents.debugger.detach()
    },
  }
}

const shown = () =>
  new Promise<void>((resolve, reject) => {
    const one = new Notification({ title: 'Wheelhouse', body: 'This is how a notification looks.' })
    one.once('show', () => resolve())
    one.once('failed', (_event, why) => reject(new Error(why)))
    one.show()
  })
