import { app, autoUpdater } from 'electron'
import { programFile } from '../desktop/linux-autostart.ts'
import type { Update } from '../../contract/bridge/update-values.ts'
import { noteBegunUpdate } from '../updates/begun-update.ts'
import { carryOut } from '../updates/carry-out.ts'
import { argumentsAgain, keepFolderOverUpdate } from '../updates/folder-after-update.ts'
import { sweepLeftoverCopies } from '../updates/leftover-copies.ts'
import type { ExitPlan, UpdateEngine, UpdatesPort } from '../updates/update-engine.ts'
import { whereUpdated } from '../updates/where-updated.ts'
import type { Log } from '../logging/log.ts'

/** The updates of a panel in Electron: how they are looked for, and what is done with them at the end. */
export interface ElectronUpdates {
  port: (log: Log) => UpdatesPort
  /** Ends the program, and installs first where that was decided. Everything else has to be closed by now. */
  end: (by: 'person' | 'system' | 'keeping') => void
}

/** So long macOS's own updater is given to take over, in ms. */
const SQUIRREL_MS = 60_000

/** @param close closes the panel and calls `end`, without asking about servers */
export function electronUpdates(dataDir: string, close: () => void): ElectronUpdates {
  let plan: ExitPlan = 'nothing'
  let update: Update | null = null
  let engine: UpdateEngine | null = null
  const { resourcesPath: resources } = process
  const where = whereUpdated({
    packaged: app.isPackaged,
    platform: process.platform,
    resources,
    program: process.execPath,
    env: process.env,
  })
  return {
    port: (log) => {
      if (where.kind !== 'here') return where
      const { installer } = where
      if (installer === 'appimage') void sweepLeftoverCopies(programFile())
      return {
        kind: 'here',
        async engine() {
          const { LibraryEngine, updaterFor } = await import('../updates/library-engine.ts')
          const cacheFolder = app.getPath('userData')
          return (engine ??= new LibraryEngine({
            updater: updaterFor(installer),
            installer,
            cacheFolder,
            log,
            ...(installer === 'mac' && { system: autoUpdater }),
          }))
        },
        plan: (now, of) => void ([plan, update] = [now, of]),
        close,
      }
    },
    end(by) {
      // The log is closed by now: what becomes of it is told by the version that starts.
      const note = (why: string | null) =>
        update &&
        noteBegunUpdate(dataDir, {
          ...{ from: app.getVersion(), to: update.version, notes: update.notes },
          ...{ tried: by === 'person', why },
        })
      note(null)
      if (
        plan === 'install-and-restart' &&
        where.kind === 'here' &&
        ['nsis', 'mac'].includes(where.installer)
      )
        keepFolderOverUpdate(dataDir)
      const comesBack = carryOut(plan, by, engine, (error) => note(String(error).slice(0, 2000)))
      const again = () => {
        // The file of an AppImage, with what it was started with: the folder that it runs in goes with it.
        app.relaunch({ execPath: programFile(), args: argumentsAgain(process.argv.slice(1), dataDir) })
        app.quit()
      }
      if (comesBack) return again()
      const isSquirrels = process.platform === 'darwin' && by === 'person' && plan === 'install-and-restart'
      // It ends the program itself once it has the update; where it does not, this version comes back.
      if (isSquirrels && engine) setTimeout(again, SQUIRREL_MS)
      else app.quit()
    },
  }
}
