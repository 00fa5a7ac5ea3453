import { Menu, type MenuItemConstructorOptions } from 'electron'
import { texts } from './texts.ts'
import type { PanelWindows } from './windows/windows.ts'

/**
 * The menu. On macOS it is what people expect; elsewhere it stays hidden and is there for its shortcuts, of which
 * Ctrl+W is none: in a console that deletes a word.
 */
export function setMenu(
  platform: NodeJS.Platform,
  packaged: boolean,
  windows: Pick<PanelWindows, 'tearOff' | 'putBack'>,
): void {
  const words = texts()
  const view: MenuItemConstructorOptions = {
    label: words.view,
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(packaged ? [] : ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const)),
    ],
  }
  const several: MenuItemConstructorOptions[] = [
    { label: words.openInNewWindow, accelerator: 'CmdOrCtrl+Shift+N', click: () => windows.tearOff() },
    { label: words.putBack, accelerator: 'CmdOrCtrl+Shift+B', click: () => windows.putBack() },
  ]
  const template: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [
          { role: 'appMenu' },
          { role: 'editMenu' },
          view,
          {
            role: 'window',
            submenu: [
              { role: 'minimize' },
              { role: 'zoom' },
              { role: 'close' },
              { type: 'separator' },
              ...several,
              { type: 'separator' },
              { role: 'front' },
            ],
          },
        ]
      : [
          { label: 'Wheelhouse', submenu: [{ role: 'quit' }] },
          { role: 'editMenu' },
          view,
          { label: words.window, submenu: several },
          { label: words.help, submenu: [{ role: 'about' }] },
        ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
