import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, crashReporter, dialog, nativeTheme } from 'electron'
import type { Settings } from '../../contract/bridge/values.ts'
import { lockFolder } from '../../host/folder-lock.ts'
import { type ShutdownPhase, CrashHandler, endingSignals } from '../../host/crash-handler.ts'
import { keychainStore } from '../accounts/keychain/keychain-store.ts'
import { answeringProxy } from '../local/answering-proxy.ts'
import { type Flags, readFlags } from './flags.ts'
import { linuxDesktopLacks } from '../desktop/linux/desktop.ts'
import { QuitSequence } from '../desktop/quitting.ts'
import { WindowKeeper } from '../desktop/windows/window-keeper.ts'
import { keepWindowState, readWindowState } from '../desktop/windows/window-state.ts'
import type { Log } from '../logging/log.ts'
import { openLog } from '../logging/open-log.ts'
import { pageFiles } from '../page/files.ts'
import { catalogsBy } from '../accounts/host-extensions.ts'
import type { InstalledUpdates } from '../updates/installed-updates.ts'
import { createPanel, type Panel } from '../panel/panel.ts'
import { preparePanelFolder } from '../panel/open-storage.ts'
import { backgroundUnit, resolveProxy, runInBackground } from './background.ts'
import { answerCalls, linkWindow } from './calls.ts'
import { serviceLauncher, startKeychainChild } from './child-programs.ts'
import { after, showOnDesktop } from './desktop.ts'
import { lockDown, openExternal } from './lock.ts'
import { setMenu } from './menu.ts'
import { registerScheme, servePage } from './windows/page.ts'
import { holdShutdown } from './shutdown.ts'
import { autostart, startedBySystem } from './system/autostart.ts'
import { systemFiles } from './system/files.ts'
import { takeLinks } from './system/links.ts'
import { followPower } from './system/power.ts'
import { speak, texts, askToQuit, tellIfNotKept } from './windows/dialogs.ts'
import { nameNotifications } from './tray/alerts.ts'
import { electronUpdates } from './updates.ts'
import { logCrashes } from './windows/crash-log.ts'
import { PanelWindows } from './windows/windows.ts'

const CRASHES = 'crashes'

export function boot(): void {
  const flags = readFlags(process.argv, app.isPackaged)
  // Nobody watches a background service: a dialog would block it while servers run.
  const lastResort = new CrashHandler({ tell: flags.service ? write : tell, exit: (code) => app.exit(code) })
  let dataDir: string
  try {
    dataDir = preparePanelFolder(flags.data, ['window', 'window/service', CRASHES])
  } catch (error) {
    return void lastResort.meet(error)
  }
  if (flags.service) return runInBackground(dataDir, flags, lastResort)
  // Also holds the lock below: one window program per data folder.
  app.setPath('userData', join(dataDir, 'window'))
  if (!app.requestSingleInstanceLock()) return app.exit(0)
  nameNotifications()
  // Dumps are never uploaded.
  app.setPath('crashDumps', join(dataDir, CRASHES))
  crashReporter.start({ uploadToServer: false })
  registerScheme()
  const followLinks = takeLinks(process.argv)
  app
    .whenReady()
    .then(() => run(dataDir, flags, lastResort))
    .then(followLinks)
    .catch((error: unknown) => lastResort.meet(error))
}

