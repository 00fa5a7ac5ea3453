import { copySentences } from './copy-sentences.ts'
import { desktopSentences } from './desktop-sentences.ts'
import { externalEditorSentences } from './external-editor-sentences.ts'
import { reachSentences } from './reach-sentences.ts'
import { updateSentences } from './update-sentences.ts'

/** German: `src/renderer/messages/de/sentences.ts`. Keys are persisted with transfers: a new meaning, a new key. */
export const sentences = {
  ...copySentences,
  ...desktopSentences,
  ...externalEditorSentences,
  ...reachSentences,

  'trust.expired': '{host} cannot be trusted: its certificate has expired. Its owner must renew it.',
  'trust.too-early':
    "{host} cannot be trusted: its certificate is not valid yet. Check this computer's clock.",
  'trust.revoked': '{host} cannot be trusted: its certificate was revoked. Do not sign in; ask its owner.',
  'trust.self-signed':
    '{host} cannot be trusted: its certificate is self-signed. If it is yours, add the certificate to those this computer trusts.',
  'trust.unknown-root':
    '{host} cannot be trusted: its certificate comes from an authority this computer does not know. If it is yours, add it to those this computer trusts.',
  'trust.no-chain':
    '{host} cannot be trusted: its certificate comes without its chain of authorities. Its owner must install the full chain.',
  'trust.unknown-issuer': '{host} cannot be trusted: the authority behind its certificate is not known here.',
  'trust.other-name':
    '{host} cannot be trusted: its certificate was issued for another host name. Check the address.',
  'trust.bad-signature': '{host} cannot be trusted: the signature of its certificate is wrong.',
  'trust.untrusted': '{host} cannot be trusted: its certificate is marked as not trusted on this computer.',
  'trust.rejected': '{host} cannot be trusted: its certificate is marked as rejected on this computer.',
  'trust.long-chain': '{host} cannot be trusted: the chain of its certificate is too long.',
  'trust.bad-authority':
    '{host} cannot be trusted: an authority in the chain of its certificate is not valid.',
  'trust.other-purpose': '{host} cannot be trusted: its certificate was issued for another purpose.',

  'base-address.empty': 'Enter the address of the service, such as https://panel.example.com/api/v1.',
  'base-address.none': 'This is not a valid address. It should look like https://panel.example.com/api/v1.',
  'base-address.password':
    'Leave the name and password out of the address. You enter them in the fields below.',
  'base-address.query': 'The address ends in /api/v1. Leave out everything from the “?” or “#”.',
  'base-address.scheme': 'The address must begin with https://, not with {scheme}.',
  'base-address.unencrypted':
    'Your token would be sent unencrypted over http. Use {address} instead; http is for this computer only.',
  'base-address.ending': 'The address must end in /api/v1. Did you mean {address}?',
  'base-address.sftp': 'This is not a valid address. It should look like sftp://user@node.example.com:2022.',
  'base-address.slashes': 'The address has two slashes in a row. Remove one.',

  'answer.unavailable': 'This service does not offer this.',
  'answer.page':
    "The service's answer couldn't be read: it is a web page. There is something else at this address, or in between.",
  'answer.no-stream': "The service's answer couldn't be read: it is not a stream.",
  'answer.no-list': "The service's answer couldn't be read: its list “items” is missing.",
  'answer.field':
    "The service's answer couldn't be read: its field “{field}” is missing or has another type.",
  'answer.cut': "The service's answer is incomplete: it ended in the middle.",
  'answer.no-json': "The service's answer couldn't be read: it is not valid JSON.",
  'answer.not-done': 'Its answer speaks of an error, although its status says that it was done.',
  'answer.not-accepted': 'The service answered that it did not accept this.',
  'answer.not-accepted-unsaid': 'The service answered that it did not accept this, and gave no reason.',
  'answer.too-long': 'The service sent an answer of more than {most:bytes}.',
  'answer.unreadable-size': "The service's answer is too large to read.",
  'answer.event-too-long': 'The service sent an event of more than {most:bytes}.',
  'answer.credentials': 'The service did not accept these credentials.',
  'answer.signed-out': 'The service no longer accepts this sign-in. Sign in again.',
  'answer.forbidden': 'This account is not allowed to do this.',
  'answer.gone': 'This could not be found.',
  'answer.not-there-now':
    'The service says there is nothing at this address, although it answered there a moment ago. Try again shortly.',
  'answer.invalid': 'The service did not accept this input.',
  'answer.too-large': 'This is larger than the service accepts.',
  'answer.conflict': 'This cannot be done in the current state.',
  'answer.changed': 'It was changed elsewhere in the meantime. Reload it.',
  'answer.slow-down': 'The service has received too many requests.',
  'answer.no-room': 'The service has no space left for this.',
  'answer.failed': 'The service failed with status {status}.',
  'answer.status': 'The service answered with status {status}.',
  'answer.redirects-change':
    'The service redirects a request that changes something; the panel does not follow that.',
  'answer.redirects-nowhere': 'The service redirects to an invalid address; the panel does not follow that.',
  'answer.redirects-away':
    'The service redirects to {where}. The token is for {host} only, so the panel does not follow that.',
  'answer.redirects-in-circle': 'The service redirects in a circle.',
  'answer.sent-nowhere': 'The service names an invalid address as the place to continue.',
  'answer.sent-away':
    'The service names {where} as the place to continue. The token is for {base} only, so the panel does not follow that.',
  'answer.ended-early': 'The service ended its answer too early.',

  'servers.not-known':
    'The service doesn’t seem to know a server with the ID “{id}”. Check the ID, or add the server anyway.',
  'rail.changed': 'Another window has just rearranged the list of servers. Try again.',
  'servers.too-many-added':
    '{most} servers have been added to this connection, which is the limit. Remove one first.',

  'account.sign-in-first': 'Sign in to this service first.',
  'account.signed-out': 'This connection was signed out.',
  'power-line.changed': 'This command was changed in the meantime, so nothing was run. Look at it again.',
  'account.no-sign-out': 'This computer has no account to sign out of.',
  'account.gone': 'This connection no longer exists.',
  'account.token-form':
    'A token is a single word of letters, digits and symbols. Copy it again, without line breaks.',
  'account.sftp-refused':
    'The host does not take this user and password, or this key. Check them in your host’s panel.',
  'account.token-refused':
    'The service does not accept this token. It may have expired, or belong to another service.',
  'activity.no-export':
    'The service answered the activity log in a way that can’t be read, so nothing was saved. Try again.',
  'activity.too-large': 'The activity log is larger than can be saved here.',
  'account.no-export':
    'The service answered with something that is no record of an account. No file was saved.',
  'account.token-useless':
    'The service took the sign-in and gave a token that it does not accept itself. Tell the people who run it.',
  'account.no-service':
    'This address answers, but offers neither accounts nor servers. Check the address, or write an API profile for it.',

  'local.not-running': 'The service on this computer is not running yet.',
  'local.restarted': 'The service on this computer was started again.',
  'local.stopped': 'The service on this computer was stopped.',
  'local.too-slow': 'The service on this computer did not start within {seconds} seconds.',
  'local.killed': 'The service on this computer was ended by something else.',
  'local.ended': 'The service on this computer ended with code {code}.',
  'local.ended-saying': 'The service on this computer ended with code {code}: {words}',

  'local.data-damaged':
    "The service's database, {file}, cannot be used. It contains the accounts and the list of servers; the files of your servers are not affected. There is a copy from {when}: restore it, or put a backup of your own in its place. Changes made after the copy will be missing.",
  'local.restored':
    'The service on this computer uses the copy of its database from {when}. Later changes are missing from the list of servers; no server files were changed.',
  'local.older-runs':
    'Your servers run in the background with version {theirs} of Wheelhouse; this is {ours}. They keep running as they are. Stop them, then quit Wheelhouse and open it again: version {ours} takes over.',
  'local.newer-runs':
    'Your servers run in the background with the newer version {theirs} of Wheelhouse; this is {ours}. They keep running, and what is new there may not be shown. Open or install the newer version instead.',
  'local.orphans':
    'Some folders in {folder} belong to no server: {names}. Nothing was deleted. To use one, create a server and upload the files to it.',
  'local.emptied':
    'The folders of these servers in {folder} were missing, and are empty now: {names}. Do not start them before you know why. If the folders were moved or their disk was not connected, quit the panel, put them back in place of the empty ones, and start it again.',

  'local.leftovers':
    'Some files of deleted servers could not be deleted. They are in these folders of {folder}: {names}. Most likely they belong to another user of this computer. Delete the folders yourself; until then, deletion is retried at each start.',

  'kept.cache-anew':
    '{file} could not be read and was replaced. Sign in again and choose your settings again; unsaved texts are missing. Servers and their files are not affected. The old file was moved to {aside}.',
  'kept.transfers-anew':
    '{file} could not be read and was replaced. Unfinished transfers are no longer listed: start them again. Files that had arrived are not affected. The old file was moved to {aside}.',
  'kept.damaged':
    'The panel can no longer read {file}. Quit the panel and start it again: it will then say what can be done.',

  'keychain.not-installed':
    "The component that uses the system's keychain is not installed. Sign-ins last until the panel is closed. On Linux, install libsecret, then install the panel again.",
  'keychain.no-bus':
    'There is no keychain in this session: it has no D-Bus. Sign-ins last until the panel is closed. Start the panel from a desktop session to keep them.',
  'keychain.no-keyring':
    'The system has no keyring for sign-ins. They last until the panel is closed. Create one, for example with “Passwords and Keys”, and sign in again.',
  'keychain.unusable':
    "The system's keychain cannot be used. Sign-ins last until the panel is closed. Check that a keychain service is running.",
  'keychain.locked':
    'The keychain is locked or does not answer. Unlock it and try again; until then new sign-ins last until the panel is closed.',

  'profile.other-service': 'This profile is for {theirs}, and this connection is to {ours}.',
  'profile.no-header': 'The profile names no header “{name}”.',
  'profile.no-json': 'The profile is not valid JSON.',
  'profile.too-many-characters': 'A profile can have up to {most} characters.',
  'profile.too-long': 'Use {most} characters at most.',
  'profile.path-begin': 'Begin the path with exactly one “/”.',
  'profile.path-query': 'Leave out “?” and “#”: a path has no query and no fragment.',
  'profile.path-signs': 'Leave out backslashes, white space and “@”.',
  'profile.path-empty-part': 'Leave out “//”: no part of a path is empty.',
  'profile.path-dots': 'Leave out “.” and “..” as parts of the path.',
  'profile.path-params': 'The path must contain each of these exactly once, and no others: {names}.',
  'profile.path-no-params': 'This path takes no parameters. Leave out names that begin with “:”.',
  'profile.place': 'Enter a name, or up to six names with dots between them.',
  'profile.plain-name': 'Use letters, digits, “_”, “.” and “-” only.',
  'profile.place-space': 'Leave out white space.',
  'profile.place-of-all': 'Every object has something by this name. Enter another one.',
  'profile.same-place': '“{name}” is sent there already. Enter another place.',
  'profile.too-many-names': 'Name {most} fields at most.',
  'profile.header-name': 'This is not the name of a header.',
  'profile.header-taken': 'This header has a meaning of its own in HTTP. Use another one.',
  'profile.header-is-token': 'This is the header of the token.',
  'profile.header-twice': 'This header is named twice.',
  'profile.too-many-headers': 'Name {most} headers at most.',
  'profile.scheme': 'Enter one word of letters, digits and hyphens.',
  'profile.no-operation': 'There is no operation “{id}”.',
  'profile.no-list': 'This operation does not answer a list.',
  'profile.no-value': 'This operation does not answer a single value.',
  'profile.no-answer-field': 'The answer of this operation has no field “{name}”.',
  'profile.no-request-field': 'This operation sends no field “{name}”.',
  'profile.unknown-field': 'A profile has nothing by the name {names} here.',
  'profile.wrong-kind': 'A value of another kind is expected here.',
  'profile.method': 'Use GET, POST, PUT, PATCH or DELETE.',
  'profile.twice': 'There is another profile for {address}; this one is left out.',
  'profile.no-folder': 'The folder of profiles cannot be read.',
  'profile.no-file': 'This file cannot be read.',
  'profile.header-value': 'A header contains one line of letters, digits and signs, up to 4,000 of them.',

  'settings-transfer.not-ours': 'This is no file of Wheelhouse settings.',
  'settings-transfer.newer':
    'This file was saved by a newer version of Wheelhouse. Update Wheelhouse here first.',
  'settings-transfer.too-many':
    'You have more connections than fit into one file, which takes about {most}. Sign out of those you do not need.',
  'settings-transfer.damaged':
    'This file is damaged, so nothing of it can be used. Save it again on the other computer.',
  'diagnostics.gone': 'These diagnostics were shown too long ago to be saved. Gather them again.',

  'panel.closing': 'The panel is closing.',
  'panel.failed': 'Something went wrong inside the panel.',
  'panel.unknown-call': 'The panel does not know the call {name}.',
  'panel.not-from-page': 'Only the panel itself can make this call.',
  'panel.unnamed-call': 'A call needs a name.',
  'panel.unreadable-input': 'This input cannot be used.',
  'panel.bad-value': '“{value}” cannot be used as a name.',
  'panel.leaves-service': 'The call would lead away from the address of its service.',
  'panel.silent':
    'The panel on this computer is not responding. This page keeps trying; start the panel again if it was closed.',

  'file.search-empty': 'Enter what to search for: a name, a text, or both.',
  'file.deleted': 'The file has been deleted. It is not created again by itself.',
  'file.changed': 'The file was changed in the meantime. Compare the two before you save.',
  'file.name-taken': 'A file with this name already exists.',
  'file.too-large': 'The editor saves texts up to {most:bytes}. Upload the file instead.',
  'file.no-icon':
    'This is not a picture of 64×64 pixels, so it can’t be the server’s icon. Choose another picture.',
  'file.half-character':
    'This text contains an incomplete character, which cannot be saved in a file. Remove it.',
  'file.broke-off': 'The service stopped in the middle of the file.',
  'file.former-no-text': 'This previous version is not text, so it cannot be shown here.',
  'file.former-gone': 'This previous version is no longer kept.',
  'file.no-trash': 'This service has no trash, so nothing was deleted.',
  'file.not-proven':
    'The service took it, but neither says nor shows that it has it. What is kept here stays until it does.',
  'file.unconfirmed':
    'The service took the request, but does not say what became of this. Look at what is there now.',

  'here.full': "This computer's disk is full, so “{name}” could not be saved. Free up space and try again.",
  'here.gone': '“{name}” is no longer on this computer. Select it again.',
  'here.forbidden':
    'This computer denies the panel access to “{name}”. Change its permissions and try again.',
  'here.held': 'Another program is using “{name}”. Close it there and try again.',
  'here.folder-now': '“{name}” is a folder now. Select it again.',
  'here.unusable': 'This computer cannot use “{name}” ({code}).',
  'here.unreadable': '“{name}” cannot be read ({code}).',
  'here.kept-changing':
    '“{name}” kept changing while it was sent. Close the program that writes to it and try again.',
  'here.no-room-to-wait':
    '“{name}” has to wait on this computer until it is sent, because the service does not accept it in parts. That needs {needed:bytes}, and {free:bytes} are free. Free up space and try again.',
  'here.no-room-for-upload':
    'This needs {needed:bytes} on this computer until it is sent, and {free:bytes} are free. Free up space, or use the app instead of the browser: it sends files from where they are.',

  'name.here-path':
    '“{name}” cannot be used as a name on this computer: it would lead to another place. Rename it on its server, then download it again.',
  'name.here-length':
    '“{name}” cannot be used as a name on this computer: it is too long. Rename it on its server, then download it again.',
  'name.here-characters':
    '“{name}” cannot be used as a name on this computer: it contains characters that are not allowed in names here. Rename it on its server, then download it again.',
  'name.here-ending':
    '“{name}” cannot be used as a name on this computer: Windows allows no dot or space at the end of a name. Rename it on its server, then download it again.',
  'name.here-reserved':
    '“{name}” cannot be used as a name on this computer: Windows reserves it for a device. Rename it on its server, then download it again.',
  'name.here-alike':
    '“{name}” cannot be used as a name on this computer: another name in its folder differs from it only in capital letters or accents, and the disk treats both as the same. Rename it on its server, then download it again.',
  'name.there-path':
    '“{name}” cannot be used as a name on the other server: it would lead to another place. Rename it on its server, then copy it again.',
  'name.there-alike':
    '“{name}” cannot be used as a name on the other server: another name in its folder differs from it only in capital letters or accents, and the disk treats both as the same. Rename it on its server, then copy it again.',
  'name.nowhere': '“{name}” cannot be used as a name elsewhere.',

  'page.gone': 'The window this file came from was closed or reloaded. Drop the file again.',
  'page.panel-closed': 'The panel was closed before this file had arrived from the page. Drop it again.',
  'page.closed':
    'The page was closed before this file had arrived. Drop it again, and keep the page open until it is sent.',
  'page.unreadable':
    'The browser can no longer read this file: it was moved, changed or deleted. Drop it again.',
  'page.differs': '“{name}” has changed since it was dropped. Drop it again.',
  'page.not-awaited': "The panel isn't expecting this file.",
  'page.being-sent': 'This file is already being sent.',
  'page.unusable': 'This cannot be uploaded.',
  'page.too-many': 'Too many uploads are being prepared at once. Try again when some of them have finished.',
  'page.no-answer':
    'The panel on this computer is not responding, so nothing was queued. Try again once it does.',
  'page.not-of-here': 'Only files on this computer can be uploaded.',

  'job.not-shown':
    'The service did not list it, and its list may not be complete. Check what is there before you start it again.',
  'job.lost': 'The service no longer knows about it. Check what is there now, and start it again if needed.',

  'send.nothing': 'The selection contains nothing to upload.',
  'send.too-many': 'This is more than {most} files and folders. Upload them in several parts.',
  'send.over': 'This transfer has ended or no longer exists.',
  'send.damaged': 'The file that arrived doesn’t match its checksum and was discarded. Try again.',
  'send.backup-gone': 'This backup is no longer there, or not made yet. Reload the list.',
  'send.source-gone': '“{name}” no longer exists.',
  'send.from-gone': 'The connection this is copied from no longer exists.',
  'send.endless': "The service's list of “{name}” never ends.",
  'send.partial':
    'The service may have more in “{name}” than it listed: it divides the list in a way that the panel cannot follow. Check what is missing.',
  'send.unread':
    'The service listed entries in “{name}” that could not be read ({count}). Check what is missing.',
  'send.too-large': '“{name}” is {size:bytes}. This service accepts files up to {most:bytes}.',
  'send.may-not-read':
    'This account is not allowed to read the files of “{server}”. Ask its owner for permission.',
  'send.may-not-change':
    'This account is not allowed to change the files of “{server}”. Ask its owner for permission.',
  'send.quota':
    'This needs {needed:bytes}, and the server has {left:bytes} of its quota left. Delete something there and try again.',
  'send.disk-full':
    "This needs {needed:bytes}, and the service's disk has {free:bytes} free. Free up space there and try again.",
  'send.begins-anew': 'The service no longer knows this upload, so it starts again.',
  'send.no-offset': 'The service does not say how much of the file it has.',
  'send.busy': 'The service is still busy with this upload.',
  'send.refused': 'The service did not accept this file.',
  'send.not-now': 'The service could not accept this file in its current state.',
  'send.not-kept': 'The service could not store this file.',
  'send.unanswered': 'The service did not say what happened to this file.',

  ...updateSentences,
} as const
