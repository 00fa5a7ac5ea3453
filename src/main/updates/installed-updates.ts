import { programFile } from '../desktop/linux/autostart.ts'
import { reasonOf } from '../../host/disk-errors.ts'
import type { ExitPlan, UpdateEngine, UpdatesPort } from './update-engine.ts'
import { whereUpdated } from './where-updated.ts'
import type { Log } from '../logging/log.ts'

export interface InstalledUpdates {
  port: (log: Log) => UpdatesPort
  /** Exits, installing first if planned. Everything else must be closed. */
  end: (by: Ending) => void
}

/** `system` would kill an installation halfway; with `keeping`, servers still need this version's files. */
type Ending = 'person' | 'system' | 'keeping'

/** Squirrel may still be checking the download. */
const SQUIRREL_MS = 60_000

export interface InstalledProgram {
  packaged: boolean
  resources: string
  relaunch: (start: { execPath: string; args: string[] }) => void
  quit: () => void
  tellNotInstalled: (why: string) => void
}

/** @param close closes the panel and calls `end`, without asking about servers */
export function installedUpdates(program: InstalledProgram, close: () => void): InstalledUpdates {
  let plan: ExitPlan = 'nothing'
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
      return {
        kind: 'here',
        async engine() {
          const { LibraryEngine, updaterFor } = await import('./library-engine.ts')
          return (engine ??= new LibraryEngine({ updater: updaterFor(installer), installer, log }))
        },
        plan: (now) => void (plan = now),
        close,
      }
    },
    end(by) {
      const comesBack = carryOut(plan, by, engine, (error) => program.tellNotInstalled(reasonOf(error)))
      const again = () => {
        // Start the AppImage file itself: its mount folder disappears.
        program.relaunch({ execPath: programFile(), args: process.argv.slice(1) })
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

/**
 * Carries out a plan after the panel closed. If installing fails, this version restarts instead of the new one.
 * @returns whether to restart the panel, in this version or the new one
 */
export function carryOut(
  plan: ExitPlan,
  by: Ending,
  engine: UpdateEngine | null,
  failed: (error: unknown) => void,
): boolean {
  if (plan === 'nothing' || by !== 'person' || !engine) return false
  const restart = plan === 'install-and-restart'
  try {
    return engine.install(restart)
  } catch (error) {
    failed(error)
    return restart
  }
}
