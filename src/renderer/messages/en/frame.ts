import { loaded } from '../base/loaded.ts'

export const frame = loaded({
  'app.main': 'Main',

  'rail.label': 'Servers',
  'rail.search': 'Search',
  'rail.create': 'New server on {connection}',
  'rail.more': 'Actions for {name}',
  'rail.pick': 'Select {name}',
  'rail.home': 'All servers',
  'rail.notifications': 'Notifications',
  'rail.unread': { one: '{count} unread', other: '{count} unread' },
  'rail.unread-more': 'more than {count} unread',
  'rail.settings': 'App settings',
  'rail.none-complete': 'No servers yet',
  'rail.none-incomplete': 'The service named no servers. There may be more than it showed.',
  'rail.none-readable': 'The servers couldn’t be read',
  'rail.none-failed': 'The servers couldn’t be read',
  'rail.none-absent': 'No server list from this service',
  'rail.none-forbidden': 'Your account can’t list the servers',

  'connection.offline': 'Not connected',
  'connection.signed-out': 'Signed out',
  'connection.starting': 'Starting…',
  'connection.ready': 'Connected',
  'connection.line': 'Connection',

  'line.offline': 'Not connected · Offline data as of {age}',
  'line.offline-empty': 'Not connected · Offline, no data yet',
  'line.panel-gone':
    'Offline · this window lost its connection to the panel. Start the panel again and open the address it prints. Data: {age}',
  'line.signed-out': 'Signed out of {connection}. What you see may be out of date.',
  'line.sign-in': 'Sign in again',
  'line.starting': 'The service on this computer is starting…',
  'line.retry': 'Try again',
  'line.since': 'Unreachable since {time}',
  'line.refresh-failed': 'Could not refresh · data as of {age}',

  'age.as-of': 'as of {age}',
  'age.just-now': 'just now',
  'age.never': 'not loaded yet',

  'do.retry': 'Try again',
  'do.reload': 'Reload the panel',
  'do.copy': 'Copy',
  'do.copied': 'Copied',
  'do.restore-copy': 'Restore the copy',
  'do.copy-details': 'Copy details',

  'list.none-shown': 'No servers are shown',
  'list.none-readable': 'This host’s answers couldn’t be read.',
  'list.fix': 'Fix it…',
  'list.perhaps-more': 'The service may have more servers than it showed.',

  'list.left-out': {
    one: '{count} entry couldn’t be read, so it is not shown ({paths}).',
    other: '{count} entries couldn’t be read, so they are not shown ({paths}).',
  },

  'tab.overview': 'Overview',
  'tab.console': 'Console',
  'tab.files': 'Files',
  'tab.players': 'Players',
  'tab.extensions': 'Extensions',
  'tab.plugins': 'Plugins',
  'tab.mods': 'Mods',
  'tab.settings': 'Settings',
  'tab.general': 'General',
  'tab.properties': 'Game settings',
  'tab.proxy': 'Proxy',
  'tab.java': 'Java and starting',
  'tab.software': 'Software',
  'tab.backups': 'Backups',
  'tab.schedules': 'Schedules',
  'tab.access': 'Access',
  'tab.activity': 'Activity',
  'tab.move': 'Move',
  'tab.startup': 'Startup',
  'tab.databases': 'Databases',
  'tab.ports': 'Ports',
  'tab.danger': 'Danger zone',

  'palette.open': 'Open the palette',

  'shortcuts.title': 'Keyboard shortcuts',

  'home.title': 'All servers',
  'home.add': 'Add a connection',

  'notices.label': 'Notices',
  'notes.label': 'Messages about this computer',
  'boot.failed': 'The panel cannot be shown',
  'boot.no-way':
    'This page is not signed in to a running panel. Open the address that Wheelhouse prints when it starts. It works once: if it has been used, start Wheelhouse again.',
  'rail.panel': 'Panel',
  'accounts.title': 'Accounts',
  'key.ctrl': 'Ctrl',
} as const)
