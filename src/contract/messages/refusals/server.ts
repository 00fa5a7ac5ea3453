export const serverRefusals = {
  'refused.server.not-found': 'There is no such server, or you have no access to it.',
  'refused.server.not-found.deleted': 'This server does not exist. It may have been deleted.',
  'refused.server.not-found.shared': 'This server is no longer shared with you.',
  'refused.server.not-running': 'The server is not running.',
  'refused.server.not-running.commands': 'Start the server to run commands.',
  'refused.server.not-reading': 'The server has stopped reading commands. Restart it, or kill it.',
  'refused.server.not-online': 'Statistics are only available while the server is online.',
  'refused.server.not-crashed':
    'This server has not crashed since it was last online, so there is no log of a crash.',
  'refused.server.running': 'The server is already running.',
  'refused.server.running.stop-first': 'The server is running. Stop it first, then {then:part}.',
  'refused.server.running.meanwhile':
    'The server was started in the meantime, so its files were not changed. Try again when it is online.',
  'refused.server.running.copied':
    'The server was started while it was being copied, so no copy was made. Stop it, then duplicate it again.',
  'refused.server.installing': 'The server is still being set up. It can be {what:part} when that is done.',
  'refused.server.installing.wait':
    'The server is still being set up. Wait until that is done, or cancel it; then {then:part}.',
  'refused.server.stopping': 'The server is still stopping. It can be {what:part} when that is done.',
  'refused.server.stopping.survivor':
    'This server is still running from before the service was restarted, and is being stopped. It can be {what:part} when that is done.',
  'refused.server.starting': 'The server is starting right now. It can be {what:part} in a moment.',
  'refused.server.port-taken':
    'Port {port} is in use by another program. Stop that one first, then start this server again.',
  'refused.server.port-taken.ours':
    'Port {port} is in use by your server "{server}". Stop that one first, then start this server again.',
  'refused.server.port-taken.unusable':
    'Port {port} on {host} cannot be used ({code}). Choose another port or address for this server.',
  'refused.server.port-taken.free': 'Port {port} is in use. {free} is free: choose that one, or another.',
  'refused.server.no-port': 'No port is free for this server.',
  'refused.server.folder-busy':
    'The server was not deleted: its folder cannot be moved away ({code}). Another program may be using it. Close that program, then delete the server again.',
  'refused.server.removing': 'This server is being deleted, so it can no longer be changed.',
  'refused.server.changed':
    'The server was changed while it was being copied, so no copy was made. Duplicate it again.',
  'refused.server.confirm-mismatch': 'To delete the server, type its name exactly as it is.',
  'refused.server.forbidden.owner': 'Only the owner of {server} can do this.',
  'refused.server.forbidden':
    "You don't have permission for this on {server} ({scopes}). Ask its owner to change your role.",
  'refused.server.forbidden.some':
    "You don't have the permissions for this on {server} ({scopes}). Ask its owner to change your role.",
  'refused.server.too-many': {
    one: 'You use the only server of your account. Delete it or redeem a promocode.',
    other: 'You use all {count} servers of your account. Delete one or redeem a promocode.',
  },
  'refused.server.too-many.ended': {
    one: 'This account has {count} server, the most it can have, since benefits of a promocode ended on {day} (UTC). Delete one first.',
    other:
      'This account has {count} servers, the most it can have, since benefits of a promocode ended on {day} (UTC). Delete one first.',
  },
  'refused.server.too-many.over': {
    one: 'This account has {count} server and may have {most}. Delete one first.',
    other: 'This account has {count} servers and may have {most}. Delete one first.',
  },
  'refused.server.too-many.over-ended': {
    one: 'This account has {count} server and may have {most}, since benefits of a promocode ended on {day} (UTC). Delete one first.',
    other:
      'This account has {count} servers and may have {most}, since benefits of a promocode ended on {day} (UTC). Delete one first.',
  },
  'refused.server.memory-limit':
    'The servers of one account may have {most} MB of memory together here. These have {used} MB already: choose less, or give another server less.',
  'refused.server.memory-limit.ended':
    'The servers of one account may have {most} MB of memory together here, since benefits of a promocode ended on {day} (UTC). These have {used} MB already: choose less, or give another server less.',
  'refused.service.stopping': 'The service is shutting down. Try again when it is running again.',
  'refused.service.stopping.installation':
    'The service was shut down while this was being installed. Nothing was changed. Install it again.',
  'refused.service.closing': 'The service is shutting down. Start the server when it is running again.',
  'refused.service.disk-full': "The service's disk is full. Free up space on it, then try again.",
  'refused.service.disk-full.unwritable':
    'The service could not write to its disk: it is full, over a quota, or failing. Free up space on it, then try again.',
  'refused.service.failed': 'The service had an internal error. Its log says more.',
  'refused.service.failed.request':
    'The service had an internal error. Its log says more under the request {request}.',
  'refused.service.data-damaged':
    'The service can no longer read its database. Whoever runs it must stop it and start it again: it will then say what can be done. The files of the servers are not affected.',

  'refused.part.started': 'started',
  'refused.part.stopped': 'stopped',
  'refused.part.restarted': 'restarted',
  'refused.part.killed': 'killed',
  'refused.part.changed': 'changed',
  'refused.part.delete-it': 'delete it',
  'refused.part.install-the-modpack': 'install the modpack',
  'refused.part.change-its-software': 'change its software',
  'refused.part.reset-it': 'reset it',
  'refused.part.go-back': 'go back',
  'refused.part.back-it-up': 'back it up',
  'refused.part.bring-it-back': 'bring back its backup',
  'refused.part.duplicate-it': 'duplicate it',
  'refused.part.change-its-port': 'change its port',
  'refused.part.accept-the-license': 'accept the license',
  'refused.server.starting.moment': 'The server is starting right now. Try again in a moment.',
  'refused.server.stopping.moment': 'The server is stopping right now. Try again in a moment.',
  'refused.server.folder-missing':
    'The folder of this server is missing: it was moved or deleted, or it is on a disk that is not connected. Bring it back, then try again.',
  'refused.service.data-busy':
    'The database of the service (service.db) is locked by another program, such as a backup or a database viewer. Close that program, or wait until it is done; then try again.',
} as const
