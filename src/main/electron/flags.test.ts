import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { defaultFolder } from '../../host/default-folder.ts'
import { keepFolderOverUpdate } from '../updates/folder-after-update.ts'
import { readFlags } from './flags.ts'

/** A user of this computer, whose folders are empty. */
function someone() {
  const home = mkdtempSync(join(tmpdir(), 'wheelhouse-flags-'))
  for (const name of ['HOME', 'USERPROFILE', 'APPDATA', 'XDG_DATA_HOME']) vi.stubEnv(name, home)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true })
  })
}

it('the folder of before an update is opened after it, once', () => {
  someone()
  keepFolderOverUpdate('/elsewhere')
  expect(readFlags(['wheelhouse', '--updated'], true).data).toBe('/elsewhere')
  expect(readFlags(['wheelhouse', '--updated'], true).data).toBe(defaultFolder())
})

it('a start that names its folder opens that one, and ends the note', () => {
  someone()
  keepFolderOverUpdate('/elsewhere')
  expect(readFlags(['wheelhouse', '--updated', '--data', '/mine'], true).data).toBe('/mine')
  expect(readFlags(['wheelhouse', '--updated'], true).data).toBe(defaultFolder())
})
