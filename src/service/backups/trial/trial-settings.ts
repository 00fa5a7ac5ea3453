import { readFile, writeFile } from 'node:fs/promises'
import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import type { ServerFiles } from '../../files/server-files.ts'
import { SETTINGS_BYTES, SETTINGS_FILE, withProperties } from '../../worlds/server-properties.ts'
import { settingsEncoding } from '../../worlds/world-file.ts'

/** Nobody but this computer reaches it, and no second door is open. Only for a folder that is ours. */
export async function changeSettings({ root }: Pick<ServerFiles, 'root'>, port: number): Promise<void> {
  const file = path.join(root, SETTINGS_FILE)
  if (!existsSync(file) || !lstatSync(file).isFile() || lstatSync(file).size > SETTINGS_BYTES) return
  const bytes = await readFile(file)
  const encoding = settingsEncoding(bytes)
  const text = bytes.toString(encoding)
  const closed = new Map<string, string | null>([
    ['server-ip', '127.0.0.1'],
    ['server-port', String(port)],
    ['enable-rcon', 'false'],
    ['enable-query', 'false'],
    ['management-server-enabled', 'false'],
  ])
  await writeFile(file, Buffer.from(withProperties(text, closed) ?? text, encoding))
}
