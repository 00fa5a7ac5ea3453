// What of Electron is made and fires events, as tests see it. Each part is held against Electron's own types, so that a call
// or an event Electron does not have does not compile here either.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type * as Electron from 'electron'
import { onlyOnceReady } from './phase.ts'

/** What Electron answers. */
export const given = {
  dark: false,
  locale: 'en-GB',
  displays: [{ x: 0, y: 0, width: 1920, height: 1040 }],
  choice: 0,
  /** Whether no other program holds the same folder. */
  alone: true,
  /** What the system says of the way to an address. */
  proxy: 'DIRECT',
  notifications: true,
  /** Whether pages are loaded at once. */
  loads: true,
  /** Whether the system shows one, where it has them. */
  shows: true,
  /** What the page answers to a script. */
  evaluate: (_script: string): unknown => undefined,
  /** Why the system opens no file; empty where it does. */
  openFault: '',
  /** What a person chooses in a dialog for folders. */
  folder: null as string | null,
  /** Where a person wants a file saved. */
  place: null as string | null,
  onBattery: false,
  /** What starts with the system, as its own settings say. */
  login: {
    openAtLogin: false,
    wasOpenedAtLogin: false,
    executableWillLaunchAtLogin: false,
  } as Pick<Electron.LoginItemSettings, 'openAtLogin' | 'wasOpenedAtLogin' | 'executableWillLaunchAtLogin'>,
  /** Whether nothing may be added to it. */
  refusesLogin: false,
}

// `any`: only so are all overloads compared.
/* eslint-disable @typescript-eslint/no-explicit-any */
/** The names of events that something of Electron's has; of any other name, nothing. */
export type EventOf<Target, Name extends string> = string extends Name
  ? never
  : Name extends string
    ? Target extends { on(event: Name, listener: (...args: any[]) => void): unknown }
      ? Name
      : never
    : never
/* eslint-enable @typescript-eslint/no-explicit-any */

/** Fires the events of something of Electron's, and those alone. */
export class StandInEmitter<Target> extends EventEmitter {
  override emit<Name extends string>(event: Name & EventOf<Target, Name>, ...args: unknown[]): boolean {
    return super.emit(event, ...args)
  }
}

/** An event whose default can be prevented, as Electron hands it out. */
export class StandInEvent {
  defaultPrevented = false
  preventDefault(): void {
    this.defaultPrevented = true
  }
}

export class StandInContents extends StandInEmitter<Electron.WebContents> {
  sent: unknown[][] = []
  windowOpenHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null
  destroyed = false
  reloads = 0
  /** Whoever comes after the page was loaded is told at once: a real one takes longer than to be listened to. */
  override on(event: string, listener: (...args: never[]) => void): this {
    super.on(event, listener as (...args: unknown[]) => void)
    if (event === 'ipc-message' && this.address && given.loads)
      this.emit('ipc-message', new StandInEvent(), 'panel:ready')
    return this
  }
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
    this.load()
  }
  /** A page is loaded; its preload says that it hears, as far as the test has it load at all. */
  load(): void {
    this.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })
    if (given.loads) this.emit('ipc-message', new StandInEvent(), 'panel:ready')
  }
  /** Killed because it did not respond, as its person said. */
  crashes = 0
  zoomLevel = 0
  forcefullyCrashRenderer(): void {
    this.crashes += 1
  }
  executeJavaScript(script: string): Promise<unknown> {
    return Promise.resolve().then(() => given.evaluate(script))
  }
  readonly commands: unknown[][] = []
  readonly debugger = {
    attach: () => undefined,
    detach: () => undefined,
    sendCommand: (...command) => {
      this.commands.push(command)
      return Promise.resolve({ root: { nodeId: 1 }, nodeId: 2 })
    },
  } satisfies Pick<Electron.Debugger, 'attach' | 'detach' | 'sendCommand'>
  address = ''
  getURL(): string {
    return this.address
  }
  destroy(): void {
    this.destroyed = true
    this.emit('destroyed')
  }
}
export const heldContents = (contents: StandInContents) =>
  contents satisfies Pick<
    Electron.WebContents,
    | 'send'
    | 'isDestroyed'
    | 'setWindowOpenHandler'
    | 'reload'
    | 'forcefullyCrashRenderer'
    | 'zoomLevel'
    | 'getURL'
    | 'executeJavaScript'
  >

/** A window without a page. */
export class StandInBaseWindow extends StandInEmitter<Electron.BaseWindow> {
  static opened: StandInBaseWindow[] = []
  readonly options: Electron.BaseWindowConstructorOptions
  destroyed = false
  constructor(options: Electron.BaseWindowConstructorOptions = {}) {
    super()
    onlyOnceReady('BaseWindow')
    this.options = options
    StandInBaseWindow.opened.push(this)
  }
  destroy(): void {
    this.destroyed = true
  }
}
export const heldBaseWindow = (window: StandInBaseWindow) =>
  window satisfies Pick<Electron.BaseWindow, 'destroy'>

