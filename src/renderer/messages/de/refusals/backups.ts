export const backupRefusals = {
  'refused.backups.not-found': 'Dieses Backup gibt es nicht mehr. Lade die Liste neu.',
  'refused.backups.not-in-it': '„{path}“ ist nicht in diesem Backup. Lade neu, was es enthält.',
  'refused.backups.damaged': 'Dieses Backup ist beschädigt und lässt sich nicht lesen. Wähle ein anderes.',
  'refused.backups.damaged.file':
    '„{path}“ ist in diesem Backup beschädigt. Hole andere Dateien daraus zurück, oder wähle ein anderes Backup.',
}
