/** Promocodes eines Kontos, und was es damit haben darf. */
export const promocodes = {
  'promocodes.title': 'Promocodes',
  'promocodes.text': 'Mit einem Promocode darf dein Konto bei diesem Dienst mehr haben.',
  'promocodes.code': 'Promocode',
  'promocodes.code-hint': 'Tippe oder füge ihn ein; Großschreibung, Leerzeichen und Bindestriche sind egal.',
  'promocodes.activate': 'Aktivieren',
  'promocodes.activated': '„{name}“ ist aktiviert.',
  'promocodes.activated-unnamed': 'Der Promocode ist aktiviert.',
  'promocodes.unknown':
    'Diesen Code gibt es bei diesem Dienst nicht. Prüfe ihn Zeichen für Zeichen, oder kopiere ihn noch einmal.',
  'promocodes.expired':
    'Dieser Code kann nicht mehr verwendet werden. Bitte den, von dem du ihn hast, um einen anderen.',
  'promocodes.used-up':
    'Dieser Code wurde von so vielen Konten verwendet, wie er gelten sollte. Bitte den, von dem du ihn hast, um einen anderen.',
  'promocodes.already-used':
    'Dieses Konto hat diesen Code schon verwendet. Was er gebracht hat, steht unten.',
  'promocodes.none': 'Es wurde noch kein Promocode aktiviert.',
  'promocodes.used': 'Aktivierte Promocodes',
  'promocodes.servers': { one: '{count} Server mehr', other: '{count} Server mehr' },
  'promocodes.memory': '{size} mehr Arbeitsspeicher für alle Server zusammen',
  'promocodes.disk': '{size} mehr für die Dateien jedes Servers',
  'promocodes.nothing': 'Der Dienst sagt nicht, was er bringt.',
  'promocodes.at': 'aktiviert {time}',
  'promocodes.until': 'bis {time}',
  'promocodes.ended': 'beendet {time}',
  'promocodes.over': 'Beendet',
  'promocodes.limit-servers': 'Server',
  'promocodes.limit-memory': 'Arbeitsspeicher aller Server zusammen',
  'promocodes.limit-disk': 'Dateien jedes Servers',
  'promocodes.limits': 'Was dein Konto haben darf',
  'promocodes.of': '{used} von {most}',
  'promocodes.up-to': 'bis {most}',
  'promocodes.no-limit': '{used}, ohne Grenze',
  'promocodes.unlimited': 'keine Grenze',
  'promocodes.all': 'Alle {count} anzeigen',
  'promocodes.perhaps-more': 'Es gibt vielleicht mehr Promocodes, als hier stehen.',
} as const
