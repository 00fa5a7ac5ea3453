import { constants, lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { removeTree } from '../files/safe-fs/remove-tree.ts'
import { managementKeysIn } from './management-ports.ts'
import { propertiesIn, SETTINGS_BYTES, SETTINGS_FILE, withProperties } from '../worlds/server-properties.ts'
import { settingsEncoding } from '../worlds/world-file.ts'

/** Shared with a proxy. */
export const PROXY_SECRET = 'forwarding.secret'
/** When empty, Minecraft generates a new one or denies access. */
const SECRETS = ['rcon.password', 'management-server-secret']

/** In a folder that is to become another server. */
export async function withoutSecrets(folder: string): Promise<void> {
  const file = path.join(folder, SETTINGS_FILE)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isFile() || stat.size > SETTINGS_BYTES) return removeTree(file)
  await using handle = await open(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  const there = await handle.readFile()
  const encoding = settingsEncoding(there)
  const text = there.toString(encoding)
  const values = propertiesIn(text)
  const without = new Map<string, string | null>([
    ...SECRETS.filter((key) => values.has(key)).map((key) => [key, ''] as const),
    ...managementKeysIn(values).map((key) => [key, null] as const),
  ])
  const bytes = Buffer.from(withProperties(text, without) ?? text, encoding)
  await handle.truncate(0)
  await handle.write(bytes, 0, bytes.length, 0)
}
