import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** How this panel was installed, where that is a way it can be updated. */
export type Installer = 'nsis' | 'mac' | 'appimage' | 'deb' | 'rpm'

/** What is looked at to know it. */
export interface Installation {
  packaged: boolean
  platform: NodeJS.Platform
  /** Folder of the packed program's resources. */
  resources: string
  env: NodeJS.ProcessEnv
}

/** Whether a panel can be updated where it runs, and how. */
export function whereUpdated({
  packaged,
  platform,
  resources,
  env,
}: Installation):
  { kind: 'here'; installer: Installer } | { kind: 'not-here'; why: 'not-installed' | 'no-feed' } {
  if (!packaged) return { kind: 'not-here', why: 'not-installed' }
  if (!existsSync(join(resources, 'app-update.yml'))) return { kind: 'not-here', why: 'no-feed' }
  const installer = installerOf(platform, resources, env)
  return installer ? { kind: 'here', installer } : { kind: 'not-here', why: 'not-installed' }
}

function installerOf(
  platform: NodeJS.Platform,
  resources: string,
  { APPIMAGE }: NodeJS.ProcessEnv,
): Installer | null {
  if (platform === 'win32') return 'nsis'
  if (platform === 'darwin') return 'mac'
  if (platform !== 'linux') return null
  if (APPIMAGE) return isAbsolute(APPIMAGE) ? 'appimage' : null
  // Written by what builds the packages of Linux. A folder that was unpacked by hand has none.
  const type = readText(join(resources, 'package-type'))
  return type === 'deb' || type === 'rpm' ? type : null
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
