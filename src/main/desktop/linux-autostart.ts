import { mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeKept } from '../../computer/kept-file.ts'

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
 * Has a program start with the desktop, or no longer. Where the program is an AppImage it is named by that file, which stays
 * where the folder it runs in does not.
 */
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
    `Exec=${[command, ...args].map(quoted).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ]
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  writeKept(file, lines.join('\n'))
}
