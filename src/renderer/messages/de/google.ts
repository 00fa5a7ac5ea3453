export const google = {
  'google.button': 'Mit Google anmelden',
  'google.title': 'Mit Google anmelden',
  'google.beginning': 'Dein Browser wird geöffnet …',
  'google.waiting':
    'Dein Browser sollte eine Seite von {host} öffnen. Melde dich dort an; in diesem Fenster geht es von selbst weiter.',
  'google.not-opened': 'Es konnte kein Browser geöffnet werden. Öffne diese Adresse selbst in einem:',
  'google.address': 'Adresse der Anmeldung',
  'google.address-hint':
    'Wenn sich keine Seite geöffnet hat, kopiere sie in einen Browser auf diesem Computer. Sie gilt wenige Minuten.',
  'google.copy': 'Adresse kopieren',
  'google.again': 'Noch einmal öffnen',
  'google.retry': 'Von vorn beginnen',
  'google.password-text':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Gib einmal sein Passwort ein; danach kannst du dich mit Google anmelden.',
  'google.password-forgot':
    'Wenn es kein Passwort hat oder du es vergessen hast, lege zuerst ein neues fest.',
  'google.second-factor-text': 'Dieses Konto fragt auch nach einem Code.',
  'google.refused': 'Du hast die Anmeldung im Browser nicht erlaubt. Es wurde nichts geändert.',
  'google.provider-down':
    'Der Dienst erreicht den Anbieter der Anmeldung gerade nicht. Versuche es später noch einmal, oder melde dich anders an.',
  'google.failed':
    'Die Anmeldung ist zwischen dem Dienst und dem Anbieter der Anmeldung gescheitert. Beginne von vorn; wenn es wieder passiert, sag dem Betreiber des Dienstes Bescheid.',
  'google.late':
    'Der Browser ist nicht innerhalb von fünf Minuten zurückgekommen. Vielleicht schickt der Dienst ihn nicht zu diesem Programm zurück: Wenn er dir ein Zugangstoken zeigt, verwende das.',
  'google.unverified':
    'Der Anbieter hat nicht geprüft, dass die E-Mail-Adresse dir gehört. Bestätige sie dort, und beginne dann von vorn.',
  'google.no-email':
    'Der Anbieter hat nicht gesagt, welche E-Mail-Adresse dir gehört, und ohne sie gibt es kein Konto. Erlaube, dass sie weitergegeben wird, und beginne dann von vorn.',
  'google.registration-off':
    'Dieser Dienst nimmt keine neuen Konten an, und zu deiner E-Mail-Adresse gibt es dort keines. Bitte den Betreiber darum.',
  'google.code':
    'Diese Anmeldung hat zu lange gedauert, wurde zu oft versucht oder schon verwendet. Beginne von vorn.',
  'google.canceled': 'Diese Anmeldung wurde beendet, weil eine andere begonnen wurde.',
} as const
