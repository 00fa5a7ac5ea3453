import { powerMonitor } from 'electron'
import { followLinuxBattery } from '../../desktop/linux/battery.ts'
import type { Panel } from '../../panel/panel.ts'

export function followPower(
  panel: Promise<Pick<Panel, 'wake' | 'sleep' | 'spare'>>,
  platform: NodeJS.Platform = process.platform,
  followBattery = followLinuxBattery,
): void {
  const tell = (what: (panel: Pick<Panel, 'wake' | 'sleep' | 'spare'>) => void) =>
    void panel.then(what, () => undefined)
  powerMonitor.on('suspend', () => tell((panel) => panel.sleep()))
  powerMonitor.on('resume', () => tell((panel) => panel.wake()))
  // Electron does not report batteries on Linux.
  if (platform === 'linux') return void followBattery((on) => tell((panel) => panel.spare(on)))
  powerMonitor.on('on-battery', () => tell((panel) => panel.spare(true)))
  powerMonitor.on('on-ac', () => tell((panel) => panel.spare(false)))
  if (powerMonitor.onBatteryPower) tell((panel) => panel.spare(true))
}
