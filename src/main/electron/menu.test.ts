import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { MenuItemConstructorOptions } from 'electron'
import { given, told } from '../../../tests/doubles/electron/electron.ts'
import { setMenu } from './menu.ts'
import { speak } from './windows/dialogs.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

let did: string[]
let isRoom: boolean
const windows = {
  tearOff: () => did.push('torn off') > 0 && isRoom,
  putBack: () => void did.push('put back'),
  show: (place?: string) => void did.push(`shown ${place}`),
}
beforeEach(() => {
  did = []
  isRoom = true
  told.asked.length = 0
  told.menus.length = 0
  speak('system')
  given.locale = 'en-GB'
})

const set = (platform: NodeJS.Platform, packaged = true) => {
  setMenu(platform, packaged, windows)
  return told.menus.at(-1) as MenuItemConstructorOptions[]
}
const entries = (parts: MenuItemConstructorOptions[]) =>
  parts.flatMap(({ submenu }) => submenu as MenuItemConstructorOptions[])
const roles = (parts: MenuItemConstructorOptions[]) => entries(parts).flatMap(({ role }) => role ?? [])

it('is what people expect of a program on macOS', () => {
  const menu = set('darwin')
  expect(menu.map(({ label }) => label)).toEqual(['Wheelhouse', 'Edit', 'View', 'Window', 'Help'])
  expect(menu.slice(-2).map(({ role }) => role)).toEqual(['window', 'help'])
  expect(roles(menu)).toEqual(
    expect.arrayContaining(['about', 'services', 'hide', 'quit', 'copy', 'minimize', 'close', 'front']),
  )
})

it.each(['linux', 'win32'] as const)('has no shortcut on %s that a console needs for itself', (platform) => {
  const menu = set(platform)
  // The role brings Ctrl+W, which deletes a word there.
  expect(roles(menu)).not.toContain('close')
  for (const { accelerator = '' } of entries(menu)) expect(accelerator).not.toMatch(/\+W$/i)
  expect(roles(menu)).toEqual(expect.arrayContaining(['quit', 'about', 'copy', 'zoomIn', 'zoomOut']))
})

it.each(['linux', 'win32', 'darwin'] as const)('tears a window off and puts it back on %s', (platform) => {
  const own = entries(set(platform)).filter(({ accelerator = '' }) => String(accelerator).includes('Shift'))
  expect(own.map(({ accelerator }) => accelerator)).toEqual(['CmdOrCtrl+Shift+N', 'CmdOrCtrl+Shift+B'])
  for (const { click } of own) click?.(undefined as never, undefined, undefined as never)
  expect(did).toEqual(['torn off', 'put back'])
})

it.each(['linux', 'win32', 'darwin'] as const)(
  'leads to the settings and to the diagnostics on %s',
  (platform) => {
    const menu = set(platform)
    const act = (wanted: string) => {
      const entry = entries(menu).find(({ label }) => label === wanted)
      entry?.click?.(undefined as never, undefined, undefined as never)
      return entry?.accelerator
    }
    // On macOS it is where every program has it.
    expect((menu[0]?.submenu as MenuItemConstructorOptions[]).map(({ label }) => label)).toContain(
      'Settings…',
    )
    expect(act('Settings…')).toBe('CmdOrCtrl+,')
    expect(act('Diagnostics…')).toBeUndefined()
    expect(did).toEqual(['shown #/settings', 'shown #/settings'])
  },
)

it('says so where no more windows open', () => {
  const tearOff = entries(set('linux')).find(({ label }) => label === 'Open in New Window')?.click
  tearOff?.(undefined as never, undefined, undefined as never)
  expect(told.asked).toEqual([])
  isRoom = false
  tearOff?.(undefined as never, undefined, undefined as never)
  expect(told.asked.map(({ message }) => message)).toEqual([
    'You have 8 further windows open already. Close one of them first.',
  ])
})

it('loads again and looks behind the page only where the panel is worked on', () => {
  const development = ['reload', 'toggleDevTools'] as const
  for (const role of development) {
    expect(roles(set('linux', false))).toContain(role)
    for (const platform of ['linux', 'win32', 'darwin'] as const)
      expect(roles(set(platform))).not.toContain(role)
  }
})

it('is in the language that the person chose, else in that of the system, in every entry', () => {
  onTestFinished(() => speak('system'))
  const labels = (language: 'system' | 'en' | 'de') => {
    speak(language)
    return entries(set('darwin')).flatMap(({ type, visible, label }) =>
      type === 'separator' || visible === false ? [] : (label ?? ''),
    )
  }
  const english = labels('system')
  expect(english).toContain('Open in New Window')
  expect(english).not.toContain('')
  const german = labels('de')
  expect(german).toContain('In neuem Fenster öffnen')
  for (const [index, label] of german.entries()) expect(label).not.toBe(english[index])
  given.locale = 'de-AT'
  expect(labels('system')).toEqual(german)
  expect(labels('en')).toEqual(english)
})

it('zooms by the keys of every keyboard, without a line for each', () => {
  const zooms = entries(set('linux')).filter(({ role }) => /zoom/i.test(role ?? ''))
  expect(zooms.flatMap(({ accelerator }) => accelerator ?? [])).toEqual([
    ...['CmdOrCtrl+=', 'CmdOrCtrl+numadd', 'CmdOrCtrl+numsub', 'CmdOrCtrl+num0'],
  ])
  expect(zooms.filter(({ visible }) => visible).map(({ role }) => role)).toEqual([
    ...['resetZoom', 'zoomIn', 'zoomOut'],
  ])
})
