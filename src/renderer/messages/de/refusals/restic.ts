export const resticRefusals = {
  'refused.backups.restic-missing':
    'Auf diesem Computer ist kein restic, und diese Backups brauchen es. Installiere es, und versuche es noch einmal.',
  'refused.backups.restic-missing.chosen':
    'Unter {path} ist kein restic. Wähle, wo es ist, und versuche es noch einmal.',
  'refused.backups.restic-missing.unusable':
    'restic unter {path} lässt sich nicht ausführen. Installiere es neu, und versuche es noch einmal.',
  'refused.backups.restic-too-old':
    'restic auf diesem Computer hat die Version {version}. Backups brauchen {needed} oder neuer: Aktualisiere es, und versuche es noch einmal.',
  'refused.backups.password-missing':
    'Das Passwort dieser Backups fehlt im Datenordner des Dienstes ({file}). Lege es zurück, und versuche es noch einmal.',
  'refused.backups.wrong-password':
    'Diese Backups haben ein anderes Passwort als das in {file}. Lege das richtige dorthin, und versuche es noch einmal.',
  'refused.backups.in-use':
    'Ein anderes Programm benutzt diese Backups. Warte, bis es fertig ist, und versuche es noch einmal.',
  'refused.backups.store-missing':
    'Der Ordner mit diesen Backups ist weg oder auf einem Laufwerk, das nicht angeschlossen ist. Hole ihn zurück, und versuche es noch einmal.',
  'refused.backups.store-damaged':
    'Der Ordner mit diesen Backups ist beschädigt: Dateien darin fehlen oder haben sich geändert. Prüfe das Laufwerk, und sichere auf ein anderes.',
  'refused.backups.store-full':
    'Für das Backup war kein Platz mehr, deshalb wurde es nicht gemacht. Schaffe Platz oder lösche Backups, und versuche es noch einmal.',
  'refused.backups.restic-failed': 'restic konnte das nicht. Es hat gesagt: {words}',
}
