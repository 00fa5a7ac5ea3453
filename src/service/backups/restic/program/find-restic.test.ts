import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../service.fixture.ts'
import { findRestic } from './find-restic.ts'

function program(folder: string, name: string, says: string): string {
  const file = path.join(folder, name, 'restic')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${says}\n`)
  chmodSync(file, 0o755)
  return file
}

describe.skipIf(process.platform === 'win32')('restic on this computer', () => {
  test('is the chosen one, else the first in PATH that is new enough, else the fetched one', async () => {
    const folder = await temporaryFolder()
    const says = (version: string) => `echo "restic ${version} compiled with go1.24 on linux/amd64"`
    const old = program(folder, 'old', says('0.9.6'))
    const usable = program(folder, 'usable', says('0.14.0'))
    const newer = program(folder, 'newer', says('0.18.0'))
    const broken = program(folder, 'broken', 'exit 1')
    const searchPath = ['relative', path.join(folder, 'none'), path.dirname(old), path.dirname(usable)].join(
      ':',
    )
    expect(await findRestic({ chosen: newer, searchPath })).toEqual({ executable: newer, version: '0.18.0' })
    expect(await findRestic({ chosen: null, searchPath })).toEqual({ executable: usable, version: '0.14.0' })
    expect(await findRestic({ chosen: null, fetched: newer, searchPath: '' })).toMatchObject({
      executable: newer,
    })

    const refused = (options: Parameters<typeof findRestic>[0]) =>
      findRestic(options).then(String, (error: Error) => error.message)
    expect(await refused({ chosen: null, searchPath: '' })).toContain(
      'restic is not installed on this computer',
    )
    expect(await refused({ chosen: '/none/restic', searchPath })).toContain(
      'There is no restic at /none/restic',
    )
    expect(await refused({ chosen: null, searchPath: path.dirname(old) })).toContain('version 0.9.6')
    expect(await refused({ chosen: broken, searchPath })).toContain('could not be run')
  })
})
