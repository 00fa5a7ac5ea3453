/** Was aus dem Inhalt eines Archivs geworden ist. */
export const archives = {
  'archives.left-out': {
    one: '{count} Element wurde ausgelassen.',
    other: '{count} Elemente wurden ausgelassen.',
  },
  'archives.left-out-these': {
    one: '{count} Element wurde ausgelassen: {items}.',
    other: '{count} Elemente wurden ausgelassen: {items}.',
  },
  'archives.omitted-link': 'Verknüpfungen ({names})',
  'archives.omitted-special': 'Geräte, Pipes und Sockets ({names})',
  'archives.omitted-name': 'Namen, die hier nicht möglich sind ({names})',
  'archives.omitted-unreadable': 'Namen in einer anderen Kodierung ({names})',
  'archives.omitted-deep': 'zu tief verschachtelt oder mit zu langem Pfad ({names})',
  'archives.omitted-twice': 'frühere Fassungen gleichnamiger Dateien ({names})',
  'archives.omitted-sparse': 'Sparse-Dateien in einem unbekannten Format ({names})',
  'archives.omitted-outside': 'Dateien, die auch außerhalb des Server-Ordners einen Namen haben ({names})',
  'archives.omitted-changed': 'inzwischen gelöscht oder ersetzt ({names})',
  'archives.omitted-other': 'Einträge unbekannter Art ({names})',
  'archives.omitted-more': '{count} weitere',
  'archives.names-read':
    'Einige Namen in diesem Archiv sind kein Unicode. Sie wurden als {encoding} gelesen.',
  'archives.names-guessed':
    'Einige Namen in diesem Archiv sind kein Unicode. Sie wurden als {encoding} gelesen; das ist geraten. Wenn sie falsch aussehen, entpacke es noch einmal mit einer anderen Kodierung.',
  'archives.extract-again': 'Noch einmal entpacken …',
  'archives.encoding': 'Kodierung der Namen',
  'archives.encoding-hint':
    'Gilt für Namen, die im Archiv nicht als Unicode gekennzeichnet sind, wie bei älteren Programmen.',
  'archives.encoding-auto': 'Automatisch erkennen',
  'archives.encoding-cp437': 'Westlich (CP437)',
  'archives.encoding-cp850': 'Westeuropäisch (CP850)',
  'archives.encoding-windows-1252': 'Westeuropäisch (Windows-1252)',
  'archives.encoding-cp852': 'Mitteleuropäisch (CP852)',
  'archives.encoding-gbk': 'Chinesisch, vereinfacht (GBK)',
  'archives.encoding-big5': 'Chinesisch, traditionell (Big5)',
  'archives.encoding-shift_jis': 'Japanisch (Shift JIS)',
  'archives.encoding-euc-kr': 'Koreanisch (EUC-KR)',
  'archives.encoding-cp866': 'Kyrillisch (CP866)',
  'archives.encoding-windows-1251': 'Kyrillisch (Windows-1251)',
} as const