export class StandInWindow extends StandInEmitter<Electron.BrowserWindow> {
  static opened: StandInWindow[] = []
  readonly options: Electron.BrowserWindowConstructorOptions
  readonly webContents = new StandInContents()
  visible = false
  maximized = false
  minimized = false
  focused = false
  closed = false
  overlay: string | null = null
  address: string | null = null
  static getAllWindows(): Electron.BrowserWindow[] {
    return StandInWindow.opened.filter(({ closed }) => !closed) as never
  }
  static getFocusedWindow(): Electron.BrowserWindow | null {
    return (StandInWindow.opened.find(({ focused, closed }) => focused && !closed) ?? null) as never
  }
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super()
    onlyOnceReady('BrowserWindow')
    this.options = options
    StandInWindow.opened.push(this)
  }
  loadURL(address: string): Promise<void> {
    this.address = address
    this.webContents.address = address
    this.webContents.load()
    return Promise.resolve()
  }
  show(): void {
    this.visible = true
  }
  hide(): void {
    this.visible = false
  }
  focus(): void {
    this.focused = true
  }
  restore(): void {
    this.minimized = false
  }
  isMinimized(): boolean {
    return this.minimized
  }
  isVisible(): boolean {
    return this.visible
  }
  setOverlayIcon(icon: Electron.NativeImage | null, description: string): void {
    this.overlay = icon ? description : null
  }
  /** Its page does not respond: it is told to close, and does not. */
  hangs = false
  /** As Electron does: whoever listens may prevent it. */
  close(): void {
    const event = new StandInEvent()
    this.emit('close', event)
    if (!event.defaultPrevented && !this.hangs) this.destroy()
  }
  destroy(): void {
    if (this.closed) return
    this.closed = true
    this.webContents.destroy()
    this.emit('closed')
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
// Never called: a window that is made here would be one that nobody opened.
export const heldWindow = (window: StandInWindow) =>
  window satisfies Pick<
    Electron.BrowserWindow,
    | 'loadURL'
    | 'show'
    | 'hide'
    | 'focus'
    | 'restore'
    | 'close'
    | 'destroy'
    | 'isMinimized'
    | 'isVisible'
    | 'setOverlayIcon'
    | 'maximize'
    | 'isMaximized'
    | 'isDestroyed'
    | 'getNormalBounds'
  >
StandInWindow satisfies Pick<typeof Electron.BrowserWindow, 'getAllWindows' | 'getFocusedWindow'>

/** A program that a utilityProcess runs. */
export class StandInChild extends StandInEmitter<Electron.UtilityProcess> {
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

export class StandInTray extends StandInEmitter<Electron.Tray> {
  static made: StandInTray[] = []
  tip = ''
  title = ''
  menu: Electron.MenuItemConstructorOptions[] = []
  destroyed = false
  readonly icon: unknown
  constructor(...[icon]: ConstructorParameters<typeof Electron.Tray>) {
    super()
    this.icon = icon
    onlyOnceReady('Tray')
    StandInTray.made.push(this)
  }
  setToolTip(tip: string): void {
    this.tip = tip
  }
  setTitle(title: string): void {
    this.title = title
  }
  setContextMenu(menu: Electron.Menu | null): void {
    this.menu =
      (menu as unknown as { template: Electron.MenuItemConstructorOptions[] } | null)?.template ?? []
  }
  destroy(): void {
    this.destroyed = true
  }
}
export const heldTray = (tray: StandInTray) =>
  tray satisfies Pick<Electron.Tray, 'setToolTip' | 'setTitle' | 'setContextMenu' | 'destroy'>

export class StandInNotification extends StandInEmitter<Electron.Notification> {
  static shown: StandInNotification[] = []
  static isSupported(): boolean {
    return given.notifications
  }
  static activated: ((details: Electron.ActivationArguments) => void) | null = null
  static handleActivation(callback: (details: Electron.ActivationArguments) => void): void {
    StandInNotification.activated = callback
  }
  readonly options: Electron.NotificationConstructorOptions
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    onlyOnceReady('Notification')
    this.options = options
  }
  show(): void {
    StandInNotification.shown.push(this)
    if (given.shows) this.emit('show', new StandInEvent())
    else this.emit('failed', new StandInEvent(), 'nothing was shown')
  }
  close(): void {
    this.emit('close', {})
  }
}
export const heldNotification = (one: StandInNotification) =>
  one satisfies Pick<Electron.Notification, 'show' | 'close'>
StandInNotification satisfies Pick<typeof Electron.Notification, 'isSupported' | 'handleActivation'>
