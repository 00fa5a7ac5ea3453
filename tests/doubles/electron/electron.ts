// Stands in for the `electron` module in tests: it records what it is told, and tests fire its events. Each part is held
// against Electron's own types, so that a call or an event Electron does not have does not compile here either.
import type { EventEmitter } from 'node:events'
import type * as Electron from 'electron'
import {
  given,
  StandInBaseWindow,
  StandInChild,
  StandInEmitter,
  StandInEvent,
  StandInNotification,
  StandInTray,
  StandInWindow,
} from './parts.ts'
import { StandInImage } from './picture.ts'
import { onlyOnceReady, onlyUntilReady, phase } from './phase.ts'

export {
  given,
  StandInBaseWindow,
  StandInChild,
  StandInContents,
  StandInEvent,
  StandInNotification,
  StandInTray,
  StandInWindow,
  type EventOf,
} from './parts.ts'

type CallListener = Parameters<Electron.IpcMain['handle']>[1]
type SendListener = Parameters<Electron.IpcMain['on']>[1]
type PageHandler = Parameters<Electron.Protocol['handle']>[1]

/** What was set on Electron. */
export const told = {
  calls: new Map<string, CallListener>(),
  sends: new Map<string, SendListener>(),
  page: new Map<string, PageHandler>(),
  schemes: [] as Electron.CustomScheme[],
  permissionRequest: null as Parameters<Electron.Session['setPermissionRequestHandler']>[0],
  permissionCheck: null as Parameters<Electron.Session['setPermissionCheckHandler']>[0],
  devicePermission: null as Parameters<Electron.Session['setDevicePermissionHandler']>[0],
  opened: [] as string[],
  asked: [] as Electron.MessageBoxOptions[],
  errors: [] as { title: string; content: string }[],
  paths: new Map<string, string>(),
  menus: [] as unknown[],
  /** Exit codes, of which a real program has one. */
  exits: [] as number[],
  sandboxed: false,
  badge: 0,
  protocols: [] as string[],
  login: null as Electron.Settings | null,
  revealed: [] as string[],
  openedPaths: [] as string[],
  picked: [] as Electron.OpenDialogOptions[],
  placed: [] as Electron.SaveDialogOptions[],
  relaunches: 0,
  crashReports: [] as Electron.CrashReporterStartOptions[],
  windowsIds: {} as { app?: string; toasts?: string },
}

export const app = Object.assign(new StandInEmitter<Electron.App>(), {
  isPackaged: false as boolean,
  enableSandbox: () => {
    onlyUntilReady('app.enableSandbox')
    told.sandboxed = true
  },
  // Before Electron is ready it knows none.
  getLocale: () => (phase.now === 'before' ? '' : given.locale),
  getVersion: () => '0.0.0',
  setPath: (name, path) => void told.paths.set(name, path),
  getPath: (name) => told.paths.get(name) ?? '/nowhere',
  relaunch: () => void (told.relaunches += 1),
  requestSingleInstanceLock: () => given.alone,
  whenReady: () => Promise.resolve().then(() => void (phase.now = phase.now === 'any' ? 'any' : 'ready')),
  setBadgeCount: (count = 0) => {
    told.badge = count
    return true
  },
  setAppUserModelId: (id) => void (told.windowsIds.app = id),
  setToastActivatorCLSID: (id) => void (told.windowsIds.toasts = id),
  setAsDefaultProtocolClient: (scheme) => {
    told.protocols.push(scheme)
    return true
  },
  setLoginItemSettings: (settings) => {
    onlyOnceReady('app.setLoginItemSettings')
    told.login = settings
    if (!given.refusesLogin) given.login.openAtLogin = settings.openAtLogin ?? false
  },
  getLoginItemSettings: () => {
    onlyOnceReady('app.getLoginItemSettings')
    return given.login as Electron.LoginItemSettings
  },
  showAboutPanel: () => undefined,
  exit: (code = 0) => void told.exits.push(code),
  // As Electron does: whoever listens may prevent it.
  quit: () => {
    const event = new StandInEvent()
    app.emit('before-quit', event)
    if (!event.defaultPrevented) told.exits.push(0)
  },
} satisfies Pick<
  Electron.App,
  | 'isPackaged'
  | 'enableSandbox'
  | 'getLocale'
  | 'getVersion'
  | 'setPath'
  | 'getPath'
  | 'relaunch'
  | 'requestSingleInstanceLock'
  | 'whenReady'
  | 'setBadgeCount'
  | 'setAppUserModelId'
  | 'setToastActivatorCLSID'
  | 'setAsDefaultProtocolClient'
  | 'setLoginItemSettings'
  | 'getLoginItemSettings'
  | 'showAboutPanel'
  | 'exit'
  | 'quit'
>)

class StandInPower extends StandInEmitter<Electron.PowerMonitor> {
  override on(...heard: Parameters<EventEmitter['on']>): this {
    onlyOnceReady('powerMonitor')
    return super.on(...heard)
  }
  get onBatteryPower(): boolean {
    return given.onBattery
  }
}
export const autoUpdater = new StandInEmitter<Electron.AutoUpdater>()
export const powerMonitor = new StandInPower()
powerMonitor satisfies Pick<Electron.PowerMonitor, 'onBatteryPower'>

