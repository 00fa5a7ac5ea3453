import { loaded } from '../loaded.ts'

export const shortcuts = loaded({
  'shortcuts.palette': 'Go to any server, tab or action',
  'shortcuts.search': 'Search the servers',
  'shortcuts.list': 'Show this list',
  'shortcuts.tabs': 'Go to a tab of the server',
  'shortcuts.next': 'Next or previous server in the list',
  'shortcuts.close': 'Close a dialog, menu or search',
  'key.alt': 'Alt',
  'key.shift': 'Shift',
  'key.escape': 'Esc',
} as const)
