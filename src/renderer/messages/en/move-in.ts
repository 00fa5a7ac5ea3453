import { loaded } from '../base/loaded.ts'

export const moveIn = loaded({
  'move-in.text':
    'Choose the server’s folder, an archive of it (zip or tar.gz), or its jar. The original stays untouched.',
  'move-in.archive': 'Choose an archive',
  'move-in.folder': 'Choose a folder',
  'move-in.stop-first': 'Stop the server there first, so that its world is complete.',
  'move-in.begins': 'Preparing…',
  'move-in.sending': 'Uploading {name}',
  'move-in.waits': 'The upload is waiting. Transfers shows why.',
  'move-in.sending-goes-on': 'You can leave this page. The upload continues.',
  'move-in.extracting': 'Extracting the archive',
  'move-in.looking': 'Checking the server',
  'move-in.progress': '{done} of {total}',
  'move-in.unfinished': 'Some files couldn’t be uploaded. Transfers shows which ones, and why.',
  'move-in.upload-again': 'Upload the rest again',
  'move-in.again': 'Choose something else',
  'move-in.unread': 'The files couldn’t be checked',

  'move-in.failed-nothing-found':
    'No Minecraft server was found in these files. Choose the folder that contains server.properties or the server’s jar, or an archive of it.',
  'move-in.failed-bedrock':
    'This is a server or a world of the Bedrock Edition. Wheelhouse runs servers of the Java Edition, which can’t use it. Choose a Java server, or convert the world first.',
  'move-in.failed-archive-broken':
    'This archive is damaged or incomplete, so nothing was extracted. Make a new one, or choose the folder instead.',
  'move-in.failed-archive-encrypted':
    'This archive is protected by a password. Extract it on your computer, then choose the folder.',
  'move-in.failed-archive-unknown':
    'This archive can’t be extracted here. Use zip, tar or tar.gz, or choose the folder instead.',
  'move-in.failed-archive-bomb':
    'This archive wasn’t extracted: it grows to far more than its size, which normal archives don’t. Choose the folder instead.',
  'move-in.failed-archive-too-many':
    'This archive contains too many files, so nothing was extracted. Delete what the server doesn’t need, such as logs and old backups, then make a new one.',
  'move-in.failed-disk-full':
    'The server doesn’t fit on the disk of the service. Free up space there, then try again.',

  'move-in.found': 'What was found',
  'move-in.software': 'Software',
  'move-in.software-unknown': 'Not recognized. Choose below what it runs.',
  'move-in.version-unknown': '{software}, version not recognized',
  'move-in.jar': 'Jar',
  'move-in.jar-java': '{jar} (needs Java {major} or newer)',
  'move-in.world': 'World',
  'move-in.worlds': 'Worlds',
  'move-in.world-saved': '{world} (saved by {version})',
  'move-in.no-world': 'None found. A new one is created.',
  'move-in.level-missing':
    'Its settings load the world “{name}”, which isn’t among these files, so the first start creates a new one. To use another world, change level-name in its settings before you start it.',
  'move-in.level-form':
    'Its settings call the world “{name}”, but its folder is called “{folder}”. level-name is set to the folder’s name, so that this world is loaded.',
  'move-in.level-outside':
    'level-name in its settings (“{name}”) doesn’t name a folder inside the server’s folder. It is set to “{folder}”.',
  'move-in.plugins': 'Plugins',
  'move-in.mods': 'Mods',
  'move-in.motd': 'Message of the day',
  'move-in.players': 'Players',
  'move-in.operators': { one: '{count} operator', other: '{count} operators' },
  'move-in.whitelist-on': {
    one: '{count} on the whitelist, which is on: nobody else can join',
    other: '{count} on the whitelist, which is on: nobody else can join',
  },
  'move-in.whitelist-off': {
    one: '{count} on the whitelist, which is off',
    other: '{count} on the whitelist, which is off',
  },
  'move-in.bans': { one: '{count} ban', other: '{count} bans' },
  'move-in.remote-console':
    'Its remote console (RCON) is turned off when it is moved in: whoever has these files knows the password. To use it again, set a new password in server.properties, then turn it on in its settings.',
  'move-in.files': 'Files',
  'move-in.files-bytes': { one: '{count} file, {bytes}', other: '{count} files, {bytes}' },
  'move-in.own-jar': 'The jar that came along: {jar}',
  'move-in.own-jar-text': 'It runs as it is. Wheelhouse doesn’t update it.',
  'move-in.version-none': 'not recognized',
  'move-in.other-version':
    'The server ran {from}. When it starts with {to}, its world is converted and can no longer be opened with {from}. Keep the original until everything works.',
  'move-in.older-version': 'The world was saved by {from}. {to} is older and may not be able to open it.',
  'move-in.older-than-ran': 'The server ran {from}. {to} is older and may not be able to open its world.',
  'move-in.other-kind': 'The server ran {from}. Plugins and mods made for it may not work with {to}.',
  'move-in.memory-hint': 'The server’s start script gives it {memory}.',
  'move-in.port': 'Port',
  'move-in.port-taken': 'Its own, {port}, is in use here.',
  'move-in.button': 'Move the server in',
  'move-in.ready': 'The server can be moved in.',
} as const)
