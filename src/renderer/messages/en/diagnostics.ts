import { loaded } from '../base/loaded.ts'

export const diagnostics = loaded({
  'diagnostics.title': 'Diagnostics',
  'diagnostics.offer': 'For whoever helps you: versions, settings, connections and the latest errors.',
  'diagnostics.show': 'Show diagnostics',
  'diagnostics.text':
    'Read this before you pass it on. Tokens, passwords, names of people, servers and files, and addresses of computers are not in it. Nothing is sent anywhere.',
  'diagnostics.hosts': 'Include the host names of services',
  'diagnostics.content': 'The diagnostics as text',
  'diagnostics.copy': 'Copy diagnostics',
  'diagnostics.save': 'Save as file',
  'diagnostics.saved': 'Saved as {path}.',
  'diagnostics.failed': 'The diagnostics could not be gathered.',
  'diagnostics.crashes-none':
    'Crash reports stay on this computer and are never sent. There are none right now.',
  'diagnostics.crashes': {
    one: 'Crash reports stay on this computer and are never sent. One is kept in the folder “crashes” of Wheelhouse’s data.',
    other:
      'Crash reports stay on this computer and are never sent. {count} are kept in the folder “crashes” of Wheelhouse’s data.',
  },
} as const)
