export const desktopSentences = {
  'desktop.not-here': 'This is available only where Wheelhouse runs in its own window.',
  'desktop.autostart-not-installed':
    'Wheelhouse can start with the system only once it is installed. Install it, then choose this there.',
  'desktop.keep-not-installed':
    'Servers can keep running without Wheelhouse only once it is installed. Install it, then choose this there.',
  'desktop.keep-not-on':
    'Your system could not set up a background service for you, so servers still stop when Wheelhouse quits. On Linux this needs systemd with a session of your user.',
  'desktop.autostart-not-on':
    'Your system does not start Wheelhouse when you sign in. Allow it in the system’s settings for login items or startup apps, then try again.',
  'desktop.autostart-not-off':
    'Your system still starts Wheelhouse when you sign in. Turn it off in the system’s settings for login items or startup apps.',
  'desktop.windows-most': 'You have {most} further windows open already. Close one of them first.',
  'computer.dialog-open': 'A dialog that asks for files or a folder is open already. Answer it first.',
  'computer.whole-disk': '{path} is a whole disk. Choose the folders on it that you want to upload.',
  'computer.no-downloads':
    'The folder for downloads is not there: {folder}. Connect its disk, or choose another folder in the settings.',
  'computer.not-here': 'This is no longer where it was downloaded to. It was moved, renamed or deleted.',
} as const
