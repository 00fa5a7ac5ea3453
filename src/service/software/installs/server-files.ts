import { javaBoolean } from '../../../contract/rules/java-values.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../base/refusal.ts'
import { changeText, TooLarge } from '../../worlds/change-text.ts'
import {
  propertiesIn,
  readProperties,
  SETTINGS,
  withProperties,
  withProperty,
} from '../../worlds/server-properties.ts'
import { readWorldText, UnusableFile } from '../../worlds/world-file.ts'

export const EULA_FILE = 'eula.txt'
/** Bytes of it. They are about 180. */
const EULA_BYTES = 16 * 1024
/** Where Mojang has put what has to be agreed to. */
export const EULA_ADDRESS = 'https://aka.ms/MinecraftEULA'

/** Values by their keys; null: the key goes. */
type Wanted = Readonly<Record<string, string | null>>
type WantedFor = (values: ReadonlyMap<string, string>) => Wanted

/**
 * Sets some of a server's settings, such as its port, right before it starts or while it does not run, so that Java reads these
 * values and no others, however the file was written. Comments, other keys, their order, escapes and line ends stay as they are, in
 * UTF-8 and in Latin-1. A function is given the values when they are changed. Throws Refusal 409 `software.settings-damaged` where
 * the file cannot be read or would become too large.
 */
export async function writeSettings(files: ServerFiles, settings: Wanted | WantedFor): Promise<void> {
  await changing(SETTINGS.file, () => changeText(files, SETTINGS, (text) => changed(text, settings)))
}

/** The same for a start, which Java would refuse because of a malformed escape. Throws also for that. */
export async function writeSettingsToStart(files: ServerFiles, settings: WantedFor): Promise<void> {
  await changing(SETTINGS.file, () =>
    changeText(files, SETTINGS, (text) => {
      const after = changed(text, settings)
      if (readProperties(after ?? text).malformed.size > 0)
        throw new UnusableFile('It has a malformed escape.')
      return after
    }),
  )
}

function changed(text: string, settings: Wanted | WantedFor): string | null {
  const { values, isAmbiguous } = readProperties(text)
  // As the game writes the file at each start.
  const before = isAmbiguous ? (withProperties('', values) ?? '') : text
  const wanted = typeof settings === 'function' ? settings(values) : settings
  const after = withProperties(before, new Map(Object.entries(wanted))) ?? before
  return after === text ? null : after
}

/** Whether the server's own file says that the EULA was agreed to; false where it cannot be read. */
export async function isEulaAgreed(files: ServerFiles): Promise<boolean> {
  const read = await readWorldText(files, EULA_FILE, EULA_BYTES, undefined, 'latin1').catch(() => null)
  if (read === null || read === 'same') return false
  return javaBoolean(propertiesIn(read.text).get('eula') ?? 'false')
}

/**
 * Writes into the server's folder that somebody has agreed to the EULA: who and when is kept by the caller. Throws Refusal
 * 409 `software.settings-damaged`.
 */
export async function writeEula(files: ServerFiles): Promise<void> {
  const text = { file: EULA_FILE, most: EULA_BYTES, encoding: 'latin1' } as const
  const said = `#By changing the setting below to TRUE you are indicating your agreement to our EULA (${EULA_ADDRESS}).\n`
  await changing(EULA_FILE, () =>
    changeText(files, text, (before) => withProperty(before || said, 'eula', 'true')),
  )
}

/** Throws Refusal 409 `software.settings-damaged` where a file of a server cannot be used. */
export async function changing(file: string, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (error instanceof UnusableFile || error instanceof TooLarge) throw damaged(file)
    throw error
  }
}

const damaged = (file: string) => refusal(409, 'software.settings-damaged', { file })
