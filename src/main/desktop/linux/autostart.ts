import { realpathSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'
import { readDataFile, writeDataFile } from '../../../host/data-file.ts'

/** Where desktops of Linux look for what starts with them. */
export const autostartFile = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart', 'wheelhouse.desktop')

/** A word of a command line, as the Desktop Entry Specification quotes it; a percent sign would begin a field. */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

/**
 * The file that starts this program: of an AppImage that one, which stays where the folder it runs in does not. The
 * environment may be that of another AppImage, which has started this program.
 */
export function programFile(env: NodeJS.ProcessEnv = process.env, program = process.execPath): string {
  const { APPIMAGE = '', APPDIR = '' } = env
  if (!isAbsolute(APPIMAGE) || !isAbsolute(APPDIR)) return program
  try {
    return realpathSync(program).startsWith(`${realpathSync(APPDIR)}${sep}`) ? APPIMAGE : program
  } catch {
    return program
  }
}

/** Whether the desktop starts a program by this file. One that cannot be read starts none. Never rejects. */
export async function linuxAutostartIsOn(file = autostartFile()): Promise<boolean> {
  const text = await readDataFile(file).catch(() => null)
  // As KDE and GNOME turn it off in their own settings.
  return text !== null && !/^(Hidden *= *true|X-GNOME-Autostart-enabled *= *false) *$/m.test(text)
}

/** Has a program start with the desktop, or no longer. */
export async function setLinuxAutostart(
  on: boolean,
  program: readonly string[],
  file = autostartFile(),
): Promise<void> {
  if (!on) return rm(file, { force: true })
  const [command = '', ...args] = program
  // A line more would be another key of the entry.
  if (program.some((word) => /[\n\r\0]/.test(word)))
    throw new Error('The program has a path that cannot be started.')
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Wheelhouse',
    // Once the program is uninstalled, the entry starts nothing and is shown nowhere.
    `TryExec=${command.replaceAll('\\', '\\\\')}`,
    `Exec=${[command, ...args].map(quoted).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ]
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  writeDataFile(file, lines.join('\n'))
}
