import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { LINK_SCHEME } from '../../src/main/desktop/deep-link.ts'
import { systemUnit } from '../../src/main/local/background/system-unit.ts'
import { at } from '../scripts/project.js'

const text = await readFile(at('build/packaging/installer.nsh'), 'utf8')
const config = parse(await readFile(at('build/electron-builder.yml'), 'utf8')) as {
  appId: string
  nsis: { include: string; perMachine: boolean }
}
/** The lines that do something. */
const lines = text
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith(';'))
const without = (part: string) => lines.join('\n').replace(part, '')

it('the uninstaller of Windows is given what it removes beside the program, where it asks for it', async () => {
  expect(config.nsis.include).toBe('build/packaging/installer.nsh')
  const templates = at('node_modules/app-builder-lib/templates/nsis')
  const uninstaller = await readFile(join(templates, 'uninstaller.nsh'), 'utf8')
  expect(uninstaller).toContain('!insertmacro customUnInstall\n')
  expect(uninstaller).toContain('${isUpdated}')
  expect(lines).toContain('!macro customUnInstall')
})

it('it removes nothing where a newer version takes the place of this one', () => {
  const begin = lines.indexOf('!macro customUnInstall')
  const end = lines.indexOf('!macroend', begin)
  expect(lines[begin + 1]).toBe('${ifNot} ${isUpdated}')
  expect(lines[end - 1]).toBe('${endif}')
  const acts = lines.flatMap((line, index) => (/^Delete|schtasks/.test(line) ? [index] : []))
  expect(acts).toHaveLength(5)
  for (const index of acts) expect(index > begin && index < end, lines[index]).toBe(true)
  // An older version is removed by a newer one with this word, also where a person runs the installer.
  expect(without('${ifNot} ${isUpdated}')).not.toContain('isUpdated')
})

it('it removes what the program tells the system: its start, its links, its task', async () => {
  const boot = await readFile(at('src/main/electron/boot.ts'), 'utf8')
  // Electron names the start with the system by this id.
  expect(boot).toContain(`app.setAppUserModelId('${config.appId}')`)
  expect(lines).toContain('DeleteRegValue HKCU "${WHEELHOUSE_RUN}" "${APP_ID}"')
  expect(lines).toContain(`!define WHEELHOUSE_LINKS "Software\\Classes\\${LINK_SCHEME}"`)

  const dataDir = await mkdtemp(join(tmpdir(), 'wheelhouse-installer-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const told: (readonly string[])[] = []
  const run = (_file: string, args: readonly string[]) => {
    told.push(args)
    return Promise.resolve({ stdout: '' })
  }
  const unit = systemUnit({ platform: 'win32', env: {}, dataDir, program: ['C:\\Wheelhouse.exe'], run })
  await unit?.prepare()
  const [, , task = '', , file = ''] = told[0] ?? []
  const [, folder = '', wanted = ''] = /FindFirst \$R0 \$R1 "\$APPDATA\\(\w+)\\(.+)"/.exec(text) ?? []
  // As `default-folder.ts` has it.
  expect(folder).toBe('Wheelhouse')
  const name = file.slice(dataDir.length + 1)
  expect(matchesGlob(name, wanted), name).toBe(true)
  expect(task).toBe(`Wheelhouse\\${name.slice(0, -4)}`)
  expect(text).toContain('/Delete /TN "Wheelhouse\\$R2" /F')
  await unit?.remove()
})

it('it takes nothing from another installation, and deletes no folder and no file of a person', () => {
  const keys = lines.filter((line) => /^DeleteReg/.test(line))
  const checks = lines.filter((line) => line === '!insertmacro wheelhouseIsOurs')
  expect(keys).toHaveLength(3)
  expect(checks).toHaveLength(2)
  expect(config.nsis.perMachine).toBe(false)
  for (const key of keys) expect(key).toContain(' HKCU ')
  expect(text).not.toMatch(/RMDir/)
  expect(lines.filter((line) => /^Delete /.test(line))).toEqual(['Delete "$APPDATA\\Wheelhouse\\$R1"'])
})
