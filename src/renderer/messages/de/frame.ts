/** Der Rahmen: Leiste, Statuszeile, Palette, Tastenkürzel und was alle Teile gemeinsam haben. */
export const frame = {
  'app.main': 'Hauptbereich',

  'rail.label': 'Server',
  'rail.search': 'Server suchen',
  'rail.search-hint': 'Suchen',
  'rail.none-found': 'Kein Server passt zu „{text}“.',
  'rail.create': 'Neuer Server auf {connection}',
  'rail.home': 'Alle Server',
  'rail.notifications': 'Benachrichtigungen',
  'rail.settings': 'App-Einstellungen',
  'rail.empty': 'Noch keine Server',

  'connection.offline': 'Offline',
  'connection.signed-out': 'Abgemeldet',
  'connection.starting': 'Startet …',
  'connection.ready': 'Verbunden',
  'connection.line': 'Verbindung',

  'line.offline': 'Offline · Stand {age}',
  'line.offline-empty': 'Offline · noch nichts gelesen',
  'line.panel-gone':
    'Offline · dieses Fenster hat das Programm verloren. Starten Sie es neu und öffnen Sie die Adresse, die es nennt. Stand {age}',
  'line.signed-out': 'Von {connection} abgemeldet. Was zu sehen ist, kann alt sein.',
  'line.sign-in': 'Neu anmelden',
  'line.starting': 'Der Dienst auf diesem Computer startet …',
  'line.retry': 'Erneut versuchen',
  'line.since': 'Nicht erreichbar seit {time}',
  'line.token-in-memory': 'Das Zugangstoken bleibt nur im Arbeitsspeicher',
  'line.token-in-memory-why':
    'Es gibt keinen Schlüsselbund dafür. Die Anmeldung gilt, bis das Programm endet; danach muss man sich neu anmelden.',
  'line.refresh-failed': 'Konnte nicht aufgefrischt werden · Stand {age}',

  'age.as-of': 'Stand {age}',
  'age.never': 'nie gelesen',

  'do.cancel': 'Abbrechen',
  'do.close': 'Schließen',
  'do.save': 'Speichern',
  'do.retry': 'Erneut versuchen',
  'do.back': 'Zurück',
  'do.copy': 'Kopieren',
  'do.copied': 'Kopiert',
  'do.ask-again': 'Erneut fragen',
  'do.copy-details': 'Einzelheiten kopieren',
  'do.dismiss': 'Ausblenden',

  'value.not-given': 'nicht angegeben',

  'list.left-out': {
    one: '{count} Server konnte nicht gezeigt werden: Er passt nicht zum Vertrag ({paths}).',
    other: '{count} Server konnten nicht gezeigt werden: Sie passen nicht zum Vertrag ({paths}).',
  },

  'tab.overview': 'Übersicht',
  'tab.console': 'Konsole',
  'tab.files': 'Dateien',
  'tab.players': 'Spieler',
  'tab.software': 'Software',
  'tab.extensions': 'Erweiterungen',
  'tab.access': 'Zugriff',
  'tab.settings': 'Einstellungen',
  'tabs.label': 'Bereiche des Servers',

  'palette.label': 'Zu einem Server, einem Bereich oder einer Handlung gehen',
  'palette.hint': 'Einen Namen oder eine Handlung eingeben',
  'palette.none': 'Nichts heißt so.',
  'palette.results': 'Treffer',
  'palette.servers': 'Server',
  'palette.here': 'Dieser Server',
  'palette.panel': 'Programm',
  'palette.theme': 'Erscheinungsbild: {theme}',
  'palette.open': 'Palette öffnen',

  'shortcuts.title': 'Tastenkürzel',
  'shortcuts.palette': 'Zu jedem Server, Bereich, jeder Handlung',
  'shortcuts.search': 'In den Servern suchen',
  'shortcuts.list': 'Diese Liste',
  'shortcuts.tabs': 'Zu einem Bereich des Servers',
  'shortcuts.next': 'Nächster oder voriger Server der Liste',
  'shortcuts.close': 'Schließen, was offen ist',

  'home.title': 'Alle Server',
  'home.add': 'Mehr hinzufügen',

  'notices.label': 'Meldungen',
  'not-found.title': 'Hier ist nichts',
  'not-found.text':
    'Die Adresse dieser Ansicht ist nicht bekannt. Vielleicht stammt sie aus einer anderen Version.',
  'not-found.server': 'Dieser Server steht nicht mehr in der Liste',
  'not-found.server-text': 'Er wurde gelöscht oder wird nicht mehr mit dir geteilt.',
  'not-found.connection': 'Diese Verbindung gibt es nicht mehr',
  'not-found.connection-text': 'Du hast dich abgemeldet, oder es gab sie nie.',
  'boot.failed': 'Das Programm kann seine Ansichten nicht zeigen',
  'boot.no-way':
    'Diese Seite wurde ohne das Programm dahinter geöffnet. Starte Wheelhouse und öffne die Adresse, die es ausgibt.',
  'rail.panel': 'Programm',
  'accounts.title': 'Konten',
  'key.ctrl': 'Strg',
  'key.alt': 'Alt',
  'key.escape': 'Esc',
  'unit.megabyte': 'MB',
} as const
