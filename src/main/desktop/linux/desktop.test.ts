import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { at, node24, nodeFlags } from '../../../../build/scripts/project.js'
import { type BusCall, linuxDesktopLacks } from './desktop.ts'

const run = promisify(execFile)
const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus' }

/** A session bus that answers as `dbus-send` prints it. */
const busWith =
  ({
    tray,
    running = false,
    startable = '',
  }: {
    tray: boolean | null
    running?: boolean
    startable?: string
  }): BusCall =>
  (args) => {
    if (args.includes('string:IsStatusNotifierHostRegistered'))
      return Promise.resolve(tray === null ? null : `   variant       boolean ${tray}\n`)
    if (args.some((one) => one.endsWith('NameHasOwner'))) return Promise.resolve(`   boolean ${running}\n`)
    return Promise.resolve(`   array [\n      org.freedesktop.DBus      ${startable}   ]\n`)
  }

it('a desktop with a tray and with notifications lacks nothing', async () => {
  expect(await linuxDesktopLacks(busWith({ tray: true, running: true }), env)).toEqual([])
  // Some are started only when they are needed.
  const startable = 'org.freedesktop.Notifications'
  expect(await linuxDesktopLacks(busWith({ tray: true, startable }), env)).toEqual([])
})

it('GNOME without an extension lacks a tray, and so does a watcher whom no tray listens to', async () => {
  expect(await linuxDesktopLacks(busWith({ tray: null, running: true }), env)).toEqual(['tray'])
  expect(await linuxDesktopLacks(busWith({ tray: false, running: true }), env)).toEqual(['tray'])
})

it('a name that only begins so shows no notifications', async () => {
  const startable = 'org.freedesktop.NotificationsOfMine'
  expect(await linuxDesktopLacks(busWith({ tray: true, startable }), env)).toEqual(['notifications'])
})

it('where nobody can be asked, nothing is said to be missing', async () => {
  expect(await linuxDesktopLacks(busWith({ tray: null }), {})).toEqual([])
  expect(await linuxDesktopLacks(() => Promise.reject(new Error('ENOENT')), env)).toEqual([])
})

it.runIf(existsSync('/usr/bin/dbus-run-session') && existsSync('/usr/bin/dbus-send'))(
  'a real session bus with nothing on it says so',
  async () => {
    const file = JSON.stringify(at('src/main/desktop/linux/desktop.ts'))
    const script = `const { linuxDesktopLacks } = await import(${file}); console.log((await linuxDesktopLacks()).includes('tray'))`
    const program = [node24(), ...nodeFlags, '--input-type=module', '-e', script]
    const { stdout } = await run('dbus-run-session', ['--', ...program])
    expect(stdout.trim()).toBe('true')
  },
)
