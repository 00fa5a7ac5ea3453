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
