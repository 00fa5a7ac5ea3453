/** Das eigene Konto bei einem Dienst: zweiter Faktor, Anmeldungen, Name und Daten. */
export const myAccount = {
  'second-factor.title': 'Zweiter Faktor',
  'second-factor.is-off':
    'Beim Anmelden wird nur nach deinem Passwort gefragt. Mit einem zweiten Faktor auch nach einem Code aus einer App auf deinem Telefon.',
  'second-factor.is-on':
    'Beim Anmelden, beim Löschen eines Servers und beim Ändern des Passworts wird auch nach einem Code aus deiner Authenticator-App gefragt.',
  'second-factor.since': 'Eingeschaltet seit {time}',
  'second-factor.left': {
    one: 'Noch {count} Wiederherstellungscode',
    other: 'Noch {count} Wiederherstellungscodes',
  },
  'second-factor.on': 'Einschalten',
  'second-factor.off': 'Ausschalten',
  'second-factor.on-title': 'Zweiten Faktor einschalten',
  'second-factor.on-text':
    'Du brauchst eine Authenticator-App, zum Beispiel die in deinem Passwortmanager. Gib zuerst dein Passwort ein.',
  'second-factor.scan': 'Scanne diesen Code mit deiner Authenticator-App.',
  'second-factor.qr': 'QR-Code für deine Authenticator-App',
  'second-factor.by-hand': 'Oder gib diesen Schlüssel in der App ein:',
  'second-factor.copy-key': 'Schlüssel kopieren',
  'second-factor.continue': 'Weiter',
  'second-factor.codes-title': 'Wiederherstellungscodes',
  'second-factor.is-on-now': 'Der zweite Faktor ist eingeschaltet.',
  'second-factor.codes-text':
    'Bewahre diese Codes so auf, dass du sie auch ohne dein Telefon findest. Jeder gilt für eine Anmeldung. Sie werden nicht noch einmal angezeigt.',
  'second-factor.codes-copy': 'Alle kopieren',
  'second-factor.codes-kept': 'Ich habe sie aufbewahrt',
  'second-factor.off-title': 'Zweiten Faktor ausschalten?',
  'second-factor.off-text':
    'Beim Anmelden wird dann nur noch nach deinem Passwort gefragt. Deine Wiederherstellungscodes gelten nicht mehr.',
  'second-factor.off-done': 'Der zweite Faktor ist ausgeschaltet.',
} as const
