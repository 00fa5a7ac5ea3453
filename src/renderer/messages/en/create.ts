import { loaded } from '../base/loaded.ts'

/** The page that creates a server; texts shared with other places are in `server.ts`. */
export const create = loaded({
  'create.title': 'Create server',
  'create.on': 'on {connection}',
  'create.on-this': 'on this computer',
  'create.ways': 'Ways to create a server',
  'create.versions-unread': 'The versions of {software} couldn’t be read.',
  'create.no-versions': 'This service offers no version of {software}.',
  'create.name': 'Name',
  'create.memory': 'Memory',
  'create.new': 'New server',
  'create.pack': 'From a modpack',
  'create.move-in': 'Move a server in',
  'create.name-default': 'My server',
  'create.recommended': '{version} · recommended',
  'create.memory-hint': '{amount} is enough for a few friends.',
  'create.memory-of': '{amount} of {total}',
  'create.more': 'More options',
  'create.more-software': 'More…',
  'create.and-start': 'Create and start',
  'create.only': 'Create',
  'create.creating': 'The server is being created.',
  'create.software-unread': 'The server software of this service couldn’t be read',
  'create.no-software': 'This service offers no server software.',
} as const)
