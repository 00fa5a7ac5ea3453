import { dialog, Menu, type MenuItemConstructorOptions } from 'electron'
import { type MenuEntry, menuOf } from '../desktop/menu.ts'
import { SETTINGS_PLACE } from '../desktop/alerts/places.ts'
import { FURTHER_MOST } from '../desktop/windows/window-state.ts'
import { spokenLanguage, texts } from './windows/dialogs.ts'
import type { PanelWindows } from './windows/windows.ts'

const keys = ({ shortcut }: { shortcut?: string }) =>
  shortcut === undefined ? {} : { accelerator: shortcut }

export function setMenu(
  platform: NodeJS.Platform,
  packaged: boolean,
  windows: Pick<PanelWindows, 'tearOff' | 'putBack' | 'show'>,
): void {
  const acts = {
    'tear-off': () =>
      windows.tearOff() ||
      void dialog.showMessageBox({ type: 'info', message: texts().windowsMost(FURTHER_MOST) }),
    'put-back': () => windows.putBack(),
    settings: () => windows.show(SETTINGS_PLACE),
    // Diagnostics are at the end of the settings.
    help: () => windows.show(SETTINGS_PLACE),
  }
  const item = (entry: MenuEntry): MenuItemConstructorOptions => {
    if (entry.kind === 'separator') return { type: 'separator' }
    if (entry.kind === 'act') return { label: entry.label, ...keys(entry), click: acts[entry.act] }
    const { role, label, hidden } = entry
    return { role, ...(label && { label }), ...keys(entry), visible: !hidden }
  }
  const parts = menuOf(platform, packaged, spokenLanguage())
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(parts.map(({ entries, ...part }) => ({ ...part, submenu: entries.map(item) }))),
  )
}
