import { homedir } from 'node:os'
import { join } from 'node:path'

export function defaultFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Wheelhouse')
  if (process.platform === 'win32') return join(process.env['APPDATA'] ?? homedir(), 'Wheelhouse')
  return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'wheelhouse')
}
