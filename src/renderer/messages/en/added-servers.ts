import { loaded } from '../base/loaded.ts'

export const addedServers = loaded({
  'add-server.title': 'Add a server by its ID',
  'add-server.text':
    'The servers of this service can’t be listed. Enter the ID of the one you want to manage.',
  'add-server.id': 'Server ID',
  'add-server.hint': 'Often part of the address of the server’s web page.',
  'add-server.no-id': 'An ID has at most 200 characters, and no line breaks.',
  'add-server.submit': 'Add',
  'add-server.anyway': 'Add anyway',
  'added.title': 'Servers added by ID',
  'added.text': 'This list is kept on this computer. Removing a server changes nothing at the service.',
  'added.remove': 'Remove',
  'added.remove-named': 'Remove {name} from the list',
} as const)
