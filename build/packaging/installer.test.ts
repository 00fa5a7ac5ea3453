import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { LINK_SCHEME } from '../../src/main/desktop/deep-link.ts'
import { TOAST_ACTIVATOR, WINDOWS_ID } from '../../src/main/desktop/autostart.ts'
import { systemUnit } from '../../src/main/local/background/system-unit.ts'
import { at } from '../scripts/project.js'

const run = promisify(execFile)
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
  expect(acts).toHaveLength(6)
  for (const index of acts) expect(index > begin && index < end, lines[index]).toBe(true)
  // An older version is removed by a newer one with this word, also where a person runs the installer.
  expect(macro('customUnInstall').slice(1).join('\n')).not.toContain('isUpdated')
})

it('it removes what the program tells the system: its start, its links, its notifications, its task', async () => {
  // Electron names the start with the system by this id.
  expect(WINDOWS_ID).toBe(config.appId)
  expect(lines).toContain('DeleteRegValue HKCU "${WHEELHOUSE_RUN}" "${APP_ID}"')
  expect(lines).toContain(`!define WHEELHOUSE_TOASTS "Software\\Classes\\CLSID\\${TOAST_ACTIVATOR}"`)
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
  // As `data-folder.ts` has it.
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
  expect(keys).toHaveLength(4)
  expect(checks).toHaveLength(3)
  expect(config.nsis.perMachine).toBe(false)
  for (const key of keys) expect(key).toContain(' HKCU ')
  expect(text).not.toMatch(/RMDir/)
  expect(lines.filter((line) => /^Delete /.test(line))).toEqual(['Delete "$APPDATA\\Wheelhouse\\$R1"'])
})

/** The lines of a macro. */
function macro(name: string): string[] {
  const begin = lines.indexOf(`!macro ${name}`)
  expect(begin, name).toBeGreaterThanOrEqual(0)
  return lines.slice(begin + 1, lines.indexOf('!macroend', begin))
}

it('a program that runs is never ended by force: it is waited for, or a person is asked to quit it', async () => {
  const include = at('node_modules/app-builder-lib/templates/nsis/include/allowOnlyOneInstallerInstance.nsh')
  const template = await readFile(include, 'utf8')
  // It is inserted in place of the template's own, which ends the program.
  expect(template).toMatch(/!ifmacrodef customCheckAppRunning\s+!insertmacro customCheckAppRunning\s+!else/)
  expect(template).toMatch(/Var \/GLOBAL CmdPath\s+Var \/GLOBAL PowerShellPath/)
  expect(text).not.toMatch(/taskkill|Stop-Process|KILL_PROCESS|_CHECK_APP_RUNNING|schtasks\S* \/End/i)
  const check = macro('customCheckAppRunning')
  // Without a person, as in a silent update, it is given up, and what is installed stays.
  const asked = check.findIndex((line) => line.includes('MessageBox'))
  expect(check[asked]).toContain('/SD IDCANCEL')
  expect(check.slice(asked + 1, asked + 3)).toEqual(['SetErrorLevel 2', 'Quit'])
  expect(check.filter((line) => line.startsWith('Push')).map((line) => line.slice(5))).toEqual(
    check.flatMap((line) => (line.startsWith('Pop ') ? [line.slice(4)] : [])).reverse(),
  )
})

it.runIf(existsSync('/usr/bin/makensis'))(
  'what is inserted is understood by the compiler of installers',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-nsis-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const script = (body: string) => `Unicode true
!include LogicLib.nsh
!define APP_ID "${config.appId}"
!define APP_EXECUTABLE_FILENAME "Wheelhouse.exe"
!define isUpdated \`$0 == "updated"\`
Name "Wheelhouse"
OutFile "${join(folder, 'out.exe')}"
!include "${at('build/packaging/installer.nsh')}"
Section
  Var /GLOBAL CmdPath
  Var /GLOBAL PowerShellPath
  StrCpy $CmdPath "$SYSDIR\\cmd.exe"
  StrCpy $PowerShellPath "$SYSDIR\\powershell.exe"
  ${body}
  WriteUninstaller "$TEMP\\un.exe"
SectionEnd
Section Uninstall
  !insertmacro customUnInstall
SectionEnd
`
    const compile = async (body: string) => {
      await writeFile(join(folder, 'in.nsi'), script(body))
      // A warning, as of a variable that nobody set, is an error.
      return run('makensis', ['-V2', '-WX', join(folder, 'in.nsi')])
    }
    await compile('!insertmacro customCheckAppRunning')
    await expect(compile('!insertmacro customCheckAppRunnin')).rejects.toThrow()
  },
)
