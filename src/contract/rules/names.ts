import { RAW_BYTES, shownBytes } from './raw-bytes.ts'

export const NAME_BYTES = 255

export const shownName = (name: string): string =>
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  shownBytes(name).replaceAll(/[\u0000-\u001f\u007f]/g, '\ufffd')

const byteLength = (name: string): number => new TextEncoder().encode(name.replaceAll(RAW_BYTES, '?')).length

/** `device`, `ending` and `windows-character` only matter on Windows; `delete` is character 127. */
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

/** The first fault, or null; `long` if it exceeds `most` bytes. */
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

/** Length without extension (also a double one). `.env` has none, nor does anything with a space in it. */
export function stemLength(name: string): number {
  const ending = /(?:\.tar)?\.[^.\s]{1,20}$/i.exec(name)
  return ending && ending.index > 0 ? ending.index : name.length
}

/** `world.tar.gz` with 2 → `world (2).tar.gz`. Truncated between letters if longer than `most` bytes. */
export function numbered(name: string, number: number, most: number = NAME_BYTES): string {
  const suffix = ` (${number})${name.slice(stemLength(name))}`
  let stem = name.slice(0, stemLength(name))
  while (byteLength(stem + suffix) > most) stem = [...stem].slice(0, -1).join('')
  return stem + suffix
}

/** Non-Unicode encodings of names in archives; the first is zip's default. */
export const NAME_ENCODINGS = [
  'cp437',
  'cp850',
  'windows-1252',
  'cp852',
  'gbk',
  'big5',
  'shift_jis',
  'euc-kr',
  'cp866',
  'windows-1251',
] as const
export type NameEncoding = (typeof NAME_ENCODINGS)[number]
