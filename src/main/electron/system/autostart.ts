import { app } from 'electron'
import { setLinuxAutostart } from '../../desktop/linux-autostart.ts'

/** Has the panel start with the system, without a window, or no longer. Rejects where that cannot be written. */
export async function setAutostart(on: boolean): Promise<void> {
  // From its sources it would be Electron itself that starts.
  if (!app.isPackaged) return
  if (process.platform === 'linux')
    await setLinuxAutostart(on, [process.env['APPIMAGE'] ?? process.execPath, '--hidden'])
  else app.setLoginItemSettings({ openAtLogin: on, args: ['--hidden'] })
}
