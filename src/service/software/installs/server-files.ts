import { javaBoolean } from '../../../contract/rules/java-values.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { changeText, TextSizeError } from '../../worlds/change-text.ts'
import {
  propertiesIn,
  readProperties,
  SETTINGS,
  withProperties,
  withProperty,
} from '../../worlds/server-properties.ts'
import { readWorldText, UnusableFile } from '../../worlds/world-file.ts'

export const EULA_FILE = 'eula.txt'
const EULA_BYTES = 16 * 1024
export const EULA_ADDRESS = 'https://aka.ms/MinecraftEULA'

/** null removes the key. */
type SettingValues = Readonly<Record<string, string | null>>
type SettingsRule = (values: ReadonlyMap<string, string>) => SettingValues

/** Preserves everything else, including escapes and encoding. Throws Refusal 409 `software.settings-damaged`. */
export async function writeSettings(
  files: ServerFiles,
  settings: SettingValues | SettingsRule,
): Promise<void> {
  await changing(SETTINGS.file, () => changeText(files, SETTINGS, (text) => changed(text, settings)))
}

/** Also throws for malformed escapes, which prevent a start. */
export async function writeSettingsToStart(files: ServerFiles, settings: SettingsRule): Promise<void> {
  await changing(SETTINGS.file, () =>
    changeText(files, SETTINGS, (text) => {
      const after = changed(text, settings)
      if (readProperties(after ?? text).malformed.size > 0)
        throw new UnusableFile('It has a malformed escape.')
      return after
    }),
  )
}

function changed(text: string, settings: SettingValues | SettingsRule): string | null {
  const { values, isAmbiguous } = readProperties(text)
  // As the game does at each start.
  const before = isAmbiguous ? (withProperties('', values) ?? '') : text
  const wanted = typeof settings === 'function' ? settings(values) : settings
  const after = withProperties(before, new Map(Object.entries(wanted))) ?? before
  return after === text ? null : after
}

export async function isEulaAgreed(files: ServerFiles): Promise<boolean> {
  const read = await readWorldText(files, EULA_FILE, EULA_BYTES, undefined, 'latin1').catch(() => null)
  if (read === null || read === 'same') return false
  return javaBoolean(propertiesIn(read.text).get('eula') ?? 'false')
}

/** The caller records who agreed and when. Throws Refusal 409 `software.settings-damaged`. */
export async function writeEula(files: ServerFiles): Promise<void> {
  const text = { file: EULA_FILE, most: EULA_BYTES, encoding: 'latin1' } as const
  const said = `#By changing the setting below to TRUE you are indicating your agreement to our EULA (${EULA_ADDRESS}).\n`
  await changing(EULA_FILE, () =>
    changeText(files, text, (before) => withProperty(before || said, 'eula', 'true')),
  )
}

/** Throws Refusal 409 `software.settings-damaged`. */
export async function changing(file: string, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (error instanceof UnusableFile || error instanceof TextSizeError) throw damaged(file)
    throw error
  }
}

const damaged = (file: string) => refusal(409, 'software.settings-damaged', { file })
