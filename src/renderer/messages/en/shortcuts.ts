import { loaded } from '../base/loaded.ts'

export const shortcuts = loaded({
  'shortcuts.everywhere': 'Everywhere',
  'shortcuts.palette': 'Search servers, places, players, settings, files and power',
  'shortcuts.menu': 'Open the menu of what has the focus',
  'shortcuts.servers': 'List of servers',
  'shortcuts.complete': 'Complete the command',
  'shortcuts.history': 'Earlier and later commands',
  'shortcuts.list': 'Show this list',
  'shortcuts.tabs': 'Go to a tab of the server',
  'shortcuts.next': 'Next or previous server in the list',
  'shortcuts.close': 'Close a dialog, menu or search',
  'key.alt': 'Alt',
  'key.shift': 'Shift',
  'key.escape': 'Esc',
} as const)
