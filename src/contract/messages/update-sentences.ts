export const updateSentences = {
  'update.browser':
    'Wheelhouse is open in a browser and does not update itself here. Update it the way it was installed.',
  'update.not-installed-here':
    'This copy of Wheelhouse was not installed by an installer, so it does not update itself.',
  'update.no-feed':
    'This build of Wheelhouse names no place to get updates from, so it does not update itself.',
  'update.disk-full':
    'There is not enough free space for the update. Nothing was changed. Free up space, then try again.',
  'update.wrong-checksum':
    'The download does not match what was released, so it was discarded. Nothing was changed. Try again; if this keeps happening, something on the way changes it.',
  'update.wrong-signature':
    'The download is not signed by the makers of Wheelhouse, so it was discarded. Nothing was changed. Do not install it from elsewhere.',
  'update.no-release': 'Nothing has been released in this channel yet.',
  'update.unreadable': 'The list of releases couldn’t be read. Nothing was changed. Try again later.',
  'update.cut-off': 'The download was interrupted. Nothing was changed. It starts over when you try again.',
  'update.unreachable':
    'The place of updates cannot be reached. Nothing was changed. Check the internet connection, then try again.',
  'update.server-failed':
    'The place of updates answered with an error. Nothing was changed. Try again later.',
  'update.not-kept': 'The update could not be stored: {why}. Nothing was changed. Fix that, then try again.',
  'update.none-found': 'No newer version has been found. Check for updates first.',
  'update.not-ready': 'No update is ready to install. Download it first.',
} as const
