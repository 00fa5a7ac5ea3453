import { defaultFolder } from '../../host/default-folder.ts'
import { say } from '../../contract/messages/say.ts'
import { problem } from '../base/problem.ts'

/** How the system starts the panel. */
export interface AutostartPort {
  /** Whether the system starts the panel, as a person may have changed in its own settings too. Never rejects. */
  isOn: () => Promise<boolean>
  /** Rejects where it cannot be written. */
  set: (on: boolean) => Promise<void>
}

/**
 * What the system starts the panel with: without a window, and with the folder it was turned on in. macOS passes no arguments.
 */
export function startArguments(
  dataDir: string,
  platform: NodeJS.Platform,
  usual: string = defaultFolder(),
): string[] {
  if (dataDir === usual) return ['--hidden']
  // Windows is given one line. A backslash before the last quote would be taken for a part of it.
  const folder = platform === 'win32' ? `"${dataDir.replace(/\\+$/, '$&$&')}"` : dataDir
  return ['--hidden', '--data', folder]
}

/** Our sentences say what to do; those of a service would be told as a service's fault. */
const here = { serviceCode: 'computer.autostart' }

/**
 * Has the system start the panel, or no longer. Throws a problem where it does not.
 * @param port null where the panel is not installed
 */
export async function changeAutostart(port: AutostartPort | null, on: boolean): Promise<void> {
  if (!port) throw problem('unavailable', say('desktop.autostart-not-installed'), here)
  const failed = () =>
    problem('conflict', say(on ? 'desktop.autostart-not-on' : 'desktop.autostart-not-off'), here)
  await port.set(on).catch(() => {
    throw failed()
  })
  // A system may take it and still not do it, as where a person has to allow it first.
  if ((await port.isOn()) !== on) throw failed()
}
