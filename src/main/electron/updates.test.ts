import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
    expect(electronUpdates(() => {}).port(noLog)).toEqual({
      kind: 'not-here',
      why: 'not-installed',
    })
  })

  it.runIf(process.platform === 'linux')('close the panel when they are installed', () => {
    packed()
    let closed = 0
    const port = electronUpdates(() => void closed++).port(noLog)
    if (port.kind !== 'here') return expect.fail('There are updates here.')
    port.close()
    expect(closed).toBe(1)
  })

  it('end the program where there is nothing to install', () => {
    electronUpdates(() => {}).end('person')
    expect(told).toMatchObject({ exits: [0], relaunches: 0 })
  })
})
