export const nodes = {
  'nodes.text':
    'Die Rechner, auf denen die Server dieses Dienstes laufen. Bei jedem Start wählt der Swarm einen aus, außer die Einstellungen eines Servers nennen einen.',
  'nodes.unread': 'Die Rechner konnten nicht geladen werden',
  'nodes.ready': 'Bereit',
  'nodes.gone': 'Nicht erreichbar',
  'nodes.gone-since': 'Nicht erreichbar seit {time}',
  'nodes.draining': 'Nimmt keine Server mehr an',
  'nodes.memory': '{taken} von {total} zugeteilt',
  'nodes.cores': { one: '{count} Kern', other: '{count} Kerne' },
  'nodes.servers': 'Server auf {name}',
  'nodes.no-servers': 'Keine Server',
  'nodes.players': { one: '{count} Spieler: {names}', other: '{count} Spieler: {names}' },
  'nodes.unnamed-players': { one: '{count} Spieler', other: '{count} Spieler' },
  'nodes.use': 'Wieder benutzen',
  'nodes.use-named': '{name} wieder benutzen',
  'nodes.drain': 'Leeren …',
  'nodes.drain-named': '{name} leeren',
  'nodes.go-on': 'Server verschieben …',
  'nodes.go-on-named': 'Server von {name} verschieben',

  'nodes.drain-title': '{name} leeren',
  'nodes.drain-text':
    '{name} nimmt keine Server mehr an, bis du „Wieder benutzen“ wählst. Server, die woanders laufen können, werden nacheinander neu gestartet, damit sie auf anderen Rechnern starten.',
  'nodes.drain-players': {
    one: '{count} Spieler wird kurz getrennt.',
    other: '{count} Spieler werden kurz getrennt.',
  },
  'nodes.drain-do': 'Leeren und neu starten',
  'nodes.drain-only': 'Leeren',
  'nodes.no-other':
    'Gerade nimmt kein anderer Rechner Server an. Benutze einen anderen wieder, oder nimm einen in den Swarm auf.',
  'nodes.anywhere': 'Startet auf irgendeinem anderen Rechner neu',
  'nodes.pinned':
    'Bleibt hier und läuft weiter: Seine Einstellungen nennen diesen Rechner. Ist er einmal gestoppt, startet er erst, wenn du den Rechner wieder benutzt oder sein Besitzer einen anderen wählt.',
  'nodes.moving': 'Startet neu …',
  'nodes.moved': 'Online auf {node}',
  'nodes.moved-somewhere': 'Online',
  'nodes.not-moved': 'Konnte nicht gestartet werden. Warum, steht in seiner Konsole.',

  'nodes.runs-on': 'Läuft auf',
  'nodes.any': 'Irgendeinem Rechner',
  'nodes.runs-now': 'Läuft jetzt auf {name}.',
  'nodes.next-start': 'Gilt ab dem nächsten Start.',

  'nodes.lost-title': '{name} ist nicht erreichbar',
  'nodes.lost-text':
    'Dieser Server lief auf {name}. Vielleicht läuft er dort noch, von hier aus ist er aber nicht zu sehen und nicht zu stoppen. Sobald {name} wieder da ist, wird er wieder angezeigt.',
  'nodes.lost-since': 'Er ist seit {time} nicht erreichbar.',
  'nodes.lost-ask': 'Sein Besitzer kann ihn auf einem anderen Rechner starten.',
  'nodes.lost-start': 'Woanders starten …',
  'nodes.lost-backups': 'Du kannst auch aus seinem neuesten Backup einen neuen Server machen.',
  'nodes.lost-to-backups': 'Backups',
  'nodes.lost-do': 'Woanders starten',
  'nodes.lost-confirm-title': '{name} auf einem anderen Rechner starten?',
  'nodes.lost-confirm':
    'Zuerst wird bis zu eine halbe Minute lang geprüft, ob der Server noch in seinen Ordner schreibt. Wenn ja, wird nichts geändert; schalte dann {node} aus, und versuche es noch einmal.',
  'nodes.lost-risk':
    'Was der Server nicht gespeichert hat, geht verloren. Läuft er auf {node} mit einem eigenen Ordner weiter, gibt es von da an zwei Welten.',
}
