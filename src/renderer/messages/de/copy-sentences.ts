import { relocationSentences } from './relocation-sentences.ts'

export const copySentences = {
  ...relocationSentences,
  'copies.local': 'Server auf diesem Computer haben ihre eigenen Backups.',
  'copies.too-many-plans':
    'Höchstens {most} Server lassen sich auf diesen Computer kopieren. Schalte es zuerst für einen anderen aus.',
  'copies.no-folder':
    'Der Ordner für Kopien ist nicht da: {folder}. Schließe sein Laufwerk an, oder wähle einen anderen Ordner.',
  'copies.no-room':
    'Für eine Kopie reicht der Platz nicht: Sie braucht {needed:bytes}, frei sind {free:bytes}. Schaffe Platz, oder wähle einen anderen Ordner.',
  'copies.too-large': 'Der Server hat mehr als {most} Dateien; so viele kann eine Kopie nicht haben.',
  'copies.nothing':
    'Der Dienst hat keine Dateien aufgeführt, deshalb gibt es keine Kopie. Versuche es später noch einmal.',
  'copies.busy': 'Dieser Server wird bereits kopiert.',
  'copies.gone': 'Diese Kopie gibt es nicht mehr. Lade die Liste neu.',
  'copies.cancelled': 'Die Kopie wurde abgebrochen.',
  'copies.none-lately':
    '„{server}“ wurde seit drei Tagen nicht auf diesen Computer kopiert. Warum, steht bei seinen Backups.',
} as const
