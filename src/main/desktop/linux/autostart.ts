import { realpathSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'
import { readDataFile, writeDataFile } from '../../../host/data-file.ts'

export const autostartFile = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart', 'wheelhouse.desktop')

/** Quoting of the Desktop Entry Specification; `%` would start a field code. */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

/** The executable, or the AppImage file. APPIMAGE may be inherited from another AppImage that started us. */
export function programFile(env: NodeJS.ProcessEnv = process.env, program = process.execPath): string {
  const { APPIMAGE = '', APPDIR = '' } = env
  if (!isAbsolute(APPIMAGE) || !isAbsolute(APPDIR)) return program
  try {
    return realpathSync(program).startsWith(`${realpathSync(APPDIR)}${sep}`) ? APPIMAGE : program
  } catch {
    return program
  }
}

/** An unreadable file starts nothing. Never rejects. */
export async function linuxAutostartIsOn(file = autostartFile()): Promise<boolean> {
  const text = await readDataFile(file).catch(() => null)
  // How KDE and GNOME turn it off.
  return text !== null && !/^(Hidden *= *true|X-GNOME-Autostart-enabled *= *false) *$/m.test(text)
}

export async function setLinuxAutostart(
  on: boolean,
  program: readonly string[],
  file = autostartFile(),
): Promise<void> {
  if (!on) return rm(file, { force: true })
  const [command = '', ...args] = program
  // A line break would inject another key.
  if (program.some((word) => /[\n\r\0]/.test(word)))
    throw new Error('The program has a path that cannot be started.')
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Wheelhouse',
    // Disables the entry once the program is uninstalled.
    `TryExec=${command.replaceAll('\\', '\\\\')}`,
    `Exec=${[command, ...args].map(quoted).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ]
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  writeDataFile(file, lines.join('\n'))
}
