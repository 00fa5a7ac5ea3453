import { RAW_BYTES, shownBytes } from './raw-bytes.ts'

/** Most bytes of a name, which is what file systems hold. */
export const NAME_BYTES = 255

/** A name or path for display: without raw bytes, line breaks and other control characters. */
export const shownName = (name: string): string =>
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  shownBytes(name).replaceAll(/[\u0000-\u001f\u007f]/g, '\ufffd')

const byteLength = (name: string): number => new TextEncoder().encode(name.replaceAll(RAW_BYTES, '?')).length

/**
 * What can be wrong with the name of a file. `device`, `ending` and `windows-character` are what Windows alone does not
 * take, `delete` the character 127.
 */
export type NameFault =
  | 'empty'
  | 'blank'
  | 'here'
  | 'up'
  | 'slash'
  | 'backslash'
  | 'control'
  | 'delete'
  | 'ending'
  | 'device'
  | 'windows-character'
  | 'unicode'

const faults: Readonly<Record<NameFault, (name: string) => boolean>> = {
  empty: (name) => name === '',
  blank: (name) => name.trim() === '',
  here: (name) => name === '.',
  up: (name) => name === '..',
  slash: (name) => name.includes('/'),
  backslash: (name) => name.includes('\\'),
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  control: (name) => /[\u0000-\u001f]/.test(name),
  delete: (name) => name.includes('\u007f'),
  ending: (name) => /[. ]$/.test(name),
  device: (name) => /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:[. ]|$)/i.test(name),
  'windows-character': (name) => /[<>:"|?*]/.test(name),
  unicode: (name) => !name.isWellFormed(),
}

/** The first of these that is wrong with a name; `long` where it has more bytes than `most`; null where nothing is. */
export function nameFault<Minded extends NameFault>(
  name: string,
  minded: readonly Minded[],
  most: number = NAME_BYTES,
): Minded | 'long' | null {
  return (
    minded.find((fault) => faults[fault](name)) ??
    (most < Infinity && byteLength(name) > most ? 'long' : null)
  )
}

/**
 * How many characters of a name come before its ending, also a double one. A name that is all ending, such as `.env`, has
 * none, and neither is what holds a space one.
 */
export function stemLength(name: string): number {
  const ending = /(?:\.tar)?\.[^.\s]{1,20}$/i.exec(name)
  return ending && ending.index > 0 ? ending.index : name.length
}

/** `world.tar.gz` with 2 → `world (2).tar.gz`. Cut between letters where it would have more bytes than `most`. */
export function numbered(name: string, number: number, most: number = NAME_BYTES): string {
  const suffix = ` (${number})${name.slice(stemLength(name))}`
  let stem = name.slice(0, stemLength(name))
  while (byteLength(stem + suffix) > most) stem = [...stem].slice(0, -1).join('')
  return stem + suffix
}
