import { propertiesIn } from '../../contract/pure/properties-text.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { readWorldText } from './world-file.ts'

export { propertiesIn, withProperties, withProperty } from '../../contract/pure/properties-text.ts'

export const SETTINGS_FILE = 'server.properties'
/** Bytes of it. They are about 2,000. */
export const SETTINGS_BYTES = 256 * 1024

/** Whether the game can be commanded from elsewhere, by a password (RCON). */
export const REMOTE_CONSOLE = 'enable-rcon'
/** As the game reads a switch: in capitals too. */
export const isTrue = (value: string | undefined): boolean => value?.trim().toLowerCase() === 'true'

/** What the panel has to know of `server.properties` to find its players. */
export interface WorldSettings {
  /** Path of the world's folder. */
  level: string
  /** Whether players are who they say they are; otherwise their uuids follow from their names. */
  onlineMode: boolean
  opLevel: number
  /** Whether only those on the whitelist may join; null where the file cannot be used. */
  whitelist: boolean | null
}

/** As a server has it that was told nothing. */
const UNSET: WorldSettings = { level: 'world', onlineMode: true, opLevel: 4, whitelist: false }

/** Reads them; as a server has them that was told nothing where the file is missing or cannot be used. */
export async function readWorldSettings(files: ServerFiles): Promise<WorldSettings> {
  const read = await readWorldText(files, SETTINGS_FILE, SETTINGS_BYTES).catch(() => 'unusable' as const)
  if (read === 'unusable') return { ...UNSET, whitelist: null }
  if (read === null || read === 'same') return UNSET
  const values = propertiesIn(read.text)
  const opLevel = Number(values.get('op-permission-level'))
  return {
    level: values.get('level-name')?.trim() || UNSET.level,
    onlineMode: values.get('online-mode')?.trim() !== 'false',
    opLevel: Number.isInteger(opLevel) && opLevel >= 1 && opLevel <= 4 ? opLevel : UNSET.opLevel,
    whitelist: values.get('white-list')?.trim() === 'true',
  }
}

/** What `server.properties` says of the Minecraft Server Management Protocol. */
export type ManagementSettings =
  | { kind: 'off' }
  /** It is on, and nothing here can use it. */
  | { kind: 'unusable'; why: string }
  | {
      kind: 'on'
      host: '127.0.0.1' | '::1'
      port: number
      secret: string
      /** One of those it lets in; null where it names none. */
      origin: string | null
    }

/** How this computer is named here. Never looked up: what a name leads to can be changed. */
const LOOPBACK = new Map<string, '127.0.0.1' | '::1'>([
  ['', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
])

/** Reads them. Off where the file is missing or cannot be used. */
export async function readManagementSettings(files: ServerFiles): Promise<ManagementSettings> {
  const read = await readWorldText(files, SETTINGS_FILE, SETTINGS_BYTES).catch(() => null)
  return read === null || read === 'same' ? { kind: 'off' } : managementSettingsIn(read.text)
}

/** The same of a text. */
export function managementSettingsIn(text: string): ManagementSettings {
  const values = propertiesIn(text)
  const valueOf = (key: string) => values.get(`management-server-${key}`)?.trim() ?? ''
  if (valueOf('enabled').toLowerCase() !== 'true') return { kind: 'off' }
  const host = LOOPBACK.get(valueOf('host').toLowerCase())
  const port = Number(valueOf('port'))
  const secret = valueOf('secret')
  const [origin = ''] = valueOf('allowed-origins').split(',')
  const unusable = (why: string) => ({ kind: 'unusable', why }) as const
  // Unless it is turned off, it is on.
  if (valueOf('tls-enabled').toLowerCase() !== 'false')
    return unusable('management-server-tls-enabled is not false')
  if (host === undefined) return unusable('management-server-host is not this computer')
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return unusable('management-server-port names no fixed port')
  if (!/^[A-Za-z0-9]{40}$/.test(secret))
    return unusable('management-server-secret does not have 40 letters and digits')
  const isSendable = /^[\x21-\x7e]{1,200}$/.test(origin.trim())
  return { kind: 'on', host, port, secret, origin: isSendable ? origin.trim() : null }
}
