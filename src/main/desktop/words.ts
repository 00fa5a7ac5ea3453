export interface DesktopWords {
  language: 'en' | 'de'
  crash: (server: string) => string
  crashText: string
  crashCode: (code: number) => string
  ready: (server: string) => string
  joined: (count: number, server: string, player: string) => string
  left: (count: number, server: string, player: string) => string
  playing: (count: number) => string
  downloaded: string
  uploaded: string
  copied: string
  notFinished: string
  andMore: (name: string, count: number) => string
  notifications: (count: number) => string
  fallback: string
  running: (running: number, all: number) => string
  crashed: (count: number) => string
  noServers: string
  status: Record<
    | 'online'
    | 'starting'
    | 'stopping'
    | 'installing'
    | 'sleeping'
    | 'offline'
    | 'crashed'
    | 'lost'
    | 'unknown',
    string
  >
  start: string
  stop: string
  restart: string
  warned: (action: 'stop' | 'restart') => string
  now: (action: 'stop' | 'restart') => string
  openServer: string
  moreServers: (count: number) => string
  unread: (count: number) => string
  open: string
  quit: string
  notDone: (server: string) => string
  updateReady: (version: string) => string
}

const count = (number: number, one: string, other: string) => (number === 1 ? one : `${number} ${other}`)

const en: DesktopWords = {
  language: 'en',
  crash: (server) => `${server} crashed`,
  crashText: 'Its console shows what happened.',
  crashCode: (code) => `Exit code ${code}. Its console shows what happened.`,
  ready: (server) => `${server} has started`,
  joined: (number, server, player) => `${player || count(number, 'A player', 'players')} joined ${server}`,
  left: (number, server, player) => `${player || count(number, 'A player', 'players')} left ${server}`,
  playing: (number) =>
    number === 0 ? 'Nobody is online.' : count(number, '1 player is online.', 'players are online.'),
  downloaded: 'Download finished',
  uploaded: 'Upload finished',
  copied: 'Copy finished',
  notFinished: 'A transfer ended with errors',
  andMore: (name, number) => `${name} and ${number} more`,
  notifications: (number) => count(number, '1 notification', 'notifications'),
  fallback: 'Notification',
  running: (running, all) => `${running} of ${all} servers running`,
  crashed: (number) => `${number} crashed`,
  noServers: 'No servers yet',
  status: {
    online: 'online',
    starting: 'starting',
    stopping: 'stopping',
    installing: 'installing',
    sleeping: 'sleeping',
    offline: 'offline',
    crashed: 'crashed',
    lost: 'not reached',
    unknown: 'unknown',
  },
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  warned: (action) => `Warn players, ${action} in 1 minute`,
  now: (action) => (action === 'stop' ? 'Stop now' : 'Restart now'),
  openServer: 'Open',
  moreServers: (number) => count(number, '1 more server…', 'more servers…'),
  unread: (number) => count(number, '1 unread notification', 'unread notifications'),
  open: 'Open Wheelhouse',
  quit: 'Quit',
  notDone: (server) => `${server} did not do that`,
  updateReady: (version) => `Wheelhouse ${version} is ready to install`,
}

const de: DesktopWords = {
  language: 'de',
  crash: (server) => `${server} ist abgestürzt`,
  crashText: 'Die Konsole zeigt, was passiert ist.',
  crashCode: (code) => `Code ${code}. Die Konsole zeigt, was passiert ist.`,
  ready: (server) => `${server} ist gestartet`,
  joined: (number, server, player) =>
    `${player ? `${player} ist` : count(number, 'Ein Spieler ist', 'Spieler sind')} ${server} beigetreten`,
  left: (number, server, player) =>
    `${player ? `${player} hat` : count(number, 'Ein Spieler hat', 'Spieler haben')} ${server} verlassen`,
  playing: (number) =>
    number === 0 ? 'Niemand ist online.' : count(number, '1 Spieler ist online.', 'Spieler sind online.'),
  downloaded: 'Download abgeschlossen',
  uploaded: 'Upload abgeschlossen',
  copied: 'Kopieren abgeschlossen',
  notFinished: 'Eine Übertragung endete mit Fehlern',
  andMore: (name, number) => `${name} und ${number} weitere`,
  notifications: (number) => count(number, '1 Benachrichtigung', 'Benachrichtigungen'),
  fallback: 'Benachrichtigung',
  running: (running, all) => `${running} von ${all} Servern laufen`,
  crashed: (number) => `${number} abgestürzt`,
  noServers: 'Noch keine Server',
  status: {
    online: 'online',
    starting: 'startet',
    stopping: 'stoppt',
    installing: 'wird installiert',
    sleeping: 'schläft',
    offline: 'offline',
    crashed: 'abgestürzt',
    lost: 'nicht erreicht',
    unknown: 'unbekannt',
  },
  start: 'Starten',
  stop: 'Stoppen',
  restart: 'Neu starten',
  warned: (action) => `Spieler warnen, in 1 Minute ${action === 'stop' ? 'stoppen' : 'neu starten'}`,
  now: (action) => (action === 'stop' ? 'Jetzt stoppen' : 'Jetzt neu starten'),
  openServer: 'Öffnen',
  moreServers: (number) => count(number, '1 weiterer Server…', 'weitere Server…'),
  unread: (number) => count(number, '1 ungelesene Benachrichtigung', 'ungelesene Benachrichtigungen'),
  open: 'Wheelhouse öffnen',
  quit: 'Beenden',
  notDone: (server) => `${server}: Das war nicht möglich`,
  updateReady: (version) => `Wheelhouse ${version} kann installiert werden`,
}

export const desktopWords = (language: string): DesktopWords => (language.startsWith('de') ? de : en)
