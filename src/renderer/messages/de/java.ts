export const java = {
  'java.choice': 'Java',
  'java.auto': 'Automatisch: das, was diese Version braucht',
  'java.found': 'Java {major} · {version}',
  'java.found-by': 'Java {major} · {version}, {vendor}',
  'java.missing': 'Java {major} (wird beim nächsten Start heruntergeladen)',
  'java.choice-text': 'Gilt ab dem nächsten Start. Eine fehlende Version wird heruntergeladen.',
  'java.set': 'Argumente',
  'java.set-default': 'Javas eigene',
  'java.set-aikar': 'Aikars Flags',
  'java.set-zgc': 'ZGC',
  'java.set-default-text': 'Java entscheidet selbst. Richtig für kleine Server.',
  'java.set-aikar-text':
    'Weniger Pausen auf vollen Paper-Servern. Der ganze Arbeitsspeicher wird gleich beim Start belegt.',
  'java.set-zgc-text': 'Sehr kurze Pausen bei viel Arbeitsspeicher. Braucht Java 15 oder neuer.',
  'java.own': 'Eigene Argumente',
  'java.own-text':
    'Eines pro Zeile. Nur solche, die Java einstellen: nichts, was Code lädt oder Dateien anfasst.',
  'java.auto-start': 'Starten, wenn Wheelhouse startet',
  'java.auto-start-elsewhere': 'Starten, wenn der Dienst startet',
  'java.auto-restart': 'Nach einem Absturz neu starten, höchstens dreimal in zehn Minuten',

  'duplicate.title': 'Server duplizieren',
  'duplicate.text':
    'Ein neuer Server mit derselben Welt, denselben Dateien und Einstellungen, an einem anderen Port. Wer Zugriff auf diesen hat, hat auf den neuen keinen.',
  'duplicate.button': 'Duplizieren …',
  'duplicate.name': 'Name der Kopie',
  'duplicate.name-default': '{name} (Kopie)',
  'duplicate.make': 'Duplizieren',
  'duplicate.long': 'Eine große Welt zu kopieren, dauert ein paar Minuten.',
  'duplicate.running': 'Stoppe den Server zuerst: Solange er läuft, ist seine Welt nicht ganz gespeichert.',
  'duplicate.done': '{name} wurde erstellt.',
} as const
