import { Menu, type MenuItemConstructorOptions } from 'electron'
import { texts } from './texts.ts'

/**
 * The menu. On macOS it is what people expect; elsewhere it stays hidden and is there for its shortcuts, of which
 * Ctrl+W is none: in a console that deletes a word.
 */
export function setMenu(platform: NodeJS.Platform, packaged: boolean): void {
  const view: MenuItemConstructorOptions = {
    label: texts().view,
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(packaged ? [] : ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const)),
    ],
  }
  const template: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [{ role: 'appMenu' }, { role: 'editMenu' }, view, { role: 'windowMenu' }]
      : [{ label: 'Wheelhouse', submenu: [{ role: 'quit' }] }, { role: 'editMenu' }, view]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
