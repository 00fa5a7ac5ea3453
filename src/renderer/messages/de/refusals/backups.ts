export const backupRefusals = {
  'refused.backups.not-found': 'Dieses Backup gibt es nicht mehr. Lade die Liste neu.',
  'refused.backups.not-in-it': '„{path}“ ist nicht in diesem Backup. Lade neu, was es enthält.',
  'refused.backups.not-whole': 'Dieses Backup ist nicht vollständig. Warte darauf, oder wähle ein anderes.',
  'refused.backups.damaged': 'Dieses Backup ist beschädigt und lässt sich nicht lesen. Wähle ein anderes.',
  'refused.backups.damaged.file':
    '„{path}“ ist in diesem Backup beschädigt. Hole andere Dateien daraus zurück, oder wähle ein anderes Backup.',
  'refused.backups.damaged.files': {
    one: '{count} Datei dieses Backups ist beschädigt: {paths}. Die anderen lassen sich zurückholen.',
    other: '{count} Dateien dieses Backups sind beschädigt: {paths}. Die anderen lassen sich zurückholen.',
  },
  'refused.backups.no-room':
    'Das Backup braucht bis zu {needed:bytes}, und auf der Festplatte des Dienstes sind dafür noch {free:bytes} frei. Schaffe dort Platz oder lösche Backups, und versuche es noch einmal.',
  'refused.backups.busy':
    'An den Backups dieses Servers wird gerade gearbeitet. Warte, bis das fertig ist, oder brich es ab.',
  'refused.backups.interrupted': 'Der Dienst wurde beendet, während dieses Backup entstand. Mach ein neues.',
  'refused.backups.gone':
    'Die Datei dieses Backups ist nicht mehr im Datenordner des Dienstes. Lösche das Backup.',
  'refused.backups.unexpected':
    'Etwas Unerwartetes ist geschehen. Sieh im Protokoll des Dienstes nach, und versuche es noch einmal.',
  'refused.backups.locked': 'Dieses Backup ist gesperrt. Entsperre es zuerst.',
  'refused.backups.too-many': 'Ein Server kann bis zu {most} Backups haben. Lösche zuerst einige.',
  'refused.backups.one-wish': 'Hole entweder Dateien oder Spieler zurück, und beides nur auf diesem Server.',
  'refused.backups.no-player':
    'Dieses Backup enthält keinen gespeicherten Stand dieser Spieler. Wähle ein anderes.',
  'refused.backups.owners': 'Nur der Besitzer dieses Servers kann aus seinen Backups einen neuen machen.',
  'refused.backups.no-engine': 'Auf diese Art lassen sich Backups hier nicht aufbewahren. Wähle eine andere.',
  'refused.backups.other-software':
    'Der Server läuft mit anderer Software als zur Zeit dieses Backups und wird deshalb nicht daraus gestartet. Prüfe stattdessen seine Bytes.',
  'refused.backups.no-memory':
    'Der Server braucht {needed} MB Arbeitsspeicher, und {free} MB sind frei. Stoppe erst etwas anderes, oder prüfe nur die Bytes des Backups.',
  'refused.backups.ended': 'Der Server endete beim Starten ({how:part}). Seine letzte Zeile war „{line}“.',
  'refused.backups.slow': {
    one: 'Der Server war nach {count} Minute nicht bereit. Seine letzte Zeile war „{line}“.',
    other: 'Der Server war nach {count} Minuten nicht bereit. Seine letzte Zeile war „{line}“.',
  },
} as const
