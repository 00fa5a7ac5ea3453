import { app } from 'electron'
import { type AutostartPort, startArguments } from '../../desktop/autostart.ts'
import { linuxAutostartIsOn, programFile, setLinuxAutostart } from '../../desktop/linux/autostart.ts'

/** How this system starts the panel, without a window; null from its sources, where it would be Electron that starts. */
export function autostart(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): AutostartPort | null {
  if (!app.isPackaged) return null
  const args = startArguments(dataDir, platform)
  if (platform === 'linux')
    return {
      isOn: () => linuxAutostartIsOn(),
      set: (on) => setLinuxAutostart(on, [programFile(), ...args]),
    }
  return {
    isOn: async () => {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings()
      // On Windows it may be there and be turned off.
      return platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin
    },
    set: async (on) => app.setLoginItemSettings({ openAtLogin: on, args }),
  }
}

/** Whether the system has started the panel where it passes no arguments, which is on macOS. */
export const startedBySystem = (platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
