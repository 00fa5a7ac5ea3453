import type { ServerFiles } from '../files/server-files.ts'
import { readWorldText } from './world-file.ts'

export const SETTINGS_FILE = 'server.properties'
/** Bytes of it. They are about 2,000. */
export const SETTINGS_BYTES = 256 * 1024

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

/** `key=value` lines, `\:` and `\=` and other escapes taken back. */
export function propertiesIn(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s?(.*)$/.exec(line)
    if (match) values.set(match[1]!, match[2]!.replaceAll(/\\(.)/g, '$1'))
  }
  return values
}

/** The text with another value of one key, everything else as it stood; null where it says so already. */
export function withProperty(text: string, key: string, value: string): string | null {
  if (propertiesIn(text).get(key)?.trim() === value) return null
  const line = `${key}=${value}`
  const standing = new RegExp(String.raw`^[ \t]*${key}[ \t]*[=:][^\r\n]*`, 'gm')
  if (standing.test(text)) return text.replaceAll(standing, line)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}
