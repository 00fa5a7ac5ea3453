import { loaded } from '../base/loaded.ts'

export const relocate = loaded({
  'relocate.start-title': 'Start on this computer',
  'relocate.start-text':
    'Creates a server on this computer from a copy of this one, for trying things out. This one stays as it is.',
  'relocate.start-button': 'Start here…',
  'relocate.start-dialog': 'Start {name} on this computer',
  'relocate.start-from': 'From',
  'relocate.start-copy': 'The copy of {when}',
  'relocate.start-fresh': 'A new copy, fetched now',
  'relocate.start-fetches': 'A copy of this server is fetched first. It may keep running.',
  'relocate.start-next': 'Continue',

  'relocate.title': 'Move this server',
  'relocate.text':
    'Copies this server to another host, service or computer. This one is kept until you delete it yourself.',
  'relocate.button': 'Move…',
  'relocate.dialog': 'Move {name}',
  'relocate.group-new': 'Create a server at',
  'relocate.group-server': 'Put it into the folder of',
  'relocate.at': '{server} · {connection}',
  'relocate.next': 'Next',
  'relocate.choose-first': 'Choose where it goes.',
  'relocate.goes-to': 'Goes to: {target}.',
  'relocate.kept': 'This server stays here, unchanged, until you delete it yourself.',
  'relocate.runs': '“{name}” is running and has to be stopped first.',
  'relocate.stop-first': 'Stop what is running first.',
  'relocate.confirm-first': 'Confirm that both servers are stopped.',
  'relocate.are-stopped': 'I made sure that both servers are stopped. That isn’t known here.',
  'relocate.what-is-there': 'Files that are there',
  'relocate.keeps': 'Keep them. Those with the same name are replaced.',
  'relocate.empties':
    'Delete them first, permanently. Only server.properties and names with a dot in front stay.',
  'relocate.empties-trash':
    'Delete them first. Only server.properties and names with a dot in front stay; the rest goes to the trash.',
  'relocate.copy-do': 'Copy it there',
  'relocate.do': 'Move',

  'relocate.differs': 'What differs there',
  'relocate.differs-there': 'These settings belong to a place. The values of the other server stay.',
  'relocate.differs-new': 'These settings belong to a place. You choose new ones when the server is created.',
  'relocate.setting-server-port': 'Port',
  'relocate.setting-server-ip': 'Address (server-ip)',
  'relocate.setting-query.port': 'Query port',
  'relocate.setting-rcon.port': 'RCON port',
  'relocate.setting-memory': 'Memory',
  'relocate.becomes': '{from} → {to}',
  'relocate.not-set': 'not set',
  'relocate.not-known': 'not known',
  'relocate.warn-proxy':
    'This server trusts a proxy (online-mode=false). Without that proxy in front of it, anyone can join under any name.',
  'relocate.warn-open-names':
    'This server doesn’t check accounts (online-mode=false), so anyone can join under any name.',
  'relocate.warn-no-times': 'This host doesn’t say when files changed. They get the time of copying.',
  'relocate.warn-path': 'The setting {name} leads out of the server’s folder: {value}',

  'relocate.to': 'To {name}',
  'relocate.other': 'a server that isn’t listed now',
  'relocate.progress': 'Moving to {name}',
  'relocate.listing': {
    one: 'Looking at the files: {count} so far',
    other: 'Looking at the files: {count} so far',
  },
  'relocate.emptying': 'Deleting what is there…',
  'relocate.copying': 'Copying: {done} of {total}',
  'relocate.copying-begins': 'Copying…',
  'relocate.settings': 'Adapting server.properties…',
  'relocate.checking': 'Comparing: {done} of {total} files',
  'relocate.done-text':
    'Moved, and every file compared. Start it there when you are ready; this server stays until you delete it.',
  'relocate.cancelled': 'Canceled.',
  'relocate.left-nothing': '{name} is as it was.',
  'relocate.left-some': 'Some files have arrived at {name}.',
  'relocate.left-emptied': 'At {name}, files were deleted, and some of the new ones may be there.',
  'relocate.here-unchanged': 'This server is unchanged.',
  'relocate.left-out': {
    one: '{count} link or special file was left out.',
    other: '{count} links and special files were left out.',
  },
  'relocate.start': 'Start it there',
  'relocate.show': 'Show it',
  'relocate.forget': 'Remove from list',
} as const)
