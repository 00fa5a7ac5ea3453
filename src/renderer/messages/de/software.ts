export const software = {
  'software.title': 'Software',
  'software.unread': 'Die Software konnte nicht geladen werden',
  'software.catalog-unread': 'Der Katalog konnte nicht geladen werden',
  'software.empty': 'Dieser Dienst bietet keine Software zum Wechseln an',
  'software.empty-text': 'Was angeboten wird, entscheidet der Betreiber des Dienstes.',
  'software.build-now': 'Build {build}',
  'software.build-pinned': 'Build {build} (ausgewählt)',
  'software.up-to-date': 'Aktuell',
  'software.available': '{software} ist verfügbar',
  'software.build-available': 'Build {build} ist verfügbar',
  'software.unknown': 'nicht angegeben',
  'software.change': 'Software oder Version wechseln',
  'software.change-do': 'Wechseln …',
  'software.anyway': 'Trotzdem wechseln',
  'software.new-world': 'Mit einer neuen Welt beginnen',
  'software.new-world-text': 'Die alte bleibt unter anderem Namen im Ordner des Servers.',
  'software.plan': 'Was geschieht',
  'software.plan-not-offered': 'Dieser Dienst sagt vorher nicht, was ein Wechsel bewirkt.',
  'software.copy-first': 'Zuerst wird ein Backup ({size}) erstellt. Auf dem Datenträger sind {free} frei.',
  'software.copy-first-unsized': 'Zuerst wird ein Backup erstellt.',
  'software.older-version':
    'Die Welt wurde zuletzt von {from} gespeichert. {to} ist älter und kann sie nicht öffnen: Welten lassen sich nicht auf eine ältere Version zurücksetzen.',
  'software.newer-version': 'Die Welt wird beim nächsten Start von {from} auf {to} umgestellt.',
  'software.plugins-stop': {
    one: '{count} Plugin läuft auf {software} nicht. Es bleibt in seinem Ordner.',
    other: '{count} Plugins laufen auf {software} nicht. Sie bleiben in ihrem Ordner.',
  },
  'software.mods-stop': {
    one: '{count} Mod läuft auf {software} nicht. Er bleibt in seinem Ordner.',
    other: '{count} Mods laufen auf {software} nicht. Sie bleiben in ihrem Ordner.',
  },
  'software.plugins-unfit': {
    one: '{count} Plugin ist nicht für {software} gemacht und lädt womöglich nicht. Aktualisiere oder deaktiviere es nach dem Wechsel.',
    other:
      '{count} Plugins sind nicht für {software} gemacht und laden womöglich nicht. Aktualisiere oder deaktiviere sie nach dem Wechsel.',
  },
  'software.mods-unfit': {
    one: '{count} Mod ist nicht für {software} gemacht. Womöglich startet der Server erst, wenn du ihn aktualisierst oder deaktivierst.',
    other:
      '{count} Mods sind nicht für {software} gemacht. Womöglich startet der Server erst, wenn du sie aktualisierst oder deaktivierst.',
  },
  'software.unfit-more': { one: 'und {count} weitere', other: 'und {count} weitere' },
  'software.few-plugins': {
    one: 'Die meisten Plugins laufen nicht auf Folia. Prüfe deines, bevor jemand beitritt.',
    other: 'Die meisten Plugins laufen nicht auf Folia. Prüfe deine {count}, bevor jemand beitritt.',
  },
  'software.no-world':
    '{software} ist ein Proxy: Er leitet Spieler an andere Server weiter und hat keine Welt.',
  'software.dimensions-move':
    'Bei {software} liegen Nether, Ende und Dimensionen aus Datenpaketen in anderen Ordnern. Sie werden unverändert dorthin verschoben.',
  'software.unstable':
    'Diese Version ist ein Snapshot oder experimentell. Es kann etwas kaputtgehen, auch die Welt.',
  'software.java': 'Java {major} fehlt auf dem Computer des Dienstes. Es wird heruntergeladen.',
  'software.same-version': 'Diese Version ist installiert. Stattdessen wird ihr neuester Build installiert.',
  'software.same-version-build':
    'Diese Version ist installiert. Stattdessen wird ihr neuester Build installiert: {build}.',
  'software.same-version-chosen':
    'Diese Version ist installiert. Stattdessen wird Build {build} installiert.',
  'software.no-room':
    'Das Backup braucht {size}, auf dem Datenträger des Dienstes sind dafür aber nur {free} frei.',
  'software.to': 'Zu {software} wechseln',
  'software.to-build': 'Build {build} installieren',
  'software.again': 'Build {build} noch einmal installieren',
  'software.renew': 'Neuesten Build installieren',
  'software.begun': 'Der Wechsel hat begonnen. Wie er vorankommt, steht in der Konsole.',
  'software.not-stopped': 'Stoppe zuerst den Server.',
  'software.setting-up': 'Der Server wird gerade eingerichtet. Warte, bis das fertig ist.',
  'software.no-scope': 'Deinem Konto fehlt die Berechtigung {scope}.',
  'software.full': 'Auf dem Datenträger des Dienstes ist zu wenig Platz für das Backup.',
  'software.license-missing': 'Akzeptiere die Lizenz, um die Software zu wechseln.',

  'software.back': 'Früherer Stand',
  'software.back-change':
    'Backup vom {time}, vor dem Wechsel der Software: {software}, mit Welt, Einstellungen, Plugins und Mods.',
  'software.back-reset':
    'Backup vom {time}, vor dem Zurücksetzen: mit Welt, Einstellungen, Plugins und Mods.',
  'software.back-undo':
    'Backup vom {time}, bevor du zurückgekehrt bist: {software}, mit Welt, Einstellungen, Plugins und Mods.',
  'software.back-size': 'Es belegt {size}.',
  'software.back-to': 'Zurück zu {software}',
  'software.back-before': 'Zurück zum Stand vor dem Zurücksetzen',
  'software.back-question': 'Zum Backup zurückkehren?',
  'software.back-question-text':
    'Der Server kehrt zum Stand von {time} zurück. Der jetzige Stand wird zum Backup.',
  'software.back-done': 'Der Server ist wieder wie vorher. Der Stand von eben bleibt als Backup erhalten.',
  'software.forget': 'Backup löschen',
  'software.forget-question': 'Backup löschen?',
  'software.forget-text':
    'Danach führt kein Weg mehr zurück zu {software} von {time}. Der Server selbst bleibt, wie er ist.',
  'software.forgotten': 'Das Backup wurde gelöscht.',
  'software.owner': 'Das kann nur der Besitzer des Servers.',

  'software.reset': 'Server zurücksetzen',
  'software.reset-text':
    'Beim nächsten Start entsteht eine neue Welt. Was sonst bleibt, wählst du. Zuerst wird ein Backup erstellt, zu dem du zurückkehren kannst.',
  'software.reset-title': '{name} zurücksetzen?',
  'software.reset-world':
    'Die Welt wird gelöscht, mit allem, was darin gebaut wurde. Wähle, was bleiben soll:',
  'software.keep-config': 'Einstellungen',
  'software.keep-config-text': 'server.properties, das Symbol und die eigenen Einstellungen der Software',
  'software.keep-extensions': 'Plugins und Mods',
  'software.keep-extensions-text': 'mit ihren Einstellungen',
  'software.keep-players': 'Spielerlisten',
  'software.keep-players-text': 'Operatoren, Whitelist und Sperren',
  'software.keep-files': 'Andere Dateien',
  'software.keep-files-text': 'was sonst noch im Ordner des Servers liegt',
  'software.reset-do': 'Server zurücksetzen',
  'software.reset-begun': '{name} wird zurückgesetzt. Wie es vorankommt, steht in der Konsole.',
}
