import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'

export type Installer = 'nsis' | 'mac' | 'appimage' | 'deb' | 'rpm'

export interface Installation {
  packaged: boolean
  platform: NodeJS.Platform
  resources: string
  program: string
  env: NodeJS.ProcessEnv
}

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
  // Written by the Linux packager; absent in unpacked archives.
  const type = readText(join(resources, 'package-type'))
  if (type === 'deb' || type === 'rpm') return type
  return isAppImage(program, env) ? 'appimage' : null
}

/** The variables are inherited by child programs, so compare with this one. */
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
