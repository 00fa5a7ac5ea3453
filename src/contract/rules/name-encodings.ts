/** Encodings of names in archives that are not Unicode. The first is what the zip format means where nothing says another. */
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
