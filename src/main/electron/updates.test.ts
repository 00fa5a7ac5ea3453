import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { noLog } from '../logging/log.ts'
import { app, told } from '../../../tests/doubles/electron/electron.ts'
import { electronUpdates } from './updates.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

beforeEach(() => {
  told.exits.length = 0
  told.relaunches = 0
})

/** A packed panel with a place of updates. */
function packed() {
  const resources = mkdtempSync(join(tmpdir(), 'wheelhouse-resources-'))
  writeFileSync(join(resources, 'app-update.yml'), '')
  Object.assign(process, { resourcesPath: resources })
  vi.stubEnv('APPIMAGE', join(resources, 'Wheelhouse.AppImage'))
  vi.stubEnv('APPDIR', dirname(process.execPath))
  Object.assign(app, { isPackaged: true })
  onTestFinished(() => {
    Object.assign(app, { isPackaged: false })
    Reflect.deleteProperty(process, 'resourcesPath')
    vi.unstubAllEnvs()
    rmSync(resources, { recursive: true })
  })
}

describe('updates in Electron', () => {
  it('are not there while the panel runs from its folder', () => {
    expect(electronUpdates('/nowhere', () => {}).port(noLog)).toEqual({
      kind: 'not-here',
      why: 'not-installed',
    })
  })

  it.runIf(process.platform === 'linux')('close the panel when they are installed', () => {
    packed()
    let closed = 0
    const port = electronUpdates('/nowhere', () => void closed++).port(noLog)
    if (port.kind !== 'here') return expect.fail('There are updates here.')
    port.close()
    expect(closed).toBe(1)
  })

  it.runIf(process.platform === 'linux')('note what is to be installed, and whether it is tried', () => {
    packed()
    const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-updates-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const updates = electronUpdates(dataDir, () => {})
    const port = updates.port(noLog)
    if (port.kind !== 'here') return expect.fail('There are updates here.')
    port.plan('install', { version: '1.1.0', notes: 'Tray', releasedAt: null, size: null })
    updates.end('person')
    expect(JSON.parse(readFileSync(join(dataDir, 'update-begun.json'), 'utf8'))).toEqual({
      ...{ from: '0.0.0', to: '1.1.0', notes: 'Tray', tried: true },
      why: null,
    })
    updates.end('system')
    expect(JSON.parse(readFileSync(join(dataDir, 'update-begun.json'), 'utf8'))).toMatchObject({
      tried: false,
    })
  })

  it('end the program where there is nothing to install', () => {
    electronUpdates('/nowhere', () => {}).end('person')
    expect(told).toMatchObject({ exits: [0], relaunches: 0 })
  })
})
