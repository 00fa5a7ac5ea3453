export const backupRefusals = {
  'refused.backups.not-found': 'This backup is no longer there. Reload the list.',
  'refused.backups.not-in-it': '“{path}” is not in this backup. Reload what it contains.',
  'refused.backups.damaged': 'This backup is damaged and can’t be read. Choose another.',
  'refused.backups.damaged.file':
    '“{path}” in this backup is damaged. Bring back other files of it, or choose another backup.',
} as const
