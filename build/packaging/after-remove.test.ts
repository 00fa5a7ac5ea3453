import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { setLinuxAutostart } from '../../src/main/desktop/linux/autostart.ts'
import { systemdUnit } from '../../src/main/local/background/unit-texts.ts'
import { at } from '../scripts/project.js'

const PROGRAM = '/opt/Wheelhouse/wheelhouse'
const template = await readFile(at('build/packaging/after-remove.tpl'), 'utf8')

/** A home with what the program at a path left there, and data. */
async function homeOf(folder: string, name: string, program: string) {
  const home = join(folder, name)
  const autostart = join(home, '.config/autostart/wheelhouse.desktop')
  await setLinuxAutostart(true, [program, '--hidden'], autostart)
  const units = join(home, '.config/systemd/user')
  await mkdir(units, { recursive: true })
  await writeFile(join(units, 'wheelhouse-0123456789ab.service'), systemdUnit([program, '--service']))
  await writeFile(join(units, 'other.service'), systemdUnit([program, '--service']))
  await mkdir(join(home, '.config/Wheelhouse/service'), { recursive: true })
  await writeFile(join(home, '.config/Wheelhouse/service/world'), 'mine')
  return home
}

/** All files below a folder. */
const filesIn = async (home: string) =>
  (await readdir(home, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort()

/** Runs the script as a package manager does, over users with these homes. */
async function remove(folder: string, homes: string[], word: string) {
  const programs = join(folder, 'programs')
  await mkdir(programs, { recursive: true })
  const passwd = homes.map((home, index) => `user${index}:x:${1000 + index}:1000::${home}:/bin/sh`)
  const stand = {
    getent: `cat <<'END'\nroot:x:0:0::/root:/bin/sh\n${passwd.join('\n')}\nEND`,
    // There are no such users here: what would be done as one of them is done as who runs the tests.
    runuser: 'shift 3; exec "$@"',
    'update-alternatives': ':',
    apparmor_status: 'exit 1',
  }
  for (const [name, text] of Object.entries(stand)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(programs, name), 0o755)
  }
  const script = join(folder, 'postrm')
  // As electron-builder does.
  const values: Record<string, string> = { executable: 'wheelhouse', sanitizedProductName: 'Wheelhouse' }
  const text = template.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'unknown')
  await writeFile(script, text.replaceAll('/etc/apparmor.d', join(folder, 'apparmor.d')))
  const PATH = [programs, dirname(process.execPath), '/usr/bin:/bin'].join(':')
  await promisify(execFile)('sh', [script, word], { env: { PATH, HOME: folder, USER: userInfo().username } })
}

const folderOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'after-remove-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const KEPT = ['.config/Wheelhouse/service/world', '.config/systemd/user/other.service']
const ALL = [
  '.config/Wheelhouse/service/world',
  '.config/autostart/wheelhouse.desktop',
  '.config/systemd/user/other.service',
  '.config/systemd/user/wheelhouse-0123456789ab.service',
]

it.runIf(process.platform === 'linux').each(['remove', 'purge', '0'])(
  'a package that is removed (%s) takes along what starts it, of every user, and never their data',
  async (word) => {
    const folder = await folderOf()
    const [ann, ben] = [await homeOf(folder, 'ann', PROGRAM), await homeOf(folder, 'ben b', PROGRAM)]
    await remove(folder, [ann, join(folder, 'nowhere'), ben], word)
    expect(await filesIn(ann)).toEqual(KEPT)
    expect(await filesIn(ben)).toEqual(KEPT)
  },
)

it.runIf(process.platform === 'linux').each(['upgrade', '1', 'failed-upgrade', 'abort-install', ''])(
  'where a newer version comes, or nothing is removed (%s), all stays',
  async (word) => {
    const folder = await folderOf()
    const ann = await homeOf(folder, 'ann', PROGRAM)
    await remove(folder, [ann], word)
    expect(await filesIn(ann)).toEqual(ALL)
  },
)

it.runIf(process.platform === 'linux')('what is of another installation, or a link, stays', async () => {
  const folder = await folderOf()
  const ann = await homeOf(folder, 'ann', '/home/ann/Wheelhouse.AppImage')
  const ben = await homeOf(folder, 'ben', PROGRAM)
  const autostart = join(ben, '.config/autostart/wheelhouse.desktop')
  await rm(autostart)
  await symlink(join(ann, '.config/autostart/wheelhouse.desktop'), autostart)
  await remove(folder, [ann, ben], 'remove')
  expect(await filesIn(ann)).toEqual(ALL)
  expect(await filesIn(ben)).toEqual([
    ...KEPT.slice(0, 1),
    '.config/autostart/wheelhouse.desktop',
    ...KEPT.slice(1),
  ])
})

it("deb and rpm are given the script, which begins with all of electron-builder's own", async () => {
  const config = parse(await readFile(at('build/electron-builder.yml'), 'utf8')) as Record<
    string,
    { afterRemove?: string }
  >
  for (const target of ['deb', 'rpm'])
    expect(config[target]?.afterRemove).toBe('build/packaging/after-remove.tpl')
  const theirs = await readFile(at('node_modules/app-builder-lib/templates/linux/after-remove.tpl'), 'utf8')
  expect(template.startsWith(theirs.trimEnd())).toBe(true)
  // Another name in braces stops electron-builder.
  expect(new Set(template.match(/\$\{\w+\}/g))).toEqual(new Set(['${executable}', '${sanitizedProductName}']))
})
