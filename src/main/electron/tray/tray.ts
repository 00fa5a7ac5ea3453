import { app, BrowserWindow, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import type { TrayAction, TrayHow, TrayEntry, TrayModel } from '../../desktop/tray/tray-model.ts'
import { trayPicture } from '../../desktop/tray/tray-picture.ts'
import { UNREAD_DOT } from '../../desktop/tray/tray-pictures.ts'

export interface TrayPorts {
  go: (place?: string) => void
  power: (server: ServerRef, action: TrayAction, how: TrayHow) => void
  quit: () => void
  platform: NodeJS.Platform
}

export class PanelTray {
  readonly #ports: TrayPorts
  #tray: Tray | null = null
  #model: TrayModel | null = null

  constructor(ports: TrayPorts) {
    this.#ports = ports
    // The taskbar button exists once the window is shown.
    if (ports.platform === 'win32')
      app.on('browser-window-created', (_event, window) => window.once('show', () => this.#mark(window)))
  }

  get isThere(): boolean {
    return this.#tray !== null
  }

  wanted(wanted: boolean): void {
    if (wanted === this.isThere) return
    this.#tray?.destroy()
    this.#tray = wanted ? new Tray(trayPicture(nativeImage, this.#ports.platform)) : null
    // On macOS a click opens the menu.
    if (this.#ports.platform !== 'darwin') this.#tray?.on('click', () => this.#ports.go())
    this.#draw()
  }

  show(model: TrayModel): void {
    this.#model = model
    if (this.#ports.platform !== 'win32') app.setBadgeCount(model.unread)
    else for (const window of BrowserWindow.getAllWindows()) this.#mark(window)
    this.#draw()
  }

  #mark(window: BrowserWindow): void {
    const { unread = 0, title = '' } = this.#model ?? {}
    window.setOverlayIcon(unread > 0 ? nativeImage.createFromDataURL(UNREAD_DOT) : null, title)
  }

  #draw(): void {
    const [tray, model] = [this.#tray, this.#model]
    if (!tray || !model) return
    tray.setToolTip(model.tooltip)
    if (this.#ports.platform === 'darwin') tray.setTitle(model.title)
    tray.setContextMenu(Menu.buildFromTemplate(model.entries.map((entry) => this.#item(entry))))
  }

  #item(entry: TrayEntry): MenuItemConstructorOptions {
    const { go, power, quit } = this.#ports
    switch (entry.kind) {
      case 'separator':
        return { type: 'separator' }
      case 'line':
        return { label: entry.label, enabled: false }
      case 'place':
        return { label: entry.label, click: () => go(entry.to) }
      case 'open':
        return { label: entry.label, click: () => go() }
      case 'quit':
        return { label: entry.label, click: quit }
      case 'server':
        return {
          label: entry.label,
          submenu: entry.entries.map((one) =>
            'action' in one
              ? {
                  label: one.label,
                  enabled: one.enabled,
                  click: () => power(entry.server, one.action, one.how),
                }
              : { label: one.label, click: () => go(one.to) },
          ),
        }
    }
  }
}
