export const diagnostics = {
  'diagnostics.title': 'Diagnose',
  'diagnostics.offer':
    'Für alle, die dir helfen: Versionen, Einstellungen, Verbindungen und die letzten Fehler.',
  'diagnostics.show': 'Diagnose anzeigen',
  'diagnostics.text':
    'Lies das, bevor du es weitergibst. Token, Passwörter, Namen von Personen, Servern und Dateien und Adressen von Computern stehen nicht darin. Nichts wird irgendwohin gesendet.',
  'diagnostics.hosts': 'Hostnamen der Dienste angeben',
  'diagnostics.content': 'Die Diagnose als Text',
  'diagnostics.copy': 'Diagnose kopieren',
  'diagnostics.save': 'Als Datei speichern',
  'diagnostics.saved': 'Gespeichert als {path}.',
  'diagnostics.failed': 'Die Diagnose konnte nicht zusammengestellt werden.',
  'diagnostics.crashes-none':
    'Absturzberichte bleiben auf diesem Computer und werden nie gesendet. Zurzeit gibt es keine.',
  'diagnostics.crashes': {
    one: 'Absturzberichte bleiben auf diesem Computer und werden nie gesendet. Einer liegt im Ordner „crashes“ der Daten von Wheelhouse.',
    other:
      'Absturzberichte bleiben auf diesem Computer und werden nie gesendet. {count} liegen im Ordner „crashes“ der Daten von Wheelhouse.',
  },
} as const
