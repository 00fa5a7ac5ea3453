export interface DialogTexts {
  quitTitle: string
  quitQuestion: (running: number) => string
  quitUnknown: string
  quitDetail: string
  stopAndQuit: string
  keepAndQuit: string
  quitKeepDetail: string
  noBackground: string
  notKeptTitle: string
  notKept: string
  cancel: string
  startFailed: string
  notUpdatedTitle: string
  notUpdated: (why: string) => string
  failedTitle: string
  failed: string
  failedDetail: string
  notInOrder: string
  unsavedTitle: string
  unsavedQuestion: string
  unsavedDetail: string
  leave: string
  crashedTitle: string
  crashedQuestion: string
  crashedDetail: string
  loadAgain: string
  closeWindow: string
  hangingTitle: string
  hangingQuestion: string
  hangingDetail: string
  wait: string
  stay: string
  windowsMost: (most: number) => string
}

const en: DialogTexts = {
  quitTitle: 'Quit Wheelhouse?',
  quitQuestion: (running) =>
    running === 1
      ? 'A server is running on this computer.'
      : `${running} servers are running on this computer.`,
  quitUnknown: 'Servers may be running on this computer: their service does not answer.',
  quitDetail: 'Quitting stops all running servers. Worlds are saved first, which can take half a minute.',
  stopAndQuit: 'Stop and quit',
  keepAndQuit: 'Quit, keep servers running',
  quitKeepDetail:
    'To keep running in the background, servers may have to restart, which disconnects players for a moment. They run until you sign out of your computer.',
  noBackground:
    'Your system could not set up a background service for you, so nothing was stopped and Wheelhouse stays open. On Linux this needs systemd with a session of your user.',
  notKeptTitle: 'Servers may not be running',
  notKept:
    'Your servers were stopped, but the background service did not start in time. Open Wheelhouse again: servers that ran before are started then, unless they run already.',
  cancel: 'Cancel',
  startFailed: 'Wheelhouse could not start',
  notUpdatedTitle: 'The update was not installed',
  notUpdated: (why) =>
    `${why}. You still have the version from before. If this happens again, download the new version and install it over this one.`,
  failedTitle: 'Wheelhouse has to close',
  failed: 'Wheelhouse had an internal error and is closing.',
  failedDetail:
    'Servers on this computer are stopped, and their worlds are saved first; those that are kept running in the background stay. Start Wheelhouse again afterwards. Details are in its log.',
  notInOrder:
    'Wheelhouse could not close cleanly. Servers on this computer may still be stopping. Start it again.',
  unsavedTitle: 'Leave without saving?',
  unsavedQuestion: 'A file has unsaved changes.',
  unsavedDetail: 'Stay to save them. If you leave, they are restored when you open the file again.',
  leave: 'Leave',
  crashedTitle: 'The window keeps crashing',
  crashedQuestion: 'The contents of this window crashed several times.',
  crashedDetail: 'Your servers are not affected. What was typed and not saved is restored where possible.',
  loadAgain: 'Load again',
  closeWindow: 'Close window',
  hangingTitle: 'The window does not respond',
  hangingQuestion: 'This window has not responded for a while.',
  hangingDetail: 'You can wait, or load it again. Your servers are not affected.',
  wait: 'Wait',
  stay: 'Stay',
  windowsMost: (most) => `You have ${most} further windows open already. Close one of them first.`,
}

const de: DialogTexts = {
  quitTitle: 'Wheelhouse beenden?',
  quitQuestion: (running) =>
    running === 1 ? 'Auf diesem Computer läuft ein Server.' : `Auf diesem Computer laufen ${running} Server.`,
  quitUnknown: 'Auf diesem Computer laufen vielleicht Server: Ihr Dienst antwortet nicht.',
  quitDetail:
    'Beim Beenden werden alle laufenden Server gestoppt. Welten werden vorher gespeichert; das kann eine halbe Minute dauern.',
  stopAndQuit: 'Stoppen und beenden',
  keepAndQuit: 'Beenden, Server weiterlaufen lassen',
  quitKeepDetail:
    'Um im Hintergrund weiterzulaufen, müssen Server vielleicht neu starten; Spieler werden dann kurz getrennt. Sie laufen, bis du dich an deinem Computer abmeldest.',
  noBackground:
    'Dein System konnte keinen Hintergrunddienst für dich einrichten. Es wurde nichts gestoppt, und Wheelhouse bleibt offen. Unter Linux braucht das systemd mit einer Sitzung deines Benutzers.',
  notKeptTitle: 'Server laufen vielleicht nicht',
  notKept:
    'Deine Server wurden gestoppt, aber der Hintergrunddienst ist nicht rechtzeitig gestartet. Öffne Wheelhouse wieder: Server, die vorher liefen, werden dann gestartet, falls sie nicht schon laufen.',
  cancel: 'Abbrechen',
  startFailed: 'Wheelhouse konnte nicht starten',
  notUpdatedTitle: 'Das Update wurde nicht installiert',
  notUpdated: (why) =>
    `${why}. Du hast weiterhin die bisherige Version. Wenn das wieder passiert, lade die neue Version herunter und installiere sie über diese.`,
  failedTitle: 'Wheelhouse muss beendet werden',
  failed: 'In Wheelhouse ist ein interner Fehler aufgetreten. Es wird beendet.',
  failedDetail:
    'Server auf diesem Computer werden gestoppt und ihre Welten vorher gespeichert; solche, die im Hintergrund weiterlaufen sollen, bleiben. Starte Wheelhouse danach neu. Details stehen im Protokoll.',
  notInOrder:
    'Wheelhouse konnte nicht geordnet beendet werden. Server auf diesem Computer werden vielleicht noch gestoppt. Starte es neu.',
  unsavedTitle: 'Ohne Speichern verlassen?',
  unsavedQuestion: 'Eine Datei hat nicht gespeicherte Änderungen.',
  unsavedDetail:
    'Bleib, um sie zu speichern. Sonst werden sie beim nächsten Öffnen der Datei wiederhergestellt.',
  leave: 'Verlassen',
  crashedTitle: 'Das Fenster stürzt immer wieder ab',
  crashedQuestion: 'Der Inhalt dieses Fensters ist mehrmals abgestürzt.',
  crashedDetail:
    'Deine Server sind davon nicht betroffen. Was getippt und nicht gespeichert war, wird nach Möglichkeit wiederhergestellt.',
  loadAgain: 'Neu laden',
  closeWindow: 'Fenster schließen',
  hangingTitle: 'Das Fenster reagiert nicht',
  hangingQuestion: 'Dieses Fenster reagiert seit einer Weile nicht.',
  hangingDetail: 'Du kannst warten oder es neu laden. Deine Server sind davon nicht betroffen.',
  wait: 'Warten',
  stay: 'Bleiben',
  windowsMost: (most) => `Du hast schon ${most} weitere Fenster offen. Schließe zuerst eines davon.`,
}

export const dialogTexts = (locale: string): DialogTexts => (locale.startsWith('de') ? de : en)
