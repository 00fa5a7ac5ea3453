import type { ServerFiles } from '../files/server-files.ts'
import { readWorldText } from './world-file.ts'

/** Bytes of `server.properties`. They have about 2,000. */
const MOST = 256 * 1024

/** What the panel has to know of `server.properties` to find its players. */
export interface WorldSettings {
  /** Path of the world's folder. */
  level: string
  /** Whether players are who they say they are; otherwise their uuids follow from their names. */
  onlineMode: boolean
  opLevel: number
}

/** As a server has it that was told nothing. */
const UNSET: WorldSettings = { level: 'world', onlineMode: true, opLevel: 4 }

/** Reads them; as a server has them that was told nothing where the file is missing or cannot be used. */
export async function readWorldSettings(files: ServerFiles): Promise<WorldSettings> {
  const read = await readWorldText(files, 'server.properties', MOST).catch(() => null)
  if (read === null || read === 'same') return UNSET
  const values = propertiesIn(read.text)
  const opLevel = Number(values.get('op-permission-level'))
  return {
    level: values.get('level-name')?.trim() || UNSET.level,
    onlineMode: values.get('online-mode')?.trim() !== 'false',
    opLevel: Number.isInteger(opLevel) && opLevel >= 1 && opLevel <= 4 ? opLevel : UNSET.opLevel,
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
