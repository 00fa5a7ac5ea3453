import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'

/** How this panel was installed, where that is a way it can be updated. */
export type Installer = 'nsis' | 'mac' | 'appimage' | 'deb' | 'rpm'

/** What is looked at to know it. */
export interface Installation {
  packaged: boolean
  platform: NodeJS.Platform
  /** Folder of the packed program's resources. */
  resources: string
  /** The file that this process runs. */
  program: string
  env: NodeJS.ProcessEnv
}

/** Whether a panel can be updated where it runs, and how. */
export function whereUpdated(
  installation: Installation,
): { kind: 'here'; installer: Installer } | { kind: 'not-here'; why: 'not-installed' | 'no-feed' } {
  if (!installation.packaged) return { kind: 'not-here', why: 'not-installed' }
  if (!existsSync(join(installation.resources, 'app-update.yml'))) return { kind: 'not-here', why: 'no-feed' }
  const installer = installerOf(installation)
  return installer ? { kind: 'here', installer } : { kind: 'not-here', why: 'not-installed' }
}

function installerOf({ platform, resources, program, env }: Installation): Installer | null {
  if (platform === 'win32') return 'nsis'
  if (platform === 'darwin') return 'mac'
  if (platform !== 'linux') return null
  // Written by what builds the packages of Linux. A folder that was unpacked by hand has none.
  const type = readText(join(resources, 'package-type'))
  if (type === 'deb' || type === 'rpm') return type
  return isAppImage(program, env) ? 'appimage' : null
}

/** Whether this program is the AppImage that the environment names: it is inherited by whatever that program starts. */
function isAppImage(program: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): boolean {
  if (!APPIMAGE || !APPDIR || !isAbsolute(APPIMAGE) || !isAbsolute(APPDIR)) return false
  try {
    return realpathSync(program).startsWith(realpathSync(APPDIR) + sep)
  } catch {
    return false
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
