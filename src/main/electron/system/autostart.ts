import { app } from 'electron'
import { type AutostartPort, startArguments } from '../../desktop/autostart.ts'
import { linuxAutostartIsOn, programFile, setLinuxAutostart } from '../../desktop/linux/autostart.ts'

/** Null from source, where it would start Electron itself. */
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
      // On Windows it can be registered yet disabled.
      return platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin
    },
    set: async (on) => app.setLoginItemSettings({ openAtLogin: on, args }),
  }
}

export const startedBySystem = (platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
