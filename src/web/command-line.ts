import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import open from 'open'
import manifest from '../../package.json' with { type: 'json' }
import { defaultFolder } from '../computer/default-folder.ts'
import { lockFolder } from '../computer/folder-lock.ts'
import { StartProblem } from '../computer/start-problem.ts'
import { forkKeychainChild } from '../main/accounts/keychain/fork-child.ts'
import { keychainStore } from '../main/accounts/keychain/keychain-store.ts'
import { nodeLauncher } from '../main/local/node-launcher.ts'
import { openLog } from '../main/logging/open-log.ts'
import { preparePanelFolder } from '../main/panel-folder.ts'
import { createPanel } from '../main/panel.ts'
import { serveWeb } from './server.ts'

interface Flags {
  data: string
  port: number
  open: boolean
}

/** Serves the panel to a browser on this computer until it is told to stop. Sets the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // Everything this process makes is for this user alone.
  process.umask(0o077)
  const flags = new Command('wheelhouse')
    .description('Serves the Wheelhouse panel to a browser on this computer.')
    .option('--data <folder>', 'where everything is kept', defaultFolder())
    .option('--port <number>', 'port to listen on; 0 is any free one', parsePort, 0)
    .option('--no-open', 'print the address only, do not open the browser')
    .parse(argv)
    .opts<Flags>()
  try {
    await run(flags)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function run(flags: Flags): Promise<void> {
  const dataDir = preparePanelFolder(flags.data)
  const lock = await lockFolder(dataDir, 'panel')
  const log = openLog({ folder: join(dataDir, 'logs') })
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
    secrets: keychainStore({ startChild: () => forkKeychainChild() }),
    launcher: nodeLauncher,
    log,
    openExternal: async (url) => void (await open(url)),
    now: Date.now,
  }).catch(async (error: unknown) => {
    await letGo()
    throw error
  })
  const release = async () => {
    await panel.close()
    await letGo()
  }
  const server = await serveWeb(panel, pageFolder(), flags.port).catch(async (error: unknown) => {
    await release()
    throw error
  })

  let ending = false
  const end = () => {
    // A second signal does not wait for worlds to be saved.
    if (ending) process.exit(1)
    ending = true
    void server
      .close()
      .then(release)
      .then(() => process.exit(0))
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)

  process.stdout.write(`Panel: ${server.address}\n`)
  if (flags.open && hasDisplay()) await open(server.address).catch(() => undefined)
}

/** The page, beside the bundle in a build. */
function pageFolder(): string {
  return fileURLToPath(new URL('../renderer', import.meta.url))
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return port
}
