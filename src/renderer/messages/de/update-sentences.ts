export const updateSentences = {
  'update.not-installed-here':
    'Diese Kopie von Wheelhouse wurde nicht mit einem Installationsprogramm eingerichtet und aktualisiert sich deshalb nicht selbst.',
  'update.no-feed':
    'In dieser Ausgabe von Wheelhouse steht nicht, woher Updates kommen. Sie aktualisiert sich deshalb nicht selbst.',
  'update.disk-full':
    'Für das Update ist nicht genug Speicherplatz frei. Nichts wurde geändert. Schaffe Platz und versuche es erneut.',
  'update.wrong-checksum':
    'Der Download stimmt nicht mit dem veröffentlichten Update überein und wurde verworfen. Nichts wurde geändert. Versuche es erneut; wenn es dabei bleibt, wird er unterwegs verändert.',
  'update.wrong-signature':
    'Der Download ist nicht von den Herausgebern von Wheelhouse signiert und wurde verworfen. Nichts wurde geändert. Installiere ihn auch nicht aus einer anderen Quelle.',
  'update.no-release': 'In diesem Kanal wurde noch nichts veröffentlicht.',
  'update.unreadable':
    'Die Liste der Versionen konnte nicht gelesen werden. Nichts wurde geändert. Versuche es später erneut.',
  'update.cut-off':
    'Der Download wurde unterbrochen. Nichts wurde geändert. Beim nächsten Versuch beginnt er von vorn.',
  'update.unreachable':
    'Die Quelle für Updates ist nicht erreichbar. Nichts wurde geändert. Prüfe die Internetverbindung und versuche es erneut.',
  'update.server-failed':
    'Die Quelle für Updates hat mit einem Fehler geantwortet. Nichts wurde geändert. Versuche es später erneut.',
  'update.not-kept':
    'Das Update konnte nicht gespeichert werden: {why}. Nichts wurde geändert. Behebe das und versuche es erneut.',
  'update.none-found': 'Es wurde keine neuere Version gefunden. Suche zuerst nach Updates.',
  'update.not-ready': 'Es ist kein Update bereit zum Installieren. Lade es zuerst herunter.',
} as const
