/** Startansicht, und was zu einem Konto gehört, wo immer danach gefragt wird. */
export const account = {
  'start.title': 'Wo laufen deine Server?',
  'start.text': 'Das andere kannst du später hinzufügen. Beides erscheint in einer Liste.',
  'start.local': 'Dieser Computer',
  'start.local-text': 'Server hier betreiben. Ohne Konto und ohne Einrichtung.',
  'start.local-not-here': 'Auf diesem Computer können keine Server laufen: {reason}',
  'start.service': 'Bei einem Dienst anmelden',
  'start.service-text': 'Server bei einem Anbieter oder auf einem anderen deiner Computer verwalten.',

  'sign-in.email': 'E-Mail',
  'sign-in.password': 'Passwort',
  'sign-in.submit': 'Anmelden',
  'sign-in.wrong': 'E-Mail oder Passwort ist falsch. Prüfe beides und versuche es noch einmal.',
  'add-server.button': 'Server per ID hinzufügen',
  'field.needed': 'Dieses Feld ist erforderlich.',
  'field.email': 'Gib eine gültige E-Mail-Adresse ein.',
  'field.password-short': 'Verwende mindestens 10 Zeichen.',
  'field.code': 'Gib den Code genau so ein, wie er in der E-Mail steht, ohne Leerzeichen.',
} as const
