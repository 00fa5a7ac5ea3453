/** The console tab. */
export const console = {
  'console.output': 'Konsolenausgabe',
  'console.state-live': 'Live',
  'console.state-connecting': 'Wird neu verbunden …',
  'console.state-polling': 'Wird alle paar Sekunden aktualisiert',
  'console.state-offline': 'Offline',
  'console.state-unreachable': 'Das Programm ist nicht erreichbar',
  'console.state-opening': 'Wird geöffnet …',
  'console.newest': 'neueste Zeile {age}',
  'console.older': 'Weitere Zeilen werden geladen …',
  'console.empty': 'Noch keine Ausgabe',
  'console.none-readable': 'Keine Zeile lässt sich anzeigen',
  'console.left-out': {
    one: 'Der Dienst hat {count} Zeile gesendet, die nicht gelesen werden konnte.',
    other: 'Der Dienst hat {count} Zeilen gesendet, die nicht gelesen werden konnten.',
  },
  'console.empty-text': 'Hier erscheint, was der Server ausgibt.',
  'console.unread': 'Der Verlauf der Konsole ließ sich nicht lesen',
  'console.follow': 'Folgen',
  'console.unseen': {
    one: '{count} neue Zeile',
    other: '{count} neue Zeilen',
  },
  'console.timestamps-on': 'Zeitstempel anzeigen',
  'console.copy': 'Markierte Zeilen kopieren',
  'console.copy-nothing': 'Markiere zuerst Text.',
  'console.gap': '— Zeilen {from}–{to} fehlen —',
  'console.gap-one': '— Zeile {line} fehlt —',
  'console.gap-until': '— Zeilen bis {to} fehlen —',
  'console.gap-unknown': '— einige Zeilen fehlen —',
  'console.unreadable':
    'Diese Zeile kann nicht angezeigt werden: Die Kopie auf diesem Computer ist beschädigt.',
  'console.failed': 'Einige Zeilen konnten nicht gelesen werden. {why}',

  'console.search': 'Suchen',
  'console.search-open': 'Konsole durchsuchen ({keys})',
  'console.search-field': 'Konsole durchsuchen',
  'console.search-hint': 'Suchen',
  'console.search-case': 'Groß- und Kleinschreibung beachten',
  'console.search-previous': 'Vorheriger Treffer, danach ältere Zeilen',
  'console.search-next': 'Nächster Treffer',
  'console.search-close': 'Suche schließen',
  'console.search-found': '{at} von {count}',
  'console.search-many': 'Mehr als {count}',
  'console.search-none': 'Kein Treffer in diesen Zeilen',
  'console.search-older': 'Ältere Zeilen durchsuchen',
  'console.search-looked': 'Wird gesucht … {count} ältere Zeilen',
  'console.search-no-older': 'Keine älteren Treffer gefunden',
  'console.search-failed': 'Ältere Zeilen konnten nicht gelesen werden',
  'console.search-stop': 'Anhalten',

  'command.label': 'Befehl',
  'command.hint': 'Befehl eingeben, dann Enter',
  'command.send': 'Senden',
  'command.lines':
    'Das sind {count} Zeilen, ein Befehl besteht aber aus einer. Sende sie nacheinander, oder bearbeite sie.',
  'command.send-lines': '{count} Befehle senden',
  'command.long':
    'Ein Befehl darf höchstens {max} Zeichen lang sein; dieser hat {length}. Es wurde nichts gesendet. Kürze ihn und versuche es noch einmal.',
  'command.control':
    'Ein Befehl darf keine Steuerzeichen enthalten. Es wurde nichts gesendet. Entferne sie und versuche es noch einmal.',
  'command.unconfirmed':
    'Gesendet: „{command}“. Der Dienst hat es nicht bestätigt. Sieh in die Konsole, bevor du es noch einmal sendest.',
  'command.unsure':
    'Ob „{command}“ ausgeführt wurde, ist nicht bekannt. Sieh in die Konsole, bevor du es noch einmal sendest.',
  'command.failed': 'Nicht gesendet: „{command}“.',
  'command.refused': 'Vom Dienst nicht angenommen: „{command}“.',
} as const
