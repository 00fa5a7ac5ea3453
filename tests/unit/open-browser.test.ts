import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { buildStale } from '../../build/scripts/stale.js'
import { Program } from '../e2e/fixtures/program.ts'

let folder: string
beforeAll(() => buildStale(), 120_000)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-open-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A program in a folder of its own: what is written stands in for one of the system. */
async function program(name: string, script: string): Promise<void> {
  const file = join(folder, 'bin', name)
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

it.runIf(process.platform === 'linux')(
  'a panel opens the browser with a file that leads to its address, which stands in no arguments',
  async () => {
    const given = join(folder, 'given')
    await program('xdg-mime', 'echo firefox.desktop')
    await program('firefox', `(echo "$@"; cat "$1") > ${given}.new && mv ${given}.new ${given}`)
    const panel = Program.start('web', ['--data', join(folder, 'panel')], {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      DISPLAY: ':none',
      HOME: folder,
    })
    onTestFinished(() => panel.kill())
    const address = await panel.says(/^Panel: (\S+)$/m)
    const read = () => readFile(given, 'utf8').catch(() => '')
    await expect.poll(read).not.toBe('')
    const [args = '', ...page] = (await read()).split('\n')
    expect(args).toMatch(/\/open\/[\w-]+\.html$/)
    expect(page.join('\n')).toContain(`url=${address}"`)
  },
)
