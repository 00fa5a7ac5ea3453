import { loaded } from '../base/loaded.ts'

export const updates = loaded({
  'updates.title': 'Updates',
  'updates.version': 'You have version {version}.',
  'updates.not-asked': 'Wheelhouse has not checked for updates yet.',
  'updates.checking': 'Checking for updates…',
  'updates.current': 'Wheelhouse is up to date.',
  'updates.checked': 'Checked {when}.',
  'updates.available': 'Version {version} is available.',
  'updates.released': 'Released {when}.',
  'updates.downloading': 'Downloading version {version}…',
  'updates.progress': '{received} of {size}, {rate} per second',
  'updates.progress-open': '{received}, {rate} per second',
  'updates.ready-on-quit': 'Version {version} is ready. It is installed when you close Wheelhouse.',
  'updates.ready-asked':
    'Version {version} is ready. Installing it asks for the password of an administrator.',
  'updates.waits-servers': {
    one: 'A server is running on this computer.',
    other: '{count} servers are running on this computer.',
  },
  'updates.waits-unknown': 'Servers may be running on this computer: their service does not answer.',
  'updates.waits-transfers': {
    one: 'A transfer is in progress.',
    other: '{count} transfers are in progress.',
  },
  'updates.installing': 'Installing version {version}. Wheelhouse closes and opens again.',
  'updates.offline': 'The place of the updates can’t be reached. Check the network, then try again.',
  'updates.failed-check': 'Checking for updates failed',
  'updates.failed-download': 'The download failed',
  'updates.unread': 'The state of updates couldn’t be loaded',
  'updates.not-installed':
    'This copy of Wheelhouse was not installed by an installer, so it does not update itself.',
  'updates.no-feed':
    'This build of Wheelhouse names no place to get updates from, so it does not update itself.',
  'updates.browser': 'Wheelhouse does not update itself in a browser.',
  'updates.notes': 'What’s new in {version}',
  'updates.no-notes': 'This release comes without notes.',
  'updates.channel': 'Channel',
  'updates.channel-stable': 'Stable',
  'updates.channel-beta': 'Beta: new things earlier, with more bugs',
  'updates.automatic': 'Download updates automatically',
  'updates.check': 'Check for updates',
  'updates.download': 'Download',
  'updates.cancel': 'Cancel download',
  'updates.install': 'Install and restart',
  'updates.stop-title': 'Stop everything and install?',
  'updates.stop-text':
    'Servers are stopped properly, with their worlds saved, and started again after the restart. Transfers continue then too.',
  'updates.stop-now': 'Stop and install',
} as const)
