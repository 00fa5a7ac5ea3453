import { isUtf8 } from 'node:buffer'
import { javaBoolean } from '../../contract/rules/java-values.ts'
import { type Properties, readProperties, withProperties } from '../../contract/rules/properties-text.ts'
import { hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { changeFile, type GameFiles, UNUSABLE } from './game-files.ts'

export const SETTINGS = 'server.properties'
export const SETTINGS_BYTES = 64 * 1024

export interface GameSettings extends Pick<Properties, 'values' | 'malformed'> {
  /** Null without a file, and where it can't be used. */
  text: string | null
  /** It is there, but too large. */
  isUsable: boolean
  /** Whoever gives a name is let in: uuids follow from names. */
  isOffline: boolean
}

export async function readSettings(files: GameFiles, caller: Caller): Promise<GameSettings> {
  const bytes = await files.read(SETTINGS, SETTINGS_BYTES, caller)
  const isUsable = bytes !== UNUSABLE
  const text = isUsable && bytes !== null ? textOf(bytes) : null
  const { values, malformed } = readProperties(text ?? '')
  return { text, values, malformed, isUsable, isOffline: !javaBoolean(values.get('online-mode') ?? 'true') }
}

/** Sets values and keeps all other bytes. `changes` may refuse; null removes a key. */
export async function changeSettings(
  files: GameFiles,
  changes: (text: string) => ReadonlyMap<string, string | null>,
  caller: Caller,
): Promise<void> {
  const damaged = () => hostRefusal(409, 'config.settings-damaged', { file: SETTINGS })
  const change = (bytes: Buffer | null) => {
    const text = bytes === null ? '' : textOf(bytes)
    const next = withProperties(text, changes(text))
    return next === null ? null : Buffer.from(next, bytes === null ? 'utf8' : encodingOf(bytes))
  }
  await changeFile(files, { path: SETTINGS, most: SETTINGS_BYTES, damaged }, change, caller)
}

/** Older versions read only Latin-1 but rewrite the file in ASCII at every start. */
const encodingOf = (bytes: Buffer): 'utf8' | 'latin1' => (isUtf8(bytes) ? 'utf8' : 'latin1')
const textOf = (bytes: Buffer): string => bytes.toString(encodingOf(bytes))
