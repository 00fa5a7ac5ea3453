import { relocationSentences } from './relocation-sentences.ts'

export const copySentences = {
  ...relocationSentences,
  'copies.local': 'Servers on this computer have their own backups.',
  'copies.too-many-plans':
    'At most {most} servers can be copied to this computer. Turn it off for another one first.',
  'copies.no-folder':
    'The folder for copies isn’t there: {folder}. Connect its disk, or choose another folder.',
  'copies.no-room':
    'There isn’t enough room for a copy: it needs {needed:bytes}, and {free:bytes} are free. Make room, or choose another folder.',
  'copies.too-large': 'The server has more than {most} files, which is more than a copy can have.',
  'copies.nothing': 'The service listed no files, so no copy was made. Try again later.',
  'copies.busy': 'This server is already being copied.',
  'copies.gone': 'This copy is no longer there. Reload the list.',
  'copies.cancelled': 'The copy was canceled.',
  'copies.none-lately': '“{server}” hasn’t been copied to this computer for three days. Its backups say why.',
} as const