async function run(dataDir: string, flags: Flags, lastResort: CrashHandler): Promise<(link: string) => void> {
  lockDown()
  const windowFolder = join(dataDir, 'window')
  const keeper = new WindowKeeper({
    state: await readWindowState(windowFolder),
    write: (state) => keepWindowState(windowFolder, state),
    after,
  })
  const look = ({ theme, language }: Pick<Settings, 'theme' | 'language'>) => {
    keeper.look({ theme, language })
    nativeTheme.themeSource = theme
    speak(language)
    setMenu(process.platform, app.isPackaged, windows)
  }
  servePage(pageFiles(fileURLToPath(new URL('../renderer', import.meta.url))))

  // The window paints while the database opens.
  const updates = electronUpdates(() => void quitting.proceed())
  const opening = openPanel(dataDir, flags, updates)
  const panel = opening.then(({ panel }) => panel)
  opening.catch(fail)
  logCrashes(opening.then(({ log }) => log))
  answerCalls(panel)

  // On macOS, and with a tray, the program outlives its windows.
  const outlives = () => process.platform === 'darwin' || desktop.tray.isThere
  const quitting: QuitSequence = new QuitSequence({
    running: async () => (await panel).runningLocalServers(),
    ask: (running) => {
      const unit = backgroundUnit(dataDir)
      return askToQuit(windows.first, running, unit && (() => unit.prepare()))
    },
    // The last window may have closed while asking.
    stay: () => windows.first || outlives() || windows.show(),
    keeps: async () => (await panel).keepsLocalServers(),
    closing: (how) => void panel.then((panel) => panel.tellClosing(how)).catch(() => undefined),
    close: async (how) => {
      desktop.stop()
      await (await opening).release(how)
    },
    failed: tellIfNotKept,
    exit: (by) => updates.end(by),
  })
  lastResort.whenRunning({
    log: (error) => void opening.then(({ log }) => log.error('an error that nobody caught', { error })),
    end: () => quitting.giveUp(),
  })
  const hold = holdShutdown(quitting, () => windows.show())
  const windows: PanelWindows = new PanelWindows({
    keeper,
    ending: () => quitting.closed,
    isClosing: () => quitting.isClosing,
    opened: (opened) => {
      const several = { tearOff: () => windows.tearOff(opened), putBack: () => windows.putBack(opened) }
      linkWindow(opened.webContents, panel, several)
      hold.hear(opened)
    },
    allClosed: () => {
      hold.alone()
      // If the tray has gone, show a window, or there is no way back.
      if (desktop.tray.isThere) void desktop.isTrayGone().then((isGone) => isGone && windows.show())
    },
    mayCloseLast: () => {
      // Elsewhere closing the last window quits.
      if (quitting.closed || outlives()) return true
      void quitting.request()
      return false
    },
  })
  look(keeper.state)
  const desktop = showOnDesktop(opening, windows, { quit: () => void quitting.request(), onSettings: look })
  if (flags.hidden || startedBySystem()) {
    hold.alone()
    void desktop.started.then(() => desktop.tray.isThere || windows.show())
  } else windows.show()
  listen(quitting, windows, outlives)
  followPower(panel)
  return desktop.follow
}

function listen(quitting: QuitSequence, windows: PanelWindows, outlives: () => boolean): void {
  app.on('activate', () => {
    if (!windows.first) windows.show()
  })
  app.on('second-instance', () => windows.show())
  app.on('before-quit', (event) => {
    if (quitting.closed) return
    event.preventDefault()
    void quitting.request()
  })
  app.on('window-all-closed', () => {
    if (!outlives()) app.quit()
  })
  // After Electron's own handlers, which would ask.
  for (const signal of endingSignals) process.on(signal, () => void quitting.demand())
}

async function openPanel(
  dataDir: string,
  flags: Flags,
  updates: InstalledUpdates,
): Promise<{ panel: Panel; log: Log; release: (how?: 'stop' | 'hand-over') => Promise<void> }> {
  const lock = await lockFolder(dataDir, 'panel')
  const log = openLog({ folder: join(dataDir, 'logs') })
  const letGo = async () => {
    await log.close()
    await lock.release()
  }
  const panel = await createPanel({
    dataDir,
    version: app.getVersion(),
    way: 'electron',
    local: { kind: 'ready' },
    nodePath: flags.node,
    catalogs: catalogsBy(process.env),
    secrets: keychainStore({ startChild: () => startKeychainChild() }),
    launcher: answeringProxy(serviceLauncher(), resolveProxy),
    log,
    openExternal,
    resolveProxy,
    updates: updates.port(log),
    autostart: autostart(dataDir),
    ...(process.platform === 'linux' && { desktopLacks: () => linuxDesktopLacks() }),
    crashFolder: join(dataDir, CRASHES),
    background: backgroundUnit(dataDir),
    systemFiles: systemFiles(),
    now: Date.now,
  }).catch(async (error: unknown) => {
    await letGo()
    throw error
  })
  return {
    panel,
    log,
    release: (how) => panel.close(how).finally(letGo),
  }
}

function fail(error: unknown): void {
  sayNotStarted(error)
  app.exit(1)
}

const sayNotStarted = (error: unknown) =>
  dialog.showErrorBox(texts().startFailed, error instanceof Error ? error.message : String(error))

/** To the system journal. A waiting panel reads the background service's own file. */
const write = (error: Error, how: ShutdownPhase): void => {
  if (how === 'not-started' || how === 'ending') process.stderr.write(`${error.stack}\n`)
}

async function tell(error: Error, how: ShutdownPhase): Promise<void> {
  const { failedTitle: title, failed: message, failedDetail: detail, notInOrder } = texts()
  if (how === 'not-started') sayNotStarted(error)
  if (how === 'ending') await dialog.showMessageBox({ type: 'error', title, message, detail })
  if (how === 'broken-off') dialog.showErrorBox(title, notInOrder)
}
