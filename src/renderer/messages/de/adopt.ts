export const adopt = {
  'adopt.entry': 'Container, die es schon gibt',
  'adopt.text':
    'Wheelhouse zeigt die Konsole eines solchen Servers, startet und stoppt ihn und verwaltet seine Dateien und Backups. Der Container bleibt, wie er ist.',
  'adopt.do': 'Übernehmen',
  'adopt.do-name': '{name} übernehmen',
  'adopt.port': 'Port {port}',
  'adopt.runs': 'Läuft',
  'adopt.not-runs': 'Gestoppt',
  'adopt.decides':
    'Dieser Server läuft im Container {container}, den andere erstellt haben. Der Container bestimmt Software, Version, Arbeitsspeicher und Port und schreibt vielleicht bei jedem Start einige Spieleinstellungen: Ändere seine Variablen dort, wo er erstellt wurde, und erstelle ihn neu.',
  'adopt.leave': 'Nicht mehr verwalten',
  'adopt.leave-text':
    'Der Container {container} und seine Dateien bleiben, wie sie sind, und er läuft weiter, falls er läuft. Was hier zum Server gehört, wird endgültig gelöscht: Backups, Papierkorb, Konsole, Zeitpläne und Zugriffe.',
  'adopt.leave-title': '{name} nicht mehr verwalten?',
  'adopt.left': '{name} wird hier nicht mehr verwaltet. Container und Dateien sind geblieben.',
} as const
