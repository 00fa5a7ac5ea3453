import type { ServerFiles } from '../files/server-files.ts'
import { refusal } from '../refusal.ts'
import { changeText, TooLarge } from '../worlds/change-text.ts'
import { propertiesIn, SETTINGS_BYTES, SETTINGS_FILE, withProperty } from '../worlds/server-properties.ts'
import { readWorldText, UnusableFile } from '../worlds/world-file.ts'

export const EULA_FILE = 'eula.txt'
/** Bytes of it. They are about 180. */
const EULA_BYTES = 16 * 1024
/** Where Mojang has put what has to be agreed to. */
export const EULA_ADDRESS = 'https://aka.ms/MinecraftEULA'

/** Values by their keys; null: the key goes. */
type Wanted = Readonly<Record<string, string | null>>

/**
 * Sets some of a server's settings, such as its port, right before it starts or while it does not run. Comments, unknown
 * keys, their order, escapes and line ends stay as they are, in UTF-8 and in Latin-1. A function is given the file as it is
 * when it is changed. Throws Refusal 409
 * `software.settings-damaged` where the file cannot be read or would become too large.
 */
export async function writeSettings(
  files: ServerFiles,
  settings: Wanted | ((before: string) => Wanted),
): Promise<void> {
  // Latin-1 has a character for each byte: what is not changed stays byte by byte.
  const text = { file: SETTINGS_FILE, most: SETTINGS_BYTES, encoding: 'latin1' } as const
  await changing(SETTINGS_FILE, () =>
    changeText(files, text, (before) => {
      let after: string | null = null
      const wanted = typeof settings === 'function' ? settings(before) : settings
      for (const [key, value] of Object.entries(wanted))
        after = withProperty(after ?? before, key, value) ?? after
      return after
    }),
  )
}

/** Whether the server's own file says that the EULA was agreed to; false where it cannot be read. */
export async function isEulaAgreed(files: ServerFiles): Promise<boolean> {
  const read = await readWorldText(files, EULA_FILE, EULA_BYTES).catch(() => null)
  if (read === null || read === 'same') return false
  return propertiesIn(read.text).get('eula')?.trim().toLowerCase() === 'true'
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
