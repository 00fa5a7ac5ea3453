/** The service's own lines in a console. A line ending in a colon is followed by its reason. */
export const consoleRefusals = {
  /** What others said, such as an error of the system. */
  'refused.console.verbatim': '{words}',

  'refused.console.starting': 'Starting {software} {version}.',
  'refused.console.not-started': 'The server could not be started.',
  'refused.console.answers':
    'The server answers, so it counts as online. Its log did not say that it is ready.',
  'refused.console.stopping': 'Stopping the server.',
  'refused.console.restarting': 'Restarting: the server is stopped first.',
  'refused.console.falls-asleep': {
    one: 'Nobody was on for {count} minute: the server sleeps now and wakes when somebody joins.',
    other: 'Nobody was on for {count} minutes: the server sleeps now and wakes when somebody joins.',
  },
  'refused.console.falls-asleep-alone': {
    one: 'Nobody was on for {count} minute: the server sleeps now until it is started here.',
    other: 'Nobody was on for {count} minutes: the server sleeps now until it is started here.',
  },
  'refused.console.wakes': '{name} wants to join: the server wakes up.',
  'refused.console.cannot-listen':
    'Nobody can wake the server by joining: something else uses its port {port}. It is tried again.',
  'refused.console.killing': 'Killing the server: all of its processes are ended immediately.',
  'refused.console.asked-to-end': {
    one: 'The server did not stop within {count} second. It is being asked to end (TERM).',
    other: 'The server did not stop within {count} seconds. It is being asked to end (TERM).',
  },
  'refused.console.made-to-end': {
    one: 'The server did not end within {count} second. All of its processes are being ended (KILL).',
    other: 'The server did not end within {count} seconds. All of its processes are being ended (KILL).',
  },
  'refused.console.children':
    'The server has ended, but programs it started are still running. They are being asked to end (TERM).',
  'refused.console.survivor':
    'The service was restarted while this server was running. What is still running of it is being stopped.',
  'refused.console.reconnected':
    'The service is back and reconnected: the server kept running in the meantime.',
  'refused.console.survivor-ended': 'The server has stopped. It can be started again.',
  'refused.console.survivor-runs':
    'Parts of it may still be running: end its program before you start it again.',

  'refused.part.exit-code': 'exit code {code}',
  'refused.part.signal': 'signal {signal}',
  'refused.console.stopped': 'The server has stopped.',
  'refused.console.abandoned':
    'The computer of the server is not reached, so the server counts as stopped. It may still run there.',
  'refused.console.ended': 'The server has ended ({how:part}).',
  'refused.console.crashed': 'The server crashed ({how:part}). The lines above may say why.',
  'refused.console.crashed-because': 'The server crashed ({how:part}):',
  'refused.console.crashed-starting':
    'The server ended while it was starting ({how:part}). The lines above may say why.',
  'refused.console.crashed-starting-because': 'The server ended while it was starting ({how:part}):',
  'refused.console.again': 'Restarting the server automatically ({attempt} of {most} in {minutes} minutes).',
  'refused.console.no-more':
    'The server has crashed {crashes} times in {minutes} minutes and is no longer restarted automatically. Find out why first.',

  'refused.console.installing': 'Installing {what}.',
  'refused.console.installed': '{what} is installed.',
  'refused.console.install-canceled': 'The installation was canceled.',
  'refused.console.not-installed': '{what} could not be installed.',
  'refused.console.too-late': 'It was too late to cancel that.',
  'refused.console.changing': 'Changing the software to {what}. A copy of the server is made first.',
  'refused.console.changed': 'The software is {what} now.',
  'refused.console.change-canceled': 'The change was canceled. The server is as it was before.',
  'refused.console.not-changed': 'The software was not changed, and the server is as it was before.',
  'refused.console.went-back': 'The copy was restored. The software is {what} now.',
  'refused.console.folder-moved': 'The folder {from} of the world is {to} now.',
  'refused.console.world-aside': 'The world {from} is kept as {to}.',
  'refused.console.resetting': 'Resetting the server. A copy of it is made first.',
  'refused.console.reset': 'The server is reset. A new world is created at the next start.',
  'refused.console.reset-canceled': 'The reset was canceled. The server is as it was before.',
  'refused.console.not-reset': 'The server was not reset, and is as it was before.',
  'refused.console.pack': 'Installing the modpack {name}.',
  'refused.console.pack-copied': 'Installing the modpack {name}. A copy of the server is made first.',
  'refused.console.pack-installed': 'The modpack {name} is installed.',
  'refused.console.pack-canceled':
    'The installation of the modpack was canceled. The server is as it was before.',
  'refused.console.pack-not-installed': 'The modpack was not installed, and the server is as it was before.',
  'refused.console.backed-up': 'Backup made: {bytes:bytes}.',
  'refused.console.backup-not-copied': 'The backup was not copied to {target}:',
  'refused.console.not-backed-up': 'The backup failed:',
  'refused.console.not-tried': 'The backup could not be tried:',
  'refused.console.bringing-back': 'Bringing back a backup.',
  'refused.console.brought-back': 'The backup is brought back. The software is {what}.',
  'refused.console.brought-back-part': 'What was asked for is brought back from the backup.',
  'refused.console.bring-back-canceled': 'Bringing back was canceled. The server is as it was before.',
  'refused.console.not-brought-back': 'Nothing was brought back, and the server is as it was before.',
  'refused.console.left-out': {
    one: "{count} mod was left out, since it says that it is only for players' games: {names}.",
    other: "{count} mods were left out, since they say that they are only for players' games: {names}.",
  },

  'refused.console.waiting':
    '{host} accepts no more requests at the moment. The download continues in {seconds} seconds.',
  'refused.console.shared':
    'This is already being downloaded for another server. Both wait for the same download.',
  'refused.console.java-missing': 'Java {major} is not on this computer. It is being downloaded.',
  'refused.console.java-gone':
    'It needs Java {major}, which is no longer on this computer. Start it again, and Java {major} is downloaded first.',
  'refused.console.java-other':
    'Java {wanted} is not built for this computer. Java {major} was taken, which does too.',
  'refused.console.build-instead': 'Build {build}, which is here, is installed instead.',
  'refused.console.installer':
    'Running the installer of {software}. It downloads what {software} needs, which can take minutes.',
  'refused.console.installer-more': 'The installer printed {lines} more lines.',
  'refused.console.other-edition':
    '{software} was made for another edition of Minecraft {version} than Mojang offers, and downloads that at its first start.',
  'refused.console.game-missing':
    "Minecraft's own server is still missing, and {software} needs it to start.",
  'refused.console.not-made-ready':
    '{software} could not be made ready for its first start. When it is started, it does that first.',

  'refused.console.unwritten':
    'This console cannot be written to disk ({why}). New lines are kept in memory only: check the disk.',
  'refused.console.written': 'This console is being written to disk again.',
} as const
