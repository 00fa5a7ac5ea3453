export const backupTargetRefusals = {
  'refused.backups.no-target': 'This place for backups is no longer there. Reload the list.',
  'refused.backups.too-many-targets': 'There can be up to {most} places for backups. Remove one first.',
  'refused.backups.targets-owner':
    'Only the owner of this computer’s service can choose where else its backups go. Ask them.',
  'refused.backups.targets-need-restic':
    'Only backups kept by restic can go to other places too. Choose restic for this server as well.',
  'refused.backups.target-no-folder': 'There is no such folder on this computer. Choose one that is there.',
  'refused.backups.target-secret': 'This place needs a key or password. Enter it.',
  'refused.backups.target-password':
    'There are backups already, made with another password. Enter theirs, or choose another folder.',
  'refused.backups.target-not-reached':
    'This place could not be reached. Check its address and that it is on, then try again.',
  'refused.backups.target-denied':
    'This place did not accept the key or password. Check it and what it may do, then try again.',
  'refused.backups.host-key-changed':
    'The key of this host has changed: it may be another computer. If you know why, trust its new key.',
  'refused.backups.target-program':
    '{program} is not installed on this computer, and this place needs it. Install it, then try again.',
  'refused.backups.other-kind':
    'The server of this backup runs {software}, which is not offered here. Update this computer’s service, then try again.',
} as const
