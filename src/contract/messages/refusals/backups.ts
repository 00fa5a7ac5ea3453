export const backupRefusals = {
  'refused.backups.not-found': 'This backup is no longer there. Reload the list.',
  'refused.backups.not-in-it': '“{path}” is not in this backup. Reload what it contains.',
  'refused.backups.not-whole': 'This backup is not complete. Wait for it, or choose another.',
  'refused.backups.damaged': 'This backup is damaged and can’t be read. Choose another.',
  'refused.backups.damaged.file':
    '“{path}” in this backup is damaged. Bring back other files of it, or choose another backup.',
  'refused.backups.damaged.files': {
    one: '{count} file of this backup is damaged: {paths}. The others can be brought back.',
    other: '{count} files of this backup are damaged: {paths}. The others can be brought back.',
  },
  'refused.backups.no-room':
    "The backup needs up to {needed:bytes}, and the service's disk has {free:bytes} left for it. Free up space on it or delete backups, then try again.",
  'refused.backups.busy':
    'The backups of this server are being worked on. Wait until that is done, or cancel it.',
  'refused.backups.interrupted': 'The service ended while this backup was being made. Make another.',
  'refused.backups.gone':
    "The file of this backup is gone from the service's data folder. Delete the backup.",
  'refused.backups.unexpected':
    'Something unexpected happened. Look at the log of the service, then try again.',
  'refused.backups.locked': 'This backup is locked. Unlock it first.',
  'refused.backups.too-many': 'A server can have up to {most} backups. Delete some first.',
  'refused.backups.one-wish': 'Bring back either files or players, and both only on this server.',
  'refused.backups.no-player': 'This backup has no saved state of these players. Choose another backup.',
  'refused.backups.owners': 'Only the owner of this server can make a new one from its backups.',
  'refused.backups.no-engine': 'This way of keeping backups is not available here. Choose another.',
  'refused.backups.other-software':
    'The server runs other software than at the time of this backup, so it is not started from it. Check its bytes instead.',
  'refused.backups.no-memory':
    'The server needs {needed} MB of memory, and {free} MB are free. Stop something else first, or check only the bytes of the backup.',
  'refused.backups.ended': 'The server ended while it was starting ({how:part}). Its last line was “{line}”.',
  'refused.backups.slow': {
    one: 'The server was not ready after {count} minute. Its last line was “{line}”.',
    other: 'The server was not ready after {count} minutes. Its last line was “{line}”.',
  },
} as const
