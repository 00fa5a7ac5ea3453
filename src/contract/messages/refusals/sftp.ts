/** About servers that are reached over SFTP. */
export const sftpRefusals = {
  'refused.sftp.sign-in':
    'The host does not take this user and password, or this key. Check them in your host’s panel and sign in again.',
  'refused.sftp.key': 'This private key can’t be read. Paste all of it, as ssh-keygen writes it.',
  'refused.sftp.passphrase': 'This private key has a passphrase. Enter it, too.',
  'refused.sftp.passphrase.wrong': 'This is not the passphrase of the private key. Enter it again.',
  'refused.sftp.host-key':
    'The host shows another key ({key}) than when you signed in. If your host says that it changed, sign in to this address again; otherwise somebody may be in between.',
  'refused.sftp.host-key.other-kind':
    'The host no longer has the key that it showed when you signed in. If your host says that it changed, sign in to this address again; otherwise somebody may be in between.',
  'refused.sftp.no-ssh': 'What answers there does not speak SSH as expected. Check the address and the port.',
  'refused.sftp.no-sftp': 'The host lets you in, but not to SFTP. Ask it to allow SFTP for this user.',
  'refused.sftp.silent': 'The host did not answer in time. Try again in a few minutes.',
  'refused.sftp.not-found': 'There is no such file or folder at the host. Reload the folder.',
  'refused.sftp.denied': 'The host does not let this user do that. Check the permissions there.',
  'refused.sftp.said': 'The host refused: “{text}” Its disk may be full, or the name taken.',
  'refused.sftp.folder-size': 'This folder has more in it than can be listed. Look at it at your host.',
  'refused.sftp.too-deep':
    'These folders are nested too deeply to be deleted here. Delete some of them first.',
  'refused.sftp.name': '“{name}” has a name that can’t be used here. Delete it at your host.',
  'refused.sftp.copy-file':
    '“{path}” is neither a file nor a folder, so it can’t be copied. Copy the rest without it.',
  'refused.sftp.copy-size':
    'Over SFTP, up to {items} files and {mib} MB are copied at once. Select less, or copy it at your host.',
  'refused.sftp.link-out':
    'This is a link that leads out of the server’s folder. Open what it leads to at your host.',
  'refused.sftp.not-file': '“{path}” is not a file. Open something else.',
  'refused.sftp.shorter': 'The file became shorter while it was read. Open it again.',
  'refused.sftp.lost': 'The host does not have the file as it was sent. Send it again.',
  'refused.sftp.cut-short': 'The file did not arrive whole. Send it again.',
  'refused.sftp.no-ping':
    'The game does not answer, so it isn’t known whether the server runs. Look at its console.',
  'refused.sftp.no-rcon':
    'RCON is off, so commands have no way in. Set enable-rcon and rcon.password in server.properties and restart the server.',
  'refused.sftp.no-tunnel':
    'This host makes no connections through SSH, and RCON has no encryption of its own. Nothing was sent; allow it on the page of this account, or use your host’s console.',
  'refused.sftp.rcon-silent':
    'RCON does not answer. Start the server, or check rcon.port in server.properties.',
  'refused.sftp.rcon-password':
    'RCON does not take the password in server.properties. Restart the server, which reads it when it starts.',
  'refused.sftp.rcon-long': 'RCON takes commands of up to {most} bytes. Shorten it.',
  'refused.sftp.no-line': 'No command line is kept for this. Enter one on the page of this account.',
  'refused.sftp.no-commands':
    'This host runs no commands over SSH. Nothing was run; use your host’s own page.',
  'refused.sftp.line-failed': 'The command ended with {code}. Try it in a terminal of the host.',
  'refused.sftp.line-said': 'The command ended with {code}: “{text}” Try it in a terminal of the host.',
  'refused.sftp.line-slow':
    'The command has not ended within 90 seconds, so what becomes of it isn’t known here. Look at the console.',
} as const
