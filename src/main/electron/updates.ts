import { app, dialog } from 'electron'
import { type InstalledUpdates, installedUpdates } from '../updates/installed-updates.ts'
import { texts } from './windows/dialogs.ts'

/** @param close closes the panel and calls `end`, without asking about servers */
export const electronUpdates = (close: () => void): InstalledUpdates =>
  installedUpdates(
    {
      packaged: app.isPackaged,
      resources: process.resourcesPath,
      relaunch: (start) => app.relaunch(start),
      quit: () => app.quit(),
      tellNotInstalled: (why) => dialog.showErrorBox(texts().notUpdatedTitle, texts().notUpdated(why)),
    },
    close,
  )
