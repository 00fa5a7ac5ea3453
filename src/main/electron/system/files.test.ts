import { beforeEach, expect, it, vi } from 'vitest'
import { given, StandInWindow, told } from '../../../../tests/doubles/electron/electron.ts'

vi.mock('electron', () => import('../../../../tests/doubles/electron/electron.ts'))
const { systemFiles } = await import('./files.ts')

beforeEach(() => {
  told.openedPaths = []
  told.revealed = []
  told.picked = []
  told.placed = []
  given.openFault = ''
  given.folder = null
  given.place = null
})

it('opens and shows what main names, and says why where the system did not open it', async () => {
  const files = systemFiles()
  given.openFault = 'No application is set.'
  expect(await files.open('/data/edited files/1/a.txt')).toBe('No application is set.')
  files.reveal('/data/edited files/1/a.txt')
  expect([told.openedPaths, told.revealed]).toEqual([
    ['/data/edited files/1/a.txt'],
    ['/data/edited files/1/a.txt'],
  ])
})

it('lets a person choose a folder, and no file', async () => {
  const files = systemFiles()
  expect(await files.pickFolder('/home/ann/Downloads')).toBeNull()
  given.folder = '/mnt/disk'
  const window = new StandInWindow({})
  window.focus()
  expect(await files.pickFolder('/home/ann/Downloads')).toBe('/mnt/disk')
  window.destroy()
  expect(told.picked.map(({ defaultPath }) => defaultPath)).toEqual([
    '/home/ann/Downloads',
    '/home/ann/Downloads',
  ])
  expect(told.picked[0]?.properties).toEqual(['openDirectory', 'createDirectory'])
})

it('asks where a file goes, what is there already first, and for files or folders to upload', async () => {
  const files = systemFiles()
  expect(await files.pickPlace('/home/ann/Downloads/a.zip')).toBeNull()
  given.place = '/mnt/disk/b.zip'
  expect(await files.pickPlace('/home/ann/Downloads/a.zip')).toBe('/mnt/disk/b.zip')
  expect(told.placed[1]).toEqual({
    defaultPath: '/home/ann/Downloads/a.zip',
    properties: ['showOverwriteConfirmation'],
  })
  expect(await files.pickThere('files')).toEqual([])
  given.folder = '/home/ann/world'
  expect(await files.pickThere('folders')).toEqual(['/home/ann/world'])
  expect(told.picked.map(({ properties }) => properties)).toEqual([
    ['openFile', 'multiSelections'],
    ['openDirectory', 'multiSelections'],
  ])
})
