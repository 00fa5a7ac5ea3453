import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import open, { apps } from 'open'
import manifest from '../../package.json' with { type: 'json' }
import { type ShutdownPhase, CrashHandler, endingSignals } from '../host/crash-handler.ts'
import { defaultFolder } from '../host/data-folder.ts'
import { lockFolder } from '../host/folder-lock.ts'
import { StartProblem } from '../host/start-problem.ts'
import { catalogsBy } from '../main/accounts/host-extensions.ts'
import { forkKeychainChild } from '../main/accounts/keychain/fork-child.ts'
import { keychainStore } from '../main/accounts/keychain/keychain-store.ts'
import { nodeLauncher } from '../main/local/node-launcher.ts'
import { openLog } from '../main/logging/open-log.ts'
import { preparePanelFolder } from '../main/panel/open-storage.ts'
import { createPanel } from '../main/panel/panel.ts'
import { Browser } from './browser.ts'
import { serveWeb, type WebServer } from './server.ts'

/** How long the browser may take before a hint is printed, ms. */
const OPEN_PATIENCE = 20_000

interface Flags {
  data: string
  port: number
  open: boolean
}

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.umask(0o077)
  const flags = new Command('wheelhouse')
    .description('Serves the Wheelhouse panel to a browser on this computer.')
    .option('--data <folder>', 'folder for all data', defaultFolder())
    .option('--port <number>', 'port to listen on; 0 picks a free one', parsePort, 0)
    .option('--no-open', 'print the address only, do not open the browser')
    .parse(argv)
    .opts<Flags>()
  const lastResort = new CrashHandler({ tell, exit: (code) => process.exit(code) })
  try {
    await run(flags, lastResort)
  } catch (error) {
    if (!(error instanceof StartProblem)) return lastResort.meet(error)
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function run(flags: Flags, lastResort: CrashHandler): Promise<void> {
  const dataDir = preparePanelFolder(flags.data, ['open'])
  const lock = await lockFolder(dataDir, 'panel')
  const log = openLog({ folder: join(dataDir, 'logs') })
  const browser = new Browser(join(dataDir, 'open'), startBrowser)
  await browser.sweep()
  const letGo = async () => {
    await log.close()
    await lock.release()
  }
  const panel = await createPanel({
    dataDir,
    version: manifest.version,
    way: 'browser',
    local: { kind: 'ready' },
    nodePath: process.execPath,
    catalogs: catalogsBy(process.env),
    secrets: keychainStore({ startChild: () => forkKeychainChild() }),
    launcher: nodeLauncher,
    log,
    openExternal: (url) => browser.open(url),
    now: Date.now,
  }).catch(async (error: unknown) => {
    await letGo()
    throw error
  })
  const release = async () => {
    await panel.close()
    await browser.sweep()
    await letGo()
  }
  const server = await serveWeb(panel, pageFolder(), flags.port).catch(async (error: unknown) => {
    await release()
    throw error
  })

  let closing: Promise<void> | null = null
  const close = () => (closing ??= server.close().then(release))
  lastResort.whenRunning({
    log: (error) => log.error('an error that nobody caught', { error }),
    end: close,
  })
  let ending = false
  const end = () => {
    // A second signal exits without saving worlds.
    if (ending) process.exit(1)
    ending = true
    void close().then(() => process.exit(0))
  }
  for (const signal of endingSignals) process.on(signal, end)

  process.stdout.write(`Panel: ${server.address}\n`)
  if (flags.open && hasDisplay()) await openPage(browser, server)
}

async function openPage(browser: Browser, server: WebServer): Promise<void> {
  const hint = setTimeout(() => {
    process.stdout.write(
      'No browser has opened the panel yet. If an error or another program is shown instead, open the address above ' +
        'yourself: some browsers cannot read the file that leads them here (those installed as a snap, for example).\n',
    )
  }, OPEN_PATIENCE)
  hint.unref()
  void server.opened.then(() => clearTimeout(hint))
  await browser.open(server.address, server.opened).catch(() => undefined)
}

/** Falls back to the system's default if the browser isn't known by name. */
async function startBrowser(file: string): Promise<void> {
  await open(file, { app: { name: apps.browser } }).catch(() => open(file))
}

function tell(error: Error, how: ShutdownPhase): void {
  const said: Record<ShutdownPhase, string> = {
    'not-started': `The panel could not start because of an internal error. Please report it:\n${error.stack}`,
    ending:
      'The panel had an internal error and is closing. Servers on this computer are stopped, and their worlds are ' +
      'saved first. Details are in its log.',
    ended: 'The panel has closed. Start it again.',
    'broken-off':
      'The panel could not close cleanly. Servers on this computer stop by themselves. Start it again.',
  }
  process.stderr.write(`${said[how]}\n`)
}

function pageFolder(): string {
  return fileURLToPath(new URL('../renderer', import.meta.url))
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('A port must be a number from 0 to 65535.')
  return port
}
