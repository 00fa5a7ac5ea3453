import { loaded } from '../base/loaded.ts'

export const archives = loaded({
  'archives.left-out': { one: '{count} item was left out.', other: '{count} items were left out.' },
  'archives.left-out-these': {
    one: '{count} item was left out: {items}.',
    other: '{count} items were left out: {items}.',
  },
  'archives.omitted-link': 'links ({names})',
  'archives.omitted-special': 'devices, pipes and sockets ({names})',
  'archives.omitted-name': 'names that can’t be used here ({names})',
  'archives.omitted-unreadable': 'names in another encoding ({names})',
  'archives.omitted-deep': 'too many folders deep, or with too long a path ({names})',
  'archives.omitted-twice': 'earlier versions of files with the same name ({names})',
  'archives.omitted-sparse': 'sparse files in an unknown format ({names})',
  'archives.omitted-outside': 'files that also have a name outside the server’s folder ({names})',
  'archives.omitted-changed': 'deleted or replaced in the meantime ({names})',
  'archives.omitted-other': 'entries of an unknown kind ({names})',
  'archives.omitted-more': '{count} more',
  'archives.names-read': 'Some names in this archive are not Unicode. They were read as {encoding}.',
  'archives.names-guessed':
    'Some names in this archive are not Unicode. They were read as {encoding}, which is a guess. If they look wrong, extract it again with another encoding.',
  'archives.extract-again': 'Extract again…',
  'archives.encoding': 'Encoding of names',
  'archives.encoding-hint':
    'Used for names that the archive doesn’t mark as Unicode, as older programs write them.',
  'archives.encoding-auto': 'Detect automatically',
  'archives.encoding-cp437': 'Western (CP437)',
  'archives.encoding-cp850': 'Western European (CP850)',
  'archives.encoding-windows-1252': 'Western European (Windows-1252)',
  'archives.encoding-cp852': 'Central European (CP852)',
  'archives.encoding-gbk': 'Chinese, simplified (GBK)',
  'archives.encoding-big5': 'Chinese, traditional (Big5)',
  'archives.encoding-shift_jis': 'Japanese (Shift JIS)',
  'archives.encoding-euc-kr': 'Korean (EUC-KR)',
  'archives.encoding-cp866': 'Cyrillic (CP866)',
  'archives.encoding-windows-1251': 'Cyrillic (Windows-1251)',
} as const)
