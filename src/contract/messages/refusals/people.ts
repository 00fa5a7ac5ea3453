/** Accounts, access, players, settings, and requests in general. */
export const peopleRefusals = {
  'refused.access.scope-not-known': 'This service has no permission {scope}. Choose from its catalog.',
  'refused.access.owner-only':
    "Only the owner can grant {scopes}: it lets somebody run programs on the server's computer.",
  'refused.access.beyond-own':
    "You can't grant {scopes}, because you don't have it yourself. Ask the owner of the server.",
  'refused.access.own-grant': "You can't change your own permissions. Ask the owner of the server.",
  'refused.access.outranked':
    "This person has permissions that you don't have. Ask the owner of the server to change them.",
  'refused.access.too-many':
    'A server can be shared with up to {most} people, invitations included. Remove one first.',
  'refused.access.owner': "The owner's access can't be changed or removed.",
  'refused.access.owner.leave': "This server is yours, so you can't leave it. To be rid of it, delete it.",
  'refused.access.not-found': 'This person no longer has access, and is not invited. Reload the list.',
  'refused.access.not-found.invitation': 'This invitation is no longer open. Ask for a new one.',
  'refused.access.already-shared': 'This person has access already. Change their permissions in the list.',

  'refused.account.wrong-credentials': 'The email or password is incorrect.',
  'refused.account.wrong-credentials.secret': 'This secret is wrong, or it has already been used.',
  'refused.account.unconfirmed': 'This account is not confirmed yet. Enter the code that was sent by email.',
  'refused.account.confirmed': 'This email is already confirmed. Sign in as usual.',
  'refused.account.registration-off':
    'This service does not accept new accounts. Ask whoever runs it for one.',
  'refused.account.registration-off.identity':
    'This service does not accept new accounts, and nobody has signed in with this identity before. Ask whoever runs the service for an account with this email.',
  'refused.account.local-off': 'Only the program that started this service can sign in this way.',
  'refused.account.no-password': 'The owner of this computer signs in without a password, so there is none.',
  'refused.account.no-password.yet':
    'This account has no password yet. Choose “Forgot password” where you sign in: a code is sent to its email, with which you set one.',
  'refused.account.wrong-password': 'The current password is incorrect.',
  'refused.account.password-changed':
    'The password of this account has just been changed. Try again with the new one.',
  'refused.account.session-not-found': 'This sign-in has already ended.',
  'refused.account.second-factor-on':
    'Two-factor authentication is already on. Turn it off first to set it up again.',
  'refused.account.second-factor-not-begun':
    'Setting up two-factor authentication took too long, or was started again elsewhere. Start again.',
  'refused.account.identity-not-found': 'This is no longer linked to your account.',
  'refused.account.google-changed': 'This account was changed in this moment. Begin the sign-in again.',
  'refused.account.google-no-email':
    'The provider did not tell which email address is yours, and without one there is no account. Allow it to be shared, then begin again.',
  'refused.account.google-unverified':
    'The provider has not verified that {email} is yours. Verify it there, then begin again.',
  'refused.account.google-code':
    'This sign-in has already been used, was tried too often, or took too long. Begin again.',
  'refused.account.mail-full': 'Too many emails are waiting to be sent. Try again later.',
  'refused.auth.google-off':
    'This service does not offer signing in with Google. Use another way, or ask whoever runs it.',
  'refused.auth.token-missing': 'Sign in first: this needs an account.',
  'refused.auth.token-invalid': 'This sign-in is no longer valid. Sign in again.',
  'refused.service.busy': 'Too many people are signing in right now. Try again in a few seconds.',

  'refused.players.list-damaged':
    '{file} of this server cannot be read, so nothing was changed in it. Repair it in the files, or delete it, then try again.',
  'refused.players.file-full':
    '{file} of this server would become too large, so nothing was changed in it. Take entries off it that are no longer needed.',
  'refused.players.settings-damaged':
    '{file} of this server cannot be read, so the whitelist was not changed. Repair it in the files, then try again.',
  'refused.players.stats-damaged':
    'The file with the statistics of this player is damaged or too large, so it cannot be read. Look at it in the files of the server.',

  'refused.config.changed':
    'The configuration was changed in the meantime. Reload it, then make your change.',
  'refused.config.settings-damaged':
    "{file} of this server can't be read or would become too large, so nothing was changed in it. Repair it in the files, then try again.",

  'refused.request.too-large':
    'This request is larger than {most:bytes}, the most that is accepted here. Send less at once.',
  'refused.request.too-large.values':
    'This request contains more values, or is nested deeper, than is accepted here.',
  'refused.request.too-large.form':
    'The form contains more than 1 MiB besides its file. Nothing was written. Send only the file and its fields.',
  'refused.request.not-json': 'The body of a request must be JSON (application/json).',
  'refused.request.not-json.unsaid': 'The request does not say that its body is application/json.',
  'refused.request.malformed': 'The body of the request is not readable JSON in UTF-8.',
  'refused.request.stalled': 'The request was not complete after a minute. Send it again.',
  'refused.request.gone': 'The client has disconnected.',
  'refused.request.invalid.cursor': 'This cursor does not belong to this list. Start again without it.',
  'refused.request.invalid.what': 'Enter what to search for: a name, a text, or both.',
  'refused.request.invalid.one-or-all':
    'Ask for one extension (`project`), or for all updates (`update=all`).',
  'refused.request.invalid.checksum': 'Upload-Checksum must be: sha256, a space, the hash in Base64.',
  'refused.request.invalid.no-file': 'The form contains no part called "file".',

  'refused.account.google-password':
    'There is an account with this email already. Enter its password once to show that it is yours; if it has none, or you have forgotten it, choose “Forgot password” to set a new one first.',
  'refused.account.code-wrong':
    'This is not the code from the newest email, or it has already been used. Check it, or request a new one.',
  'refused.account.code-expired': 'A code is valid for {minutes} minutes. Request a new one.',
  'refused.account.code-used-up':
    'There are no attempts left for this code. Request a new one, on the device where you enter it.',
  'refused.auth.second-factor':
    'Enter the code that your authenticator app shows, or one of your recovery codes.',
  'refused.auth.second-factor-wrong':
    'This code is wrong, or it has already been used. Enter the next one that your app shows.',
  'refused.promocode.unknown':
    'There is no such code at this service. Check it letter by letter, or copy it again.',
  'refused.promocode.already-used':
    'This account has already used this code. What it gave is listed with your promocodes.',
  'refused.promocode.used-up':
    'This code has been used as often as it can be. Ask whoever gave it to you for another.',
  'refused.promocode.expired': 'This code could be used until {day}. Ask whoever gave it to you for another.',
  'refused.promocode.expired.withdrawn':
    'This code was withdrawn, so it can no longer be used. Ask whoever gave it to you.',

  'refused.players.unconfirmed':
    'The server was told, but did not say what came of it. Look at its console, then try again if the whitelist is as before.',
  'refused.players.refused': 'The server answered: "{answer}".',
  'refused.players.refused.away': 'This player is not on the server. Wait until they have joined.',
  'refused.players.refused.not-found':
    'The server did not find this player, so nothing was changed. Check how the name is written.',
  'refused.players.refused.stayed':
    'The server took the change, but the player is still on its list. Look at its console.',
  'refused.players.name-unknown': '"{name}" cannot be the name of a player.',
  'refused.players.name-unknown.uuid':
    'The name of this player is not known here, and a running server takes only names. Stop the server to change it.',
  'refused.players.name-unknown.command':
    'The console of a running server accepts no name like "{name}", so nothing was sent. Stop the server, then try again.',
  'refused.players.not-running': 'The server is not running, so nobody is there. Start it first.',
  'refused.players.no-end':
    '{name} is banned, but the end of the ban could not be kept. Lift the ban yourself when it is over.',
  'refused.players.no-end.other':
    'The player is banned, but the server says another end of the ban. Lift the ban yourself when it is over.',

  'refused.route.not-found': 'There is nothing at this address.',
  'refused.route.not-found.base':
    'There is nothing at this address. Every path of this service begins with {base}.',
  'refused.route.wrong-method': '{method} is not possible here. Possible: {allow}.',
  'refused.route.wrong-method.stream': 'A stream must be read with GET.',
  'refused.console.too-many-streams':
    '{most} event streams of this account are already open. Close one, then try again.',
  'refused.request.too-many':
    '{most} requests of this account are already being answered. Wait for one to finish.',
  'refused.request.too-often': 'This was requested too often in a short time. Wait a moment, then try again.',
  'refused.request.wait.seconds': {
    one: '{what:part} Try again in a second.',
    other: '{what:part} Try again in {count} seconds.',
  },
  'refused.request.wait.minutes': {
    one: '{what:part} Try again in a minute.',
    other: '{what:part} Try again in {count} minutes.',
  },
  'refused.request.wait.hours': {
    one: '{what:part} Try again in an hour.',
    other: '{what:part} Try again in {count} hours.',
  },

  'refused.part.codes-requested': 'Too many codes have been requested.',
  'refused.part.codes-tried': 'Too many codes have been tried.',
  'refused.part.wrong-passwords': 'Too many wrong passwords.',
  'refused.part.wrong-passwords-by-all':
    'Too many wrong passwords have been tried for this email, some of them from this network. You can also ask for a code to set a new password.',
  'refused.part.wrong-codes': 'Too many wrong codes.',
  'refused.part.sign-ins-begun': 'Too many sign-ins were begun.',
  'refused.part.attempts': 'Too many attempts.',
  'refused.part.invitations-sent': 'Too many invitations were sent.',
  'refused.part.codes-that-do-not-exist': 'Too many codes were tried that do not exist.',

  'refused.players.unknown':
    '{name} was never on this server, so the id of this player is not known here. Start the server, then try again.',
  'refused.players.unknown.join':
    '{name} was never on this server, so the id of this player is not known here. Let them join once, then try again.',
  'refused.players.unknown.name': '"{name}" cannot be the name of a player.',
  'refused.players.unknown.uuid': 'The name of this player is not known here, and the list needs it.',
} as const
