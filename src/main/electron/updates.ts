import { app, autoUpdater } from 'electron'
import { type InstalledUpdates, installedUpdates } from '../updates/installed-updates.ts'

/** @param close closes the panel and calls `end`, without asking about servers */
export const electronUpdates = (dataDir: string, close: () => void): InstalledUpdates =>
  installedUpdates(
    {
      packaged: app.isPackaged,
      version: () => app.getVersion(),
      resources: process.resourcesPath,
      cacheFolder: () => app.getPath('userData'),
      system: autoUpdater,
      relaunch: (start) => app.relaunch(start),
      quit: () => app.quit(),
    },
    dataDir,
    close,
  )
