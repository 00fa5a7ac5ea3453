// Runs the built Electron entry under Node, with the stand-in for Electron, and tells on stdout what came of it as one line
// of JSON. Its argument is the data folder; MAIN_PROGRAM names another build than that of the project.
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { at } from '../../build/scripts/project.js'
import * as electron from '../doubles/electron/electron.ts'

const standIn = new URL('../doubles/electron/electron.ts', import.meta.url).href
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron'
      ? { url: standIn, shortCircuit: true, format: 'module-typescript' }
      : next(name, context),
})

const { phase } = await import('../doubles/electron/phase.ts')
const { app, given, StandInChild, StandInEvent, StandInWindow, told } = electron
// From here on it refuses what Electron would, before it is ready and after.
phase.now = 'before'
const [, , dataDir = ''] = process.argv
// Electron's own executable and the project's folder stand before the options.
process.argv.splice(1, 2, '.', '--data', dataDir)
const inBackground = process.env['SERVICE'] === '1'
if (inBackground) process.argv.push('--service')
if (process.env['OTHER_HOLDS'] === '1') given.alone = false
if (process.env['NO_PAGE'] === '1')
  electron.protocol.handle = () => {
    throw new Error('The page cannot be served.')
  }

await import(process.env['MAIN_PROGRAM'] ?? at('out/main/index.js'))
const schemes = told.schemes.length
while (StandInWindow.opened.length + StandInChild.started.length < 1 && told.exits.length === 0)
  await wait(10)

const [window] = StandInWindow.opened
if (inBackground) {
  const [service] = StandInChild.started
  service?.emit('message', {
    ...{
      type: 'ready',
      baseUrl: 'http://127.0.0.1:1/api/v1',
      restored: null,
      orphans: [],
      emptied: [],
      leftovers: [],
    },
  })
  const meeting = join(dataDir, 'background.json')
  while (!existsSync(meeting)) await wait(10)
  const { mode } = statSync(meeting)
  // As where a session ends: Electron asks the program to quit.
  const quitting = new StandInEvent()
  app.emit('before-quit', quitting)
  service?.emit('exit', 0)
  while (told.exits.length === 0) await wait(10)
  process.stdout.write(
    `${JSON.stringify({
      windows: StandInWindow.opened.length,
      paths: [...told.paths],
      started: service?.start[1],
      received: service?.received,
      mode: (mode & 0o777).toString(8),
      quitPrevented: quitting.defaultPrevented,
      isToldStill: existsSync(meeting),
      exits: told.exits,
      errors: told.errors,
      asked: told.asked.length,
    })}\n`,
  )
} else if (window) {
  const contents = window.webContents
  const call = (origin: string) =>
    told.calls.get('panel:call')?.(
      { sender: contents, senderFrame: { origin, parent: null } } as never,
      'app.info',
      undefined,
    ) as Promise<unknown>
  const page = (await told.page.get('app')?.(new Request('app://panel/index.html'))) ?? null
  const info = await call('app://panel')
  const foreign = await call('https://example.org')
  const changed = (await told.calls.get('panel:call')?.(
    { sender: contents, senderFrame: { origin: 'app://panel', parent: null } } as never,
    'settings.change',
    { theme: 'dark' },
  )) as unknown
  const closing = new StandInEvent()
  const open = () => StandInWindow.opened.filter(({ closed }) => !closed)
  if (process.env['ACTIVATED'] === '1') {
    // As on macOS, where a program outlives its windows and its icon in the dock is clicked, twice.
    window.destroy()
    for (const _click of [1, 2]) app.emit('activate', new StandInEvent(), false)
  }
  if (process.env['THROWS'] === '1')
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
  else open()[0]?.emit('close', closing)
  while (told.exits.length === 0) await wait(10)
  process.stdout.write(
    `${JSON.stringify({
      schemes,
      sandboxed: told.sandboxed,
      paths: [...told.paths],
      crashReports: told.crashReports,
      page: page?.status,
      opened: StandInWindow.opened.map(({ address }) => address),
      info,
      foreign,
      changed,
      theme: electron.nativeTheme.themeSource,
      closePrevented: closing.defaultPrevented,
      exits: told.exits,
      errors: told.errors,
      asked: told.asked.map(({ message }) => message),
    })}\n`,
  )
} else {
  process.stdout.write(`${JSON.stringify({ windows: 0, exits: told.exits, errors: told.errors })}\n`)
}
app.removeAllListeners()
await Promise.race([once(process.stdout, 'drain'), wait(50)])
process.exit(0)
