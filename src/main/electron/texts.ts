import { app } from 'electron'

/** The few words that stand outside of the page. */
export interface Texts {
  view: string
  quitTitle: string
  quitQuestion: (running: number) => string
  quitDetail: string
  stopAndQuit: string
  cancel: string
  startFailed: string
}

const en: Texts = {
  view: 'View',
  quitTitle: 'Quit Wheelhouse?',
  quitQuestion: (running) =>
    running === 1
      ? 'A server is running on this computer.'
      : `${running} servers are running on this computer.`,
  quitDetail: 'Quitting stops what runs. Worlds are saved first, which can take half a minute.',
  stopAndQuit: 'Stop and quit',
  cancel: 'Cancel',
  startFailed: 'Wheelhouse could not start',
}

const de: Texts = {
  view: 'Ansicht',
  quitTitle: 'Wheelhouse beenden?',
  quitQuestion: (running) =>
    running === 1 ? 'Auf diesem Computer läuft ein Server.' : `Auf diesem Computer laufen ${running} Server.`,
  quitDetail:
    'Beim Beenden wird angehalten, was läuft. Welten werden vorher gespeichert; das kann eine halbe Minute dauern.',
  stopAndQuit: 'Anhalten und beenden',
  cancel: 'Abbrechen',
  startFailed: 'Wheelhouse konnte nicht starten',
}

/** The words in the system's language. */
export const texts = (): Texts => (app.getLocale().startsWith('de') ? de : en)
