import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { checkTable } from '../../build/scripts/check-table.js'
import { checkElectron } from './check.ts'
import {
  app,
  BrowserWindow,
  given,
  StandInEvent,
  StandInChild,
  StandInTray,
  StandInWindow,
  told,
} from '../doubles/electron/electron.ts'

vi.mock('electron', () => import('../doubles/electron/electron.ts'))

const system = { platform: 'linux', arch: 'x64', release: '6.1' }
beforeEach(() => {
  StandInWindow.opened.length = 0
  told.exits.length = 0
  Object.assign(given, { notifications: true, shows: true })
})

/** The page of a panel that works, as far as scripts ask it. */
function page(script: string): unknown {
  if (script.includes('location.origin')) return 'app://panel,true,true'
  if (script.includes('typeof require')) return 'undefined,undefined'
  if (script.includes('app.info')) return { ok: true, value: { way: 'electron', version: '1.2.3' } }
  if (script.includes('this-computer')) return { ok: true, value: { state: { kind: 'ready' } } }
  if (script.includes('panel.upload')) return { ok: true, value: { transferId: 't' } }
  if (script.includes('transfers.list')) return { ok: true, value: { items: [{ id: 't', bytes: 43 }] } }
  return { ok: true }
}

async function rows(evaluate: (script: string) => unknown, limitMs = 1500): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'check-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  given.evaluate = evaluate
  app.setPath('userData', folder)
  // No keychain child answers here: it has ended before it could.
  const children = setInterval(() => {
    for (const child of StandInChild.started.splice(0)) child.emit('exit', 1)
  }, 10)
  const checking = checkElectron(join(folder, 'report'), limitMs, () => Promise.resolve('1.0.0'))
  app.emit('browser-window-created', new StandInEvent(), new BrowserWindow({}))
  await checking
  clearInterval(children)
  return checkTable(await readFile(join(folder, 'report'), 'utf8'), system).text
}

it('tries the page, the children, the tray and notifications, writes a row for each, and ends', async () => {
  const text = await rows(page)
  for (const name of [
    'scheme',
    'page without Node',
    'preload',
    'service child',
    'file hand-over',
    'notifications',
  ])
    expect(text).toMatch(new RegExp(`\\| ${name} \\| works \\|`))
  expect(text).toMatch(/\| tray \| works \| made; whether it can be seen/)
  expect(text).toMatch(/\| keychain child \| (fails|not-here) \|/)
  expect(text).toContain('| updates | fails | version is 1.0.0, not 999.0.0 |')
  expect(StandInTray.made.at(-1)?.destroyed).toBe(true)
  const [[, , picked] = []] = [StandInWindow.opened[0]!.webContents.commands.slice(-1)].map(([last]) => [
    0,
    0,
    last?.[1],
  ])
  expect(picked).toMatchObject({ nodeId: 2, files: [expect.stringContaining('wheelhouse-check.txt')] })
  expect(told.exits).toEqual([0])
})

it('says what is otherwise, row by row, and goes on after what does not answer', async () => {
  given.shows = false
  const text = await rows((script) => {
    if (script.includes('location.origin')) return 'file://,false,true'
    if (script.includes('app.info')) return new Promise(() => undefined)
    if (script.includes('this-computer')) return { ok: false, problem: { message: 'It did not start.' } }
    return page(script)
  }, 300)
  expect(text).toContain('| scheme | fails | page is file://,false,true, not app://panel,true,true |')
  expect(text).toContain('| preload | fails | no answer within 0.3 s |')
  expect(text).toContain('| service child | fails | It did not start. |')
  expect(text).toContain('| notifications | fails | nothing was shown |')
  given.notifications = false
  expect(await rows(page, 300)).toContain('| notifications | not-here | this system has no notifications |')
})
