/** About hosts with an API of their own, which the panel translates. */
export const hostRefusals = {
  'refused.host.aternos':
    'Aternos has no way in for other programs. Download your world there, then move it in here.',
  'refused.host.page':
    'A web page came where an answer was expected ({status}), as the protection in front of a panel sends it. Open the panel in your browser, then try again.',
  'refused.host.application-key':
    'This is an application key, which opens neither consoles nor files. Make a key in the panel under your account, API Credentials.',
  'refused.host.key-address':
    'The panel does not accept this key from your network address. Make a key without allowed addresses.',
  'refused.host.second-factor':
    'This panel wants a second factor for your account. Set it up there, then try again.',
  'refused.host.node-away':
    'The panel answers, but the machine of this server does not. Try again in a few minutes.',
  'refused.host.other-api':
    'Something else than the panel answered ({status}). Check the address, or ask your host for the one of its panel.',
  'refused.host.said': 'The panel refused: “{text}” Look at the server in the panel itself.',
  'refused.host.busy': 'The panel refused for now: “{text}” Try again later, or ask your host.',
  'refused.host.offline': 'The server is not running, so nothing was sent. Start it first.',
  'refused.host.not-found':
    'The panel has no such server or file, or you may no longer see it. Reload the page.',
  'refused.host.moved': 'This panel has moved to {address}. Sign in there.',
  'refused.host.unreadable':
    'The panel’s answer could not be understood ({field}). Update the panel, or tell us.',
  'refused.host.too-long': 'The host’s answer is too long to be read. Look at it in the host’s own panel.',
  'refused.host.endless': 'The host did not end its answer in time. Try again in a few minutes.',
  'refused.host.text-size': 'Texts of up to {most} MB are saved at this host. Upload the file instead.',
  'refused.host.origin':
    'The machine of this server refuses consoles from outside the panel. Ask your host to allow the address {address} (allowed_origins). If it names another one, enter that in your account here.',
  'refused.host.sockets':
    'Too many consoles of this server are open at its host. Close some, then try again.',
  'refused.host.upload-size':
    'This host takes files of up to {most} MB this way, and there was no way in over SFTP. If its machine takes no SSH keys, enter your password under Files over SFTP in your account here; otherwise make the file smaller.',
  'refused.host.upload-size.unknown':
    'This file is larger than this host takes this way, and there was no way in over SFTP. If its machine takes no SSH keys, enter your password under Files over SFTP in your account here; otherwise make the file smaller.',
  'refused.host.host-key':
    'The machine of this server shows another key ({key}) than before. If your host says that it changed, forget the former one under Files over SFTP in your account here; otherwise somebody may be in between.',
  'refused.host.host-key.other-kind':
    'The machine of this server no longer has the key that it showed before. If your host says that it changed, forget the former one under Files over SFTP in your account here; otherwise somebody may be in between.',
  'refused.host.ssh-key':
    'The machine of this server no longer lets you in over SFTP. Try again. If this keeps happening, ask your host.',
  'refused.host.machine-password':
    'The machine of this server no longer takes your password. Enter it again under Files over SFTP in your account here.',
  'refused.host.machine-password.wrong':
    'The machine of your servers did not take this password. Check it, then enter it again.',
  'refused.host.no-keychain':
    'The keychain of this computer did not take the password, so it was not kept. Check that there is one and that it is unlocked.',
  'refused.host.no-machine':
    'No machine of your servers could be asked whether the password is right. Try again in a few minutes.',
  'refused.host.archive-format': 'This host makes archives of the kind tar.gz alone. Choose that.',
  'refused.host.archive-name':
    'The archive is there as {path}, but could not be renamed. Rename it in Files.',
  'refused.host.archive-late':
    'It isn’t known whether the host finished: it did not say so in time. Look into the folder in a few minutes.',
  'refused.host.archive-encoding':
    'This host finds out by itself how names in archives are written. Leave their encoding to it.',
  'refused.host.archives-busy':
    'The host is still at work on archives of this server. Try again when one of them is done.',
  'refused.host.extract-replaces':
    'When this host extracts, it replaces what has the same name. Extract into a new folder, or choose to replace.',
  'refused.host.no-cancel':
    'The host finishes an archive once it began. Delete what you don’t need when it is done.',
  'refused.host.copy-file': 'Without SFTP, this host copies files alone. Copy the files in this folder.',
  'refused.host.copy-many': 'Up to {most} files are copied at once at this host. Select fewer.',
  'refused.host.copy-unsure':
    'The host was asked for a copy, but it isn’t clear which file that is. Reload the folder.',
  'refused.host.copy-name': 'The copy is there as {path}, but could not be moved. Move it in Files.',
  'refused.host.key-stays': 'The key that you entered stays valid at the panel. To end it, delete it there.',
  'refused.host.no-backups': 'This host keeps no backups of this server. Copy it to this computer instead.',
  'refused.host.backup-name': 'This host does not rename backups. Make a new one with a name.',
  'refused.host.restore-whole': 'This host brings back whole backups only. Choose all of it.',
  'refused.host.schedule-time':
    'This host runs schedules at times in its own time zone, and can ask only that the server is online. Leave out the rest.',
  'refused.host.schedule-wait':
    'This host waits at most 15 minutes, and only before another step. Change that step.',
  'refused.host.schedule-steps':
    'This schedule has a step that only the panel can change, so its steps stay as they are. Change them there.',
  'refused.host.backup-whole': 'This host gives whole backups only. Save all of it.',
  'refused.host.unsafe-address':
    'The panel names an address of this server’s machine that is not encrypted. Ask your host to turn on TLS there.',
  'refused.host.cut': 'The connection broke before it was done. Check your network, then try again.',
  'refused.host.jars-unread':
    'Not all jars of this server have been read yet, which takes a while at a host. Try again in a minute.',
  'refused.host.software-unknown':
    'The files of this server do not tell which software and version it runs, so it is not known what fits. Put jars there in Files.',
  'refused.host.not-written': 'The host took the file, but does not list it. Reload the folder.',
  'refused.host.ban-end':
    'The console of a running server gives a ban no end. Ban without one, or stop the server first.',
  'refused.host.file-changing': '{file} of this server is being changed right now. Try again in a moment.',
  'refused.host.elsewhere': 'This is set at its host. Use the host’s own page.',
  'refused.host.not-now': 'Its host is busy with this server. Try again when it is online or offline.',
  'refused.exaroton.page':
    'A web page came from exaroton where an answer was expected ({status}). Try again in a few minutes.',
  'refused.exaroton.forbidden':
    'exaroton refused: “{text}” See at exaroton.com whether the server’s owner lets you do this, and whether there are credits for it.',
  'refused.exaroton.said': 'exaroton refused: “{text}” Look at the server at exaroton.com.',
  'refused.exaroton.failed': 'exaroton could not do this now: “{text}” Try again in a few minutes.',
  'refused.exaroton.not-found':
    'exaroton has no such server or file, or you may no longer see it. Reload the page.',
  'refused.exaroton.unreadable': 'exaroton’s answer could not be understood ({field}). Update this panel.',
  'refused.exaroton.moving-files':
    'While a server at exaroton starts, stops or saves, its files are not changed from here. Try again when it is online or offline.',
  'refused.exaroton.moving-files.upload':
    'While a server at exaroton starts, stops or saves, uploads wait for it, 10 minutes at most. Send those that fail again when it is online or offline.',
  'refused.exaroton.no-kill': 'A server at exaroton cannot be killed from here. Stop it.',
  'refused.exaroton.memory':
    'A server at exaroton has {least} to {most} GB of memory, in whole GB. Choose another size.',
  'refused.exaroton.no-stats': 'exaroton has not sent statistics of this server yet. Try again in a minute.',
} as const
