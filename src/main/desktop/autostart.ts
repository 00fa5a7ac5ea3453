import { defaultFolder } from '../../host/data-folder.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'

export interface AutostartPort {
  isOn: () => Promise<boolean>
  set: (on: boolean) => Promise<void>
}

/** Hidden, and with the data folder it was turned on in. macOS passes no arguments. */
export function startArguments(
  dataDir: string,
  platform: NodeJS.Platform,
  usual: string = defaultFolder(),
): string[] {
  if (dataDir === usual) return ['--hidden']
  // Windows takes one line. A backslash before the closing quote would escape it.
  const folder = platform === 'win32' ? `"${dataDir.replace(/\\+$/, '$&$&')}"` : dataDir
  return ['--hidden', '--data', folder]
}

/** Marks our own instructions; without the code they would be shown as a service's error. */
const here = { serviceCode: 'computer.autostart' }

/** Throws a problem if the system does not comply. `port` is null if the panel is not installed. */
export async function changeAutostart(port: AutostartPort | null, on: boolean): Promise<void> {
  if (!port) throw problem('unavailable', localized('desktop.autostart-not-installed'), here)
  const failed = () =>
    problem('conflict', localized(on ? 'desktop.autostart-not-on' : 'desktop.autostart-not-off'), here)
  await port.set(on).catch(() => {
    throw failed()
  })
  // A system may accept it without effect, for example until the user allows it.
  if ((await port.isOn()) !== on) throw failed()
}

/** AppUserModelID: notifications, taskbar and autostart. */
export const WINDOWS_ID = 'org.wheelhouse.panel'

/**
 * COM class that Windows starts on clicks after the program ended. Without it Electron generates one per installation:
 * old notifications would lead nowhere and each id would stay in the registry.
 */
export const TOAST_ACTIVATOR = '{6F0B2C57-0E5D-4E0C-9E3A-7C1B5D9A4E21}'
