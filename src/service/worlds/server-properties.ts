import { javaBoolean, javaInt } from '../../contract/rules/java-values.ts'
import { type Properties, readProperties } from '../../contract/rules/properties-text.ts'
import type { ServerFiles } from '../files/server-files.ts'
import type { WorldText } from './change-text.ts'
import { readWorldText, UnusableFile } from './world-file.ts'

export {
  propertiesIn,
  readProperties,
  withProperties,
  withProperty,
} from '../../contract/rules/properties-text.ts'

export const SETTINGS_FILE = 'server.properties'
export const SETTINGS_BYTES = 64 * 1024
/** Read and written as the game does. */
export const SETTINGS: WorldText = { file: SETTINGS_FILE, most: SETTINGS_BYTES, encoding: 'settings' }

export const REMOTE_CONSOLE = 'enable-rcon'

export interface WorldSettings {
  level: string
  /** Otherwise uuids follow from names. */
  onlineMode: boolean
  opLevel: number
  whitelist: boolean | null
  port: number
  motd: string
  remoteConsole: boolean
}

/** Throws UnusableFile. */
export async function readSettings(files: ServerFiles): Promise<Properties | null> {
  const read = await readWorldText(files, SETTINGS_FILE, SETTINGS_BYTES, undefined, 'settings')
  return read === null || read === 'same' ? null : readProperties(read.text)
}

/** The game's defaults if missing or unusable. */
export async function readWorldSettings(files: ServerFiles): Promise<WorldSettings> {
  try {
    return worldSettingsIn(await readSettings(files))
  } catch (error) {
    if (error instanceof UnusableFile) return { ...worldSettingsIn(null), whitelist: null }
    throw error
  }
}

export function worldSettingsIn(properties: Properties | null): WorldSettings {
  const text = (key: string, unset: string) => properties?.values.get(key) ?? unset
  const isOn = (key: string, unset: boolean) => javaBoolean(text(key, String(unset)))
  const number = (key: string, unset: number) => javaInt(text(key, '')) ?? unset
  return {
    level: text('level-name', 'world') || 'world',
    onlineMode: isOn('online-mode', true),
    opLevel: Math.min(4, Math.max(0, number('op-permission-level', 4))),
    // Malformed escapes prevent a start.
    whitelist: properties?.malformed.size ? null : isOn('white-list', false),
    port: number('server-port', 25_565),
    motd: text('motd', ''),
    remoteConsole: isOn(REMOTE_CONSOLE, false),
  }
}

/** Of the Minecraft Server Management Protocol. */
export type ManagementSettings =
  | { kind: 'off' }
  | { kind: 'unusable'; why: string }
  | {
      kind: 'on'
      host: '127.0.0.1' | '::1'
      port: number
      secret: string
      /** An allowed origin; null if none is set. */
      origin: string | null
    }

/** Names of loopback. Never resolved, since DNS can change. */
const LOOPBACK = new Map<string, '127.0.0.1' | '::1'>([
  ['', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
])

/** Off if missing or unusable. */
export async function readManagementSettings(files: ServerFiles): Promise<ManagementSettings> {
  const read = await readSettings(files).catch(() => null)
  return managementSettingsIn(read?.values ?? new Map())
}

export function managementSettingsIn(values: ReadonlyMap<string, string>): ManagementSettings {
  const valueOf = (key: string) => values.get(`management-server-${key}`) ?? ''
  if (!javaBoolean(valueOf('enabled'))) return { kind: 'off' }
  const host = LOOPBACK.get(valueOf('host').toLowerCase())
  const port = javaInt(valueOf('port')) ?? 0
  const secret = valueOf('secret')
  const [origin = ''] = valueOf('allowed-origins').split(',')
  const unusable = (why: string) => ({ kind: 'unusable', why }) as const
  // Enabled by default.
  if (javaBoolean(values.get('management-server-tls-enabled') ?? 'true'))
    return unusable('management-server-tls-enabled is not false')
  if (host === undefined) return unusable('management-server-host is not this computer')
  if (port < 1 || port > 65_535) return unusable('management-server-port names no fixed port')
  if (!/^[A-Za-z0-9]{40}$/.test(secret))
    return unusable('management-server-secret does not have 40 letters and digits')
  const isSendable = /^[\x21-\x7e]{1,200}$/.test(origin.trim())
  return { kind: 'on', host, port, secret, origin: isSendable ? origin.trim() : null }
}
