import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { defaultFolder } from '../../../host/data-folder.ts'
import { startArguments } from '../../desktop/autostart.ts'
import { app, given, told } from '../../../../tests/doubles/electron/electron.ts'
import { autostart, startedBySystem } from './autostart.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))

const usual = defaultFolder()
beforeEach(() => {
  app.isPackaged = true
  told.login = null
  given.login = { openAtLogin: false, wasOpenedAtLogin: false, executableWillLaunchAtLogin: false }
})

it('there is none where the panel runs from its sources', () => {
  app.isPackaged = false
  for (const platform of ['linux', 'darwin', 'win32'] as const) expect(autostart(usual, platform)).toBeNull()
})

it('on Linux it is a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-autostart-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  const port = autostart('/srv/My panel', 'linux')!
  expect(await port.isOn()).toBe(false)
  await port.set(true)
  expect(await port.isOn()).toBe(true)
  expect(await readFile(join(folder, 'autostart/wheelhouse.desktop'), 'utf8')).toContain(
    '"--hidden" "--data" "/srv/My panel"\n',
  )
  expect(told.login).toBeNull()
})

it('elsewhere the system is told, and is believed of what it does', async () => {
  const mac = autostart(usual, 'darwin')!
  await mac.set(true)
  expect(told.login).toMatchObject({ openAtLogin: true })
  expect(await mac.isOn()).toBe(true)
  const windows = autostart(usual, 'win32')!
  // Turned off in the Task Manager.
  expect(await windows.isOn()).toBe(false)
  given.login.executableWillLaunchAtLogin = true
  expect(await windows.isOn()).toBe(true)
})

it('that macOS has started the panel is asked of it: it passes no arguments', () => {
  given.login.wasOpenedAtLogin = true
  expect(startedBySystem('darwin')).toBe(true)
  expect(startedBySystem('linux')).toBe(false)
})

it('the folder it was turned on in is the one that is opened, as each system takes it', async () => {
  const windows = autostart('D:\\My panel', 'win32')!
  await windows.set(true)
  expect(told.login?.args).toEqual(['--hidden', '--data', '"D:\\My panel"'])
  await autostart(usual, 'win32')!.set(true)
  expect(told.login?.args).toEqual(['--hidden'])
  // Else the quote behind it would be a part of it.
  expect(startArguments('D:\\', 'win32')).toEqual(['--hidden', '--data', '"D:\\\\"'])
  expect(startArguments('/srv/My panel', 'linux')).toEqual(['--hidden', '--data', '/srv/My panel'])
})
