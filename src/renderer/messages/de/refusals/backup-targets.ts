export const backupTargetRefusals = {
  'refused.backups.no-target': 'Diesen Ort für Backups gibt es nicht mehr. Lade die Liste neu.',
  'refused.backups.too-many-targets': 'Es kann bis zu {most} Orte für Backups geben. Entferne zuerst einen.',
  'refused.backups.targets-owner':
    'Nur wem der Dienst auf diesem Computer gehört, kann wählen, wohin dessen Backups noch gehen. Frage diese Person.',
  'refused.backups.targets-need-restic':
    'Nur Backups, die restic aufbewahrt, können auch an andere Orte gehen. Wähle für diesen Server auch restic.',
  'refused.backups.target-no-folder':
    'Diesen Ordner gibt es auf diesem Computer nicht. Wähle einen, den es gibt.',
  'refused.backups.target-secret': 'Dieser Ort braucht einen Schlüssel oder ein Passwort. Gib es ein.',
  'refused.backups.target-password':
    'Dort sind schon Backups mit einem anderen Passwort. Gib deren Passwort ein, oder wähle einen anderen Ordner.',
  'refused.backups.target-not-reached':
    'Dieser Ort war nicht zu erreichen. Prüfe die Adresse und ob er an ist, und versuche es noch einmal.',
  'refused.backups.target-denied':
    'Dieser Ort hat den Schlüssel oder das Passwort nicht angenommen. Prüfe beides und was damit erlaubt ist, und versuche es noch einmal.',
  'refused.backups.host-key-changed':
    'Der Schlüssel dieses Rechners hat sich geändert: Es könnte ein anderer sein. Wenn du weißt, warum, vertraue dem neuen.',
  'refused.backups.target-program':
    '{program} ist auf diesem Computer nicht installiert, und dieser Ort braucht es. Installiere es, und versuche es noch einmal.',
  'refused.backups.other-kind':
    'Der Server dieses Backups läuft mit {software}, und das gibt es hier nicht. Aktualisiere den Dienst auf diesem Computer, und versuche es noch einmal.',
}
