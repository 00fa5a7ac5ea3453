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

/** The updates of an installed panel: how they are looked for, and what is done with them at the end. */
export interface InstalledUpdates {
  port: (log: Log) => UpdatesPort
  /** Ends the program, and installs first where that was decided. Everything else has to be closed by now. */
  end: (by: 'person' | 'system' | 'keeping') => void
}

/** So long macOS's own updater is given to take over, in ms. */
const SQUIRREL_MS = 60_000

/** The program as its shell knows it. */
export interface InstalledProgram {
  packaged: boolean
  version: () => string
  /** The folder of what is installed. */
  resources: string
  /** Where downloads are kept that are checked and not installed yet. */
  cacheFolder: () => string
  /** macOS's own updater. */
  system: SystemUpdater
  /** Starts a file once this program has ended. */
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
      // The log is closed by now: what becomes of it is told by the version that starts.
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
        // The file of an AppImage, with what it was started with: the folder that it runs in goes with it.
        program.relaunch({ execPath: programFile(), args: argumentsAgain(process.argv.slice(1), dataDir) })
        program.quit()
      }
      if (comesBack) return again()
      const isSquirrels = process.platform === 'darwin' && by === 'person' && plan === 'install-and-restart'
      // It ends the program itself once it has the update; where it does not, this version comes back.
      if (isSquirrels && engine) setTimeout(again, SQUIRREL_MS)
      else program.quit()
    },
  }
}
