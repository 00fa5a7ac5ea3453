export const extensionRefusals = {
  'refused.extensions.not-found':
    'This extension is no longer installed on the server. It may have been removed or renamed. Reload the list.',
  'refused.extensions.not-found.anywhere': 'There is no such extension. Search for it again.',
  'refused.extensions.not-found.at':
    '{catalog} has no such extension, or no longer offers it. Search for it again.',
  'refused.extensions.not-found.picture': 'There is no picture of this extension.',
  'refused.extensions.no-catalog':
    'This service is not connected to any catalog of extensions. You can still upload jars in the files of the server.',
  'refused.extensions.not-supported':
    "This server's software loads neither plugins nor mods. Create a server with Paper or Fabric to use extensions.",
  'refused.extensions.busy':
    'Extensions are being installed on this server right now. Wait until that is done, or cancel it, then try again.',
  'refused.extensions.not-running': 'Nothing is being installed on this server right now.',
  'refused.extensions.name-taken':
    'Another file here is already called “{name}”. Rename or remove one of them in the files of the server, then try again.',
  'refused.extensions.nothing-to-undo': 'There is no change to undo on this server.',
  'refused.extensions.nothing-new':
    'Nothing was installed: what was asked for is on the server already, in the version that was chosen.',
  'refused.extensions.too-many-wait':
    'Too many changes wait for the next start of the server. Restart it, then make this one.',
  'refused.extensions.changed-since':
    'The last change can no longer be undone: its files were changed or deleted since, or emptied from the trash. Install the versions you want instead.',
  'refused.extensions.cannot':
    "Nothing was installed, because this can't be downloaded for this server: {names}. Choose other versions, or leave it out.",
  'refused.extensions.not-a-jar':
    'Nothing was installed, because what was downloaded for “{name}” is not a readable jar. Try again later, or choose another version.',
  'refused.extensions.unreadable':
    'Nothing was added, because “{name}” is not a readable jar. It may be incomplete: download it again.',
  'refused.extensions.unreadable.empty': 'Nothing was added, because “{name}” is empty. Download it again.',
  'refused.extensions.unreadable.not-zip':
    "Nothing was added, because “{name}” is not a jar, whatever its name says. Choose the plugin's or mod's jar file.",
  'refused.extensions.unreadable.damaged':
    'Nothing was added, because “{name}” is damaged or incomplete. Download it again.',
  'refused.extensions.unreadable.too-large':
    'Nothing was added, because “{name}” is larger than 2 GiB, and what is so large is not looked into. Upload it in the files of the server.',
  'refused.extensions.unreadable.too-slow':
    'Nothing was added, because looking into “{name}” took too much time or memory. If you trust it, upload it in the files of the server.',
  'refused.extensions.canceled': 'The installation was canceled. Nothing was changed.',
  'refused.extensions.too-many-files':
    'Hangar tells of one file at a time, and could not be asked for all of them yet. Try again in a minute.',
  'refused.extensions.waiting.shared':
    'This is already being downloaded for another server. Both wait for the same download.',
  'refused.extensions.waiting.host': {
    one: '{host} accepts no more requests at the moment. The download continues in {count} second.',
    other: '{host} accepts no more requests at the moment. The download continues in {count} seconds.',
  },
} as const
