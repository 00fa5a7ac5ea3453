import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { backgroundUnit } from './background.ts'
import { app } from '../../../tests/doubles/electron/electron.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

it.runIf(process.platform === 'linux')(
  'a packed program is started by the system as itself, without a window, for its own folder; one from sources is not',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unit-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    // A systemd that writes down what it is told.
    const told = join(folder, 'told')
    await writeFile(join(folder, 'systemctl'), `#!/bin/sh\necho "$@" >> '${told}'\n`)
    await chmod(join(folder, 'systemctl'), 0o755)
    vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter))
    vi.stubEnv('XDG_CONFIG_HOME', folder)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      app.isPackaged = false
    })
    expect(backgroundUnit(join(folder, 'my data'))).toBeNull()
    app.isPackaged = true
    await backgroundUnit(join(folder, 'my data'))?.start()
    const units = join(folder, 'systemd/user')
    const [name = ''] = await readdir(units)
    const words = [
      '--service',
      '--data',
      join(folder, 'my data'),
      '--ozone-platform=headless',
      '--disable-gpu',
    ]
    expect(await readFile(join(units, name), 'utf8')).toContain(
      `ExecStart=":${process.execPath}" ${words.map((word) => `"${word}"`).join(' ')}\n`,
    )
    expect((await readFile(told, 'utf8')).trim().split('\n').at(-1)).toBe(
      `--user --no-ask-password start --no-block ${name}`,
    )
  },
)
