// Stands in for the `electron` module in tests: it records what it is told, and tests fire its events. Each part is held
// against Electron's own types, so that a call Electron does not have does not compile here either.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type * as Electron from 'electron'

/** An event whose default can be prevented, as Electron hands it out. */
export class StandInEvent {
  defaultPrevented = false
  preventDefault(): void {
    this.defaultPrevented = true
  }
}

export class StandInContents extends EventEmitter {
  sent: unknown[][] = []
  windowOpenHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null
  destroyed = false
  reloads = 0
  send(channel: string, ...args: unknown[]): void {
    this.sent.push([channel, ...args])
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.windowOpenHandler = handler
  }
  reload(): void {
    this.reloads += 1
  }
  destroy(): void {
    this.destroyed = true
    this.emit('destroyed')
  }
}
new StandInContents() satisfies Pick<
  Electron.WebContents,
  'send' | 'isDestroyed' | 'setWindowOpenHandler' | 'reload'
>

export class StandInWindow extends EventEmitter {
  static opened: StandInWindow[] = []
  readonly options: Electron.BrowserWindowConstructorOptions
  readonly webContents = new StandInContents()
  visible = false
  maximized = false
  address: string | null = null
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super()
    this.options = options
    StandInWindow.opened.push(this)
  }
  loadURL(address: string): Promise<void> {
    this.address = address
    return Promise.resolve()
  }
  show(): void {
    this.visible = true
  }
  maximize(): void {
    this.maximized = true
  }
  isMaximized(): boolean {
    return this.maximized
  }
  isDestroyed(): boolean {
    return this.webContents.destroyed
  }
  getNormalBounds(): Electron.Rectangle {
    const { x = 0, y = 0, width = 0, height = 0 } = this.options
    return { x, y, width, height }
  }
}
new StandInWindow({}) satisfies Pick<
  Electron.BrowserWindow,
  'loadURL' | 'show' | 'maximize' | 'isMaximized' | 'isDestroyed' | 'getNormalBounds'
>

/** A program that a utilityProcess runs. */
export class StandInChild extends EventEmitter {
  static started: StandInChild[] = []
  readonly pid: number | undefined = undefined
  readonly stdout = null
  readonly stderr = new PassThrough()
  readonly received: unknown[] = []
  readonly start: [modulePath: string, args?: string[], options?: Electron.ForkOptions]
  constructor(...start: Parameters<typeof Electron.utilityProcess.fork>) {
    super()
    this.start = start
    StandInChild.started.push(this)
  }
  postMessage(message: unknown): void {
    this.received.push(message)
  }
  kill(): boolean {
    return true
  }
}

type CallListener = Parameters<Electron.IpcMain['handle']>[1]
type PageHandler = Parameters<Electron.Protocol['handle']>[1]

/** What was set on Electron. */
export const told = {
  calls: new Map<string, CallListener>(),
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
  relaunches: 0,
}

/** What Electron answers. */
export const given = {
  dark: false,
  locale: 'en-GB',
  displays: [{ x: 0, y: 0, width: 1920, height: 1040 }],
  choice: 0,
  /** Whether no other program holds the same folder. */
  alone: true,
}

export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  enableSandbox: () => void (told.sandboxed = true),
  getLocale: () => given.locale,
  getVersion: () => '0.0.0',
  setPath: (name, path) => void told.paths.set(name, path),
  getPath: (name) => told.paths.get(name) ?? '/nowhere',
  relaunch: () => void (told.relaunches += 1),
  requestSingleInstanceLock: () => given.alone,
  whenReady: () => Promise.resolve(),
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
  | 'exit'
  | 'quit'
>)

export const powerMonitor = new EventEmitter()

export const Menu = {
  buildFromTemplate: (template) => {
    told.menus.push(template)
    return {} as Electron.Menu
  },
  setApplicationMenu: () => undefined,
} satisfies Pick<typeof Electron.Menu, 'buildFromTemplate' | 'setApplicationMenu'>

export const ipcMain = {
  handle: (channel, listener) => void told.calls.set(channel, listener),
} satisfies Pick<Electron.IpcMain, 'handle'>

export const protocol = {
  registerSchemesAsPrivileged: (schemes) => void told.schemes.push(...schemes),
  handle: (scheme, handler) => void told.page.set(scheme, handler),
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler) => void (told.permissionRequest = handler),
    setPermissionCheckHandler: (handler) => void (told.permissionCheck = handler),
    setDevicePermissionHandler: (handler) => void (told.devicePermission = handler),
  } satisfies Pick<
    Electron.Session,
    'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
  >,
}

export const shell = {
  openExternal: (address) => {
    told.opened.push(address)
    return Promise.resolve()
  },
} satisfies Pick<Electron.Shell, 'openExternal'>

export const dialog = {
  showMessageBox: (
    ...args: [Electron.BaseWindow, Electron.MessageBoxOptions] | [Electron.MessageBoxOptions]
  ) => {
    told.asked.push(args.length === 2 ? args[1] : args[0])
    return Promise.resolve({ response: given.choice, checkboxChecked: false })
  },
  showMessageBoxSync: (
    ...args: [Electron.BaseWindow, Electron.MessageBoxSyncOptions] | [Electron.MessageBoxSyncOptions]
  ) => {
    told.asked.push(args.length === 2 ? args[1] : args[0])
    return given.choice
  },
  showErrorBox: (title, content) => void told.errors.push({ title, content }),
} satisfies Pick<Electron.Dialog, 'showMessageBox' | 'showMessageBoxSync' | 'showErrorBox'>

export const nativeTheme = {
  themeSource: 'system' as Electron.NativeTheme['themeSource'],
  get shouldUseDarkColors() {
    return given.dark
  },
} satisfies Pick<Electron.NativeTheme, 'themeSource' | 'shouldUseDarkColors'>

export const screen = {
  getAllDisplays: () => given.displays.map((workArea) => ({ workArea }) as Electron.Display),
} satisfies Pick<Electron.Screen, 'getAllDisplays'>

export const utilityProcess = {
  fork: (...start: Parameters<typeof Electron.utilityProcess.fork>) => new StandInChild(...start),
}

export const BrowserWindow = StandInWindow
