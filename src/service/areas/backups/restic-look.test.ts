import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ResticEngine } from '../../backups/restic/restic-engine.ts'
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

it.skipIf(process.platform === 'win32')('one that is set is the only one that is used', async () => {
  const dataDir = await temporaryFolder()
  const chosen = path.join(dataDir, 'my restic')
  const engine = new ResticEngine({ dataDir, backupsOf: () => dataDir, downloads: null, restic: chosen })
  await engine.lookOnce()
  expect(engine.isOffered).toBe(false)
  const never = new AbortController().signal
  await expect(engine.require(never)).rejects.toThrow(`There is no restic at ${chosen}`)
  await writeFile(chosen, '#!/bin/sh\necho restic 0.18.0\n', { mode: 0o755 })
  await engine.require(never)
  expect(engine.executable).toBe(chosen)
})
