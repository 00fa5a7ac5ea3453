import { programFile } from '../desktop/linux/autostart.ts'
import type { Update } from '../../contract/bridge/update-values.ts'
import { noteBegunUpdate } from './begun-update.ts'
import { carryOut } from './carry-out.ts'
import { argumentsAgain, keepFolderOverUpdate } from './folder-after-update.ts'
import { sweepLeftoverCopies } from './leftover-copies.ts'
import type { SystemUpdater } from './library-engine.ts'
import type { ExitPlan, UpdateEngine, UpdatesPort } from './update-engine.ts'
import { whereUpdated } from './where-updated.ts'
import type { Log } from '../logging/log.ts'

export interface InstalledUpdates {
  port: (log: Log) => UpdatesPort
  /** Exits, installing first if planned. Everything else must be closed. */
  end: (by: 'person' | 'system' | 'keeping') => void
}

const SQUIRREL_MS = 60_000

export interface InstalledProgram {
  packaged: boolean
  version: () => string
  resources: string
  cacheFolder: () => string
  system: SystemUpdater
  relaunch: (start: { execPath: string; args: string[] }) => void
  quit: () => void
}

/** @param close closes the panel and calls `end`, without asking about servers */
export function installedUpdates(
  program: InstalledProgram,
  dataDir: string,
  close: () => void,
): InstalledUpdates {
  let plan: ExitPlan = 'nothing'
  let update: Update | null = null
  let engine: UpdateEngine | null = null
  const where = whereUpdated({
    packaged: program.packaged,
    platform: process.platform,
    resources: program.resources,
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
          const { LibraryEngine, updaterFor } = await import('./library-engine.ts')
          const cacheFolder = program.cacheFolder()
          return (engine ??= new LibraryEngine({
            updater: updaterFor(installer),
            installer,
            cacheFolder,
            log,
            ...(installer === 'mac' && { system: program.system }),
          }))
        },
        plan: (now, of) => void ([plan, update] = [now, of]),
        close,
      }
    },
    end(by) {
      // The log is closed; the next version reports the outcome.
      const note = (why: string | null) =>
        update &&
        noteBegunUpdate(dataDir, {
          ...{ from: program.version(), to: update.version, notes: update.notes },
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
        // Start the AppImage file itself: its mount folder disappears.
        program.relaunch({ execPath: programFile(), args: argumentsAgain(process.argv.slice(1), dataDir) })
        program.quit()
      }
      if (comesBack) return again()
      const isSquirrels = process.platform === 'darwin' && by === 'person' && plan === 'install-and-restart'
      // Squirrel ends the program once it has the update; otherwise restart this version.
      if (isSquirrels && engine) setTimeout(again, SQUIRREL_MS)
      else program.quit()
    },
  }
}
