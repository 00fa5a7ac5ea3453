export const resticRefusals = {
  'refused.backups.restic-missing':
    'restic is not installed on this computer, and these backups need it. Install it, then try again.',
  'refused.backups.restic-missing.chosen':
    'There is no restic at {path}. Choose where it is, then try again.',
  'refused.backups.restic-missing.unusable':
    'restic at {path} could not be run. Install it again, then try again.',
  'refused.backups.restic-too-old':
    'restic on this computer is version {version}. Backups need {needed} or newer: update it, then try again.',
  'refused.backups.password-missing':
    'The password of these backups is gone from the service’s data folder ({file}). Put it back, then try again.',
  'refused.backups.wrong-password':
    'These backups were made with another password than the one in {file}. Put that one back, then try again.',
  'refused.backups.in-use': 'Another program is using these backups. Wait until it is done, then try again.',
  'refused.backups.store-missing':
    'The folder with these backups is gone, or on a disk that is not connected. Bring it back, then try again.',
  'refused.backups.store-damaged':
    'The folder with these backups is damaged: files in it are missing or changed. Check its disk, and back up to another one.',
  'refused.backups.store-full':
    'There was no room left for the backup, so it was not made. Free up space or delete backups, then try again.',
  'refused.backups.restic-failed': 'restic could not do this. It said: {words}',
} as const
