import { loaded } from '../loaded.ts'

/** How a service differs from what the panel expects, and what the panel is told of that. */
export const service = loaded({
  'drift.title': 'Differences',
  'drift.summary': {
    one: 'This service answers differently in {count} place.',
    other: 'This service answers differently in {count} places.',
  },
  'drift.text': 'The panel reads what it can. Copy the list for the people who run the service.',
  'drift.operation': 'Operation',
  'drift.field': 'Field',
  'drift.expected': 'Expected',
  'drift.found': 'Found',
  'drift.found-as': '{kind}, as “{name}”',
  'drift.count': 'Times',
  'drift.since': 'Since',
  'drift.whole': '(the whole answer)',
  'drift.copy': 'Copy as text',
  'drift.clear': 'Clear list',
  'drift.kind-text': 'text',
  'drift.kind-number': 'number',
  'drift.kind-yes-or-no': 'yes or no',
  'drift.kind-time': 'time',
  'drift.kind-list': 'list',
  'drift.kind-object': 'object',
  'drift.kind-missing': 'nothing',

  'profile.title': 'API profile',
  'profile.text':
    'A profile tells the panel how this service differs: paths, places of lists, names of fields, headers.',
  'profile.label': 'Profile as JSON',
  'profile.check': 'Check against the service',
  'profile.checked': 'What the service answered',
  'profile.read': { one: '{count} entry read', other: '{count} entries read' },
  'profile.read-one': 'Read',
  'profile.left-out': { one: '{count} entry could not be read', other: '{count} entries could not be read' },
  'profile.not-asked': 'Not asked: it changes something, or needs to know more',
  'profile.save': 'Save profile',
  'profile.saved': 'The profile is saved. It applies from now on.',
  'profile.remove': 'Remove profile',
  'profile.removed': 'The profile is removed.',
  'profile.import': 'Import from file',
  'profile.export': 'Copy profile',
  'profile.propose': 'Add what was seen',
  'profile.header': 'Value of the header {name}',
  'profile.header-keychain': 'A value is in the keychain. It is never shown; type a new one to replace it.',
  'profile.header-memory':
    'A value is kept in memory until the panel is quit, because the keychain could not be used. Then enter it again; an older one may still be in the keychain.',
  'profile.header-unknown':
    'The keychain does not answer, so nobody knows whether it has a value. Unlock it, or enter one.',
  'profile.header-none':
    'Sent to this service only. It is kept in the keychain, or in memory where that cannot be used.',
  'profile.header-save': 'Keep value',
  'profile.header-kept': 'The value of {name} is kept.',
  'profile.faults': 'Profiles that cannot be used',
  'profile.too-large': 'This file is too large for a profile.',
} as const)
