import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { autostartFile, linuxAutostartIsOn, programFile, setLinuxAutostart } from './autostart.ts'

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
  // Not quoted: it is a path, and no command line.
  expect(text).toContain('\nTryExec=/opt/My "Panel" $5 100%/wheelhouse\n')
  expect(text.startsWith('[Desktop Entry]\nType=Application\n')).toBe(true)
  await setLinuxAutostart(false, [], file)
  await expect(stat(file)).rejects.toThrow('ENOENT')
  await setLinuxAutostart(false, [], file)
})

it('a path of several lines is no program', async () => {
  const file = autostartFile({ XDG_CONFIG_HOME: await folder() })
  await expect(setLinuxAutostart(true, ['/a\nHidden=true'], file)).rejects.toThrow('cannot be started')
})

it('what a desktop turned off in its own settings is off', async () => {
  const file = autostartFile({ XDG_CONFIG_HOME: await folder() })
  expect(await linuxAutostartIsOn(file)).toBe(false)
  await setLinuxAutostart(true, ['/opt/wheelhouse'], file)
  expect(await linuxAutostartIsOn(file)).toBe(true)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('enabled=true', 'enabled=false'))
  expect(await linuxAutostartIsOn(file)).toBe(false)
  await writeFile(file, `${text}Hidden=true\n`)
  expect(await linuxAutostartIsOn(file)).toBe(false)
})

it('a program is started by its AppImage, and not by that of another one', async () => {
  const at = await folder()
  const [mount, program] = [join(at, 'mount'), join(at, 'mount/wheelhouse')]
  await mkdir(mount)
  await writeFile(program, '')
  await mkdir(join(at, 'mount-of-another'))
  await symlink(mount, join(at, 'link'))
  const APPIMAGE = '/home/ann/Some.AppImage'
  expect(programFile({ APPIMAGE, APPDIR: join(at, 'link') }, program)).toBe(APPIMAGE)
  for (const APPDIR of [join(at, 'mount-of-another'), join(at, 'gone'), 'mount', '', undefined])
    expect(programFile({ APPIMAGE, APPDIR }, program)).toBe(program)
  expect(programFile({ APPIMAGE: 'Some.AppImage', APPDIR: mount }, program)).toBe(program)
})