export const Menu = {
  buildFromTemplate: (template) => {
    told.menus.push(template)
    return { template } as unknown as Electron.Menu
  },
  setApplicationMenu: () => undefined,
} satisfies Pick<typeof Electron.Menu, 'buildFromTemplate' | 'setApplicationMenu'>

export const nativeImage = {
  createFromPath: (path) => ({ path, setTemplateImage: () => undefined }) as unknown as Electron.NativeImage,
  createFromDataURL: (address) => new StandInImage(address) as unknown as Electron.NativeImage,
} satisfies Pick<typeof Electron.nativeImage, 'createFromPath' | 'createFromDataURL'>

export const ipcMain = {
  handle: (channel, listener) => void told.calls.set(channel, listener),
  on: (channel, listener) => {
    told.sends.set(channel, listener)
    return null as unknown as Electron.IpcMain
  },
} satisfies Pick<Electron.IpcMain, 'handle' | 'on'>

export const protocol = {
  registerSchemesAsPrivileged: (schemes) => {
    onlyUntilReady('protocol.registerSchemesAsPrivileged')
    told.schemes.push(...schemes)
  },
  handle: (scheme, handler) => {
    onlyOnceReady('protocol.handle')
    told.page.set(scheme, handler)
  },
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>

const defaultSession = {
  setPermissionRequestHandler: (handler) => void (told.permissionRequest = handler),
  setPermissionCheckHandler: (handler) => void (told.permissionCheck = handler),
  setDevicePermissionHandler: (handler) => void (told.devicePermission = handler),
  resolveProxy: () => Promise.resolve(given.proxy),
} satisfies Pick<
  Electron.Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'resolveProxy'
>
export const session = {
  get defaultSession() {
    onlyOnceReady('session.defaultSession')
    return defaultSession
  },
}

export const crashReporter = {
  start: (options) => {
    onlyUntilReady('crashReporter.start')
    told.crashReports.push(options)
  },
} satisfies Pick<Electron.CrashReporter, 'start'>

export const shell = {
  openExternal: (address) => {
    told.opened.push(address)
    return Promise.resolve()
  },
  openPath: (path) => {
    told.openedPaths.push(path)
    return Promise.resolve(given.openFault)
  },
  showItemInFolder: (path) => void told.revealed.push(path),
} satisfies Pick<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder'>

export const dialog = {
  showMessageBox: (
    ...args: [Electron.BaseWindow, Electron.MessageBoxOptions] | [Electron.MessageBoxOptions]
  ) => {
    onlyOnceReady('dialog.showMessageBox')
    told.asked.push(args.length === 2 ? args[1] : args[0])
    return Promise.resolve({ response: given.choice, checkboxChecked: false })
  },
  showMessageBoxSync: (
    ...args: [Electron.BaseWindow, Electron.MessageBoxSyncOptions] | [Electron.MessageBoxSyncOptions]
  ) => {
    onlyOnceReady('dialog.showMessageBoxSync')
    told.asked.push(args.length === 2 ? args[1] : args[0])
    return given.choice
  },
  showOpenDialog: (
    ...args: [Electron.BaseWindow, Electron.OpenDialogOptions] | [Electron.OpenDialogOptions]
  ) => {
    onlyOnceReady('dialog.showOpenDialog')
    told.picked.push(args.length === 2 ? args[1] : args[0])
    return Promise.resolve({
      canceled: given.folder === null,
      filePaths: given.folder === null ? [] : [given.folder],
    })
  },
  showSaveDialog: (
    ...args: [Electron.BaseWindow, Electron.SaveDialogOptions] | [Electron.SaveDialogOptions]
  ) => {
    onlyOnceReady('dialog.showSaveDialog')
    told.placed.push(args.length === 2 ? args[1] : args[0])
    return Promise.resolve({ canceled: given.place === null, filePath: given.place ?? '' })
  },
  showErrorBox: (title, content) => void told.errors.push({ title, content }),
} satisfies Pick<
  Electron.Dialog,
  'showMessageBox' | 'showMessageBoxSync' | 'showOpenDialog' | 'showSaveDialog' | 'showErrorBox'
>

export const nativeTheme = {
  themeSource: 'system' as Electron.NativeTheme['themeSource'],
  get shouldUseDarkColors() {
    return given.dark
  },
} satisfies Pick<Electron.NativeTheme, 'themeSource' | 'shouldUseDarkColors'>

export const screen = {
  getAllDisplays: () => {
    onlyOnceReady('screen.getAllDisplays')
    return given.displays.map((workArea) => ({ workArea }) as Electron.Display)
  },
} satisfies Pick<Electron.Screen, 'getAllDisplays'>

export const utilityProcess = {
  fork: (...start: Parameters<typeof Electron.utilityProcess.fork>) => new StandInChild(...start),
}

export const BaseWindow = StandInBaseWindow
export const BrowserWindow = StandInWindow
export const Tray = StandInTray
export const Notification = StandInNotification
