import { loaded } from '../base/loaded.ts'

export const moving = loaded({
  'moving.title': 'Moving to another computer',
  'moving.text':
    'A file takes your services and settings along. Tokens and passwords are never in it: you sign in to each service again.',
  'moving.save': 'Save to a file',
  'moving.saved': 'Saved as {path}.',
  'moving.open': 'Open a file',
  'moving.too-large': 'This file is too large to be one of Wheelhouse settings.',
  'moving.unread': 'This file could not be read. Choose it again.',
  'moving.brings': 'What this file brings',
  'moving.nothing': 'There are no services in this file.',
  'moving.services': 'Services',
  'moving.new': 'new',
  'moving.known': 'already here',
  'moving.unusable': 'left out: not a usable address',
  'moving.settings': 'Also use its theme, language and notifications',
  'moving.bring': 'Import',
  'moving.added-none': 'No service was new. Nothing was added.',
  'moving.added': {
    one: 'One service was added. Sign in to it to use it.',
    other: '{count} services were added. Sign in to each to use it.',
  },
} as const)
