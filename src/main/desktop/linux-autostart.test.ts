import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { autostartFile, setLinuxAutostart } from './linux-autostart.ts'

async function folder() {
  const made = await mkdtemp(join(tmpdir(), 'wheelhouse-autostart-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

it('a program starts with the desktop until it is called off', async () => {
  const file = autostartFile({ XDG_CONFIG_HOME: await folder() })
  await setLinuxAutostart(true, ['/opt/My "Panel" $5 100%/wheelhouse', '--hidden'], file)
  const text = await readFile(file, 'utf8')
  expect(text).toContain('Exec="/opt/My \\\\"Panel\\\\" \\\\$5 100%%/wheelhouse" "--hidden"\n')
  expect(text.startsWith('[Desktop Entry]\nType=Application\n')).toBe(true)
  await setLinuxAutostart(false, [], file)
  await expect(stat(file)).rejects.toThrow('ENOENT')
  await setLinuxAutostart(false, [], file)
})

it('a path of several lines is no program', async () => {
  const file = autostartFile({ XDG_CONFIG_HOME: await folder() })
  await expect(setLinuxAutostart(true, ['/a\nHidden=true'], file)).rejects.toThrow('cannot be started')
})
