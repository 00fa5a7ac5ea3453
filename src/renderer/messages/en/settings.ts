import { loaded } from '../loaded.ts'

/** The server's settings, the connection's page, and the panel's own settings. */
export const settings = loaded({
  'settings.general': 'General',
  'settings.name': 'Name',
  'settings.name-text': 'Shown in the list. The world does not change.',
  'settings.memory': 'Memory',
  'settings.memory-text': 'In megabytes. Takes effect at the next start.',
  'settings.saved': 'Saved.',
  'settings.saved-restart': 'Saved. The new memory takes effect at the next start.',
  'settings.unread': 'The settings couldn’t be loaded',
  'create.made': '{name} is created. The service did not say which entry of the list it is.',
  'create.made-unlisted':
    '{name} is created. The service gives no list of servers and did not say the ID of this one. Add it here once you know its ID.',
  'create.made-not-kept':
    '{name} is created, but it isn’t in the list here: only so many servers can be added by their IDs. Its ID is {id}. Remove a server from the list, then add this one.',
  'settings.unchanged': 'Nothing has been changed yet.',
  'settings.no-scope': 'Your account lacks the permission {scope}.',

  'settings.delete': 'Delete server',
  'settings.delete-text':
    'The server, its world and its files are deleted permanently. This cannot be undone.',
  'settings.delete-title': 'Delete {name}?',
  'settings.delete-type': 'Type the name {name} to confirm',
  'settings.delete-confirm': 'Delete permanently',
  'settings.delete-name-differs': 'This does not match the name yet.',
  'settings.delete-owner': 'Only the owner can delete a server.',
  'settings.deleted': '{name} was deleted.',

  'connection.title': 'Connection',
  'connection.address': 'Base address',
  'connection.user': 'Signed in as',
  'connection.nobody': 'an account that the service does not name',
  'connection.local-user': 'you, the owner of this computer',
  'connection.token': 'Access token',
  'connection.token-keychain': 'in this computer’s keychain',
  'connection.token-memory': 'in memory only, until the panel closes',
  'connection.token-local': 'in memory only; renewed at each start',
  'connection.token-none': 'none',
  'connection.expires': 'Valid until',
  'connection.state': 'State',
  'connection.sign-out': 'Sign out',
  'connection.sign-out-title': 'Sign out of {connection}?',
  'connection.sign-out-text':
    'Unfinished transfers with this service end. What this computer keeps of it is deleted: views, console archive, previous versions and drafts of files, favorites, and the token. The servers keep running.',
  'connection.signed-out-of': 'Signed out of {connection}.',
  'connection.not-revoked':
    'Signed out of {connection} on this computer. The service did not confirm it: the token may be valid until {time}.',
  'connection.not-revoked-open':
    'Signed out of {connection} on this computer. The service did not confirm it: the token may be valid until it expires.',

  'app-settings.title': 'App settings',
  'app-settings.theme': 'Theme',
  'app-settings.language': 'Language',
  'app-settings.language-system': 'System',
  'app-settings.language-en': 'English',
  'app-settings.language-de': 'Deutsch',
  'app-settings.look': 'Appearance',
  'app-settings.about': 'About',
  'app-settings.version': 'Version',
  'app-settings.way': 'Opened in',
  'app-settings.way-electron': 'its own window',
  'app-settings.way-browser': 'a browser',
  'app-settings.keychain': 'Keychain',
  'app-settings.keychain-ok': 'available',
  'app-settings.keychain-missing': 'not available; tokens are kept in memory only',
  'app-settings.keychain-locked': 'locked; tokens are kept in memory until it is unlocked',
  'app-settings.keychain-unknown': 'not checked yet',

  'notifications.title': 'Notifications',
  'notifications.empty-title': 'No connections yet',
  'notifications.empty-text': 'Notifications come from the services you are connected to.',
} as const)
