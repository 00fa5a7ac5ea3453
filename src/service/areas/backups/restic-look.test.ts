import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { withPaper } from './backups.fixture.ts'

it.skipIf(process.platform === 'win32')(
  'restic is looked for when something needs it, once, and not at every start',
  async () => {
    const bin = await temporaryFolder()
    const log = path.join(bin, 'log')
    await writeFile(path.join(bin, 'restic'), `#!/bin/sh\necho "$@" >> ${log}\necho restic 0.18.0\n`)
    await chmod(path.join(bin, 'restic'), 0o755)
    const before = process.env.PATH
    process.env.PATH = `${bin}${path.delimiter}${before}`
    onTestFinished(() => void (process.env.PATH = before))
    const asked = async () => (existsSync(log) ? (await readFile(log, 'utf8')).trim().split('\n').length : 0)
    const { ask, id, restart } = await withPaper()
    await ask(`GET /servers/backups/${id}`)
    expect(await asked()).toBe(0)
    const settings = `/servers/backups/settings/${id}`
    expect((await ask(`GET ${settings}`)).body).toMatchObject({ resticReady: true })
    await ask(`GET ${settings}`)
    expect(await asked()).toBe(1)
    expect((await ask(`PATCH ${settings}`, { engine: 'restic' })).body).toMatchObject({ engine: 'restic' })
    const wasAsked = await asked()
    await restart(() => Promise.resolve())
    await expect.poll(asked).toBe(wasAsked + 1)
  },
)
