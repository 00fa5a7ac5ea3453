export const transfers = {
  'transfers.title': 'Übertragungen',
  'transfers.open': 'Übertragungen öffnen ({keys})',
  'transfers.close': 'Übertragungen schließen',
  'transfers.moving': {
    one: '{count} Übertragung · {percent}',
    other: '{count} Übertragungen · {percent}',
  },
  'transfers.questions': {
    one: '{count} Rückfrage',
    other: '{count} Rückfragen',
  },
  'transfers.failures': {
    one: '{count} fehlgeschlagen',
    other: '{count} fehlgeschlagen',
  },

  'transfer.name-and-more': {
    one: '{name} und {count} weiteres Element',
    other: '{name} und {count} weitere Elemente',
  },

  'transfer.files-skipped': {
    one: '{count} übersprungen',
    other: '{count} übersprungen',
  },

  'transfer.taken': '„{path}“ ist schon vorhanden.',

  'transfers.said-done': 'Übertragung beendet: {name}',
  'transfers.did-download': '{name} heruntergeladen',
  'transfers.did-copy': '{name} kopiert',
  'transfers.notice-asking': 'Deine Entscheidung ist gefragt: {name}',
  'transfers.notice-failed': 'Nicht übertragen: {name}',
  'transfers.notice-some': {
    one: '{name}: {count} Datei wurde nicht übertragen',
    other: '{name}: {count} Dateien wurden nicht übertragen',
  },
  'transfers.notice-show': 'Anzeigen',
} as const
