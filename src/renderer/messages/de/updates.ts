export const updates = {
  'updates.title': 'Updates',
  'updates.version': 'Du hast Version {version}.',
  'updates.not-asked': 'Wheelhouse hat noch nicht nach Updates gesucht.',
  'updates.checking': 'Es wird nach Updates gesucht …',
  'updates.current': 'Wheelhouse ist auf dem neuesten Stand.',
  'updates.checked': 'Geprüft {when}.',
  'updates.available': 'Version {version} ist verfügbar.',
  'updates.released': 'Veröffentlicht {when}.',
  'updates.downloading': 'Version {version} wird heruntergeladen …',
  'updates.progress': '{received} von {size}, {rate} pro Sekunde',
  'updates.progress-open': '{received}, {rate} pro Sekunde',
  'updates.ready-on-quit': 'Version {version} ist bereit. Sie wird installiert, wenn du Wheelhouse schließt.',
  'updates.ready-asked':
    'Version {version} ist bereit. Die Installation fragt nach dem Passwort eines Administrators.',
  'updates.waits-servers': {
    one: 'Auf diesem Computer läuft ein Server.',
    other: 'Auf diesem Computer laufen {count} Server.',
  },
  'updates.waits-unknown': 'Auf diesem Computer laufen vielleicht Server: Ihr Dienst antwortet nicht.',
  'updates.waits-transfers': { one: 'Eine Übertragung läuft.', other: '{count} Übertragungen laufen.' },
  'updates.installing':
    'Version {version} wird installiert. Wheelhouse wird geschlossen und wieder geöffnet.',
  'updates.offline':
    'Der Ort der Updates ist nicht erreichbar. Prüfe das Netzwerk, und versuche es noch einmal.',
  'updates.failed-check': 'Die Suche nach Updates ist fehlgeschlagen',
  'updates.failed-download': 'Der Download ist fehlgeschlagen',
  'updates.unread': 'Der Stand der Updates konnte nicht geladen werden',
  'updates.not-installed':
    'Diese Kopie von Wheelhouse wurde nicht mit einem Installationsprogramm eingerichtet und aktualisiert sich deshalb nicht selbst.',
  'updates.no-feed':
    'In dieser Ausgabe von Wheelhouse steht nicht, woher Updates kommen. Sie aktualisiert sich deshalb nicht selbst.',
  'updates.browser': 'In einem Browser aktualisiert sich Wheelhouse nicht selbst.',
  'updates.notes': 'Neu in {version}',
  'updates.no-notes': 'Zu dieser Version gibt es keine Hinweise.',
  'updates.channel': 'Kanal',
  'updates.channel-stable': 'Stabil',
  'updates.channel-beta': 'Beta: Neues früher, mit mehr Fehlern',
  'updates.automatic': 'Updates automatisch herunterladen',
  'updates.check': 'Nach Updates suchen',
  'updates.download': 'Herunterladen',
  'updates.cancel': 'Download abbrechen',
  'updates.install': 'Installieren und neu starten',
  'updates.stop-title': 'Alles stoppen und installieren?',
  'updates.stop-text':
    'Server werden ordentlich gestoppt, ihre Welten gespeichert, und nach dem Neustart wieder gestartet. Auch Übertragungen gehen dann weiter.',
  'updates.stop-now': 'Stoppen und installieren',
} as const
