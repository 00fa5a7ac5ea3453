import { loaded } from '../base/loaded.ts'

export const settingsTransfer = loaded({
  'settings-transfer.title': 'Moving to another computer',
  'settings-transfer.text': 'Your services and settings in one file, without tokens and passwords.',
  'settings-transfer.save': 'Save to a file',
  'settings-transfer.saved': 'Saved as {path}.',
  'settings-transfer.open': 'Open a file',
  'settings-transfer.too-large': 'This file is too large to be one of Wheelhouse settings.',
  'settings-transfer.unread': 'This file could not be read. Choose it again.',
  'settings-transfer.brings': 'What this file brings',
  'settings-transfer.nothing': 'There are no services in this file.',
  'settings-transfer.services': 'Services',
  'settings-transfer.new': 'new',
  'settings-transfer.known': 'already here',
  'settings-transfer.unusable': 'left out: not a usable address',
  'settings-transfer.settings': 'Also use its theme, language and notifications',
  'settings-transfer.bring': 'Import',
  'settings-transfer.added-none': 'No service was new. Nothing was added.',
  'settings-transfer.added': {
    one: 'One service was added. Sign in to it to use it.',
    other: '{count} services were added. Sign in to each to use it.',
  },
} as const)
