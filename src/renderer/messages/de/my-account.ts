export const myAccount = {
  'second-factor.title': 'Zwei-Faktor-Authentifizierung',
  'second-factor.is-off':
    'Aus. Wenn sie an ist, wird beim Anmelden auch nach einem Code aus einer App auf deinem Telefon gefragt.',
  'second-factor.is-on':
    'Beim Anmelden, beim Löschen eines Servers, beim Ändern des Passworts und beim Aufheben einer Verknüpfung wird auch nach einem Code aus deiner Authenticator-App gefragt.',
  'second-factor.since': 'Eingeschaltet seit {time}',
  'second-factor.left': {
    one: 'Noch {count} Wiederherstellungscode',
    other: 'Noch {count} Wiederherstellungscodes',
  },
  'second-factor.set-up': 'Einrichten',
  'second-factor.on': 'Einschalten',
  'second-factor.off': 'Ausschalten',
  'second-factor.on-title': 'Zwei-Faktor-Authentifizierung einrichten',
  'second-factor.on-text':
    'Du brauchst eine Authenticator-App, zum Beispiel die in deinem Passwortmanager. Gib zuerst dein Passwort ein.',
  'second-factor.scan': 'Scanne diesen Code mit deiner Authenticator-App.',
  'second-factor.qr': 'QR-Code für deine Authenticator-App',
  'second-factor.by-hand': 'Oder gib diesen Schlüssel in der App ein:',
  'second-factor.copy-key': 'Schlüssel kopieren',
  'second-factor.continue': 'Weiter',
  'second-factor.codes-title': 'Wiederherstellungscodes',
  'second-factor.is-on-now': 'Die Zwei-Faktor-Authentifizierung ist an.',
  'second-factor.codes-text':
    'Bewahre diese Codes so auf, dass du sie auch ohne dein Telefon findest. Jeder gilt für eine Anmeldung. Sie werden nicht noch einmal angezeigt.',
  'second-factor.codes-copy': 'Alle kopieren',
  'second-factor.codes-kept': 'Ich habe sie aufbewahrt',
  'second-factor.off-title': 'Zwei-Faktor-Authentifizierung ausschalten?',
  'second-factor.off-text':
    'Beim Anmelden wird dann kein Code mehr verlangt. Deine Wiederherstellungscodes gelten nicht mehr.',
  'second-factor.off-done': 'Die Zwei-Faktor-Authentifizierung ist aus.',

  'methods.title': 'Wie du dich anmeldest',
  'methods.password': 'E-Mail und Passwort',
  'methods.set': 'Ein Passwort ist festgelegt.',
  'methods.not-set': 'Es ist kein Passwort festgelegt.',
  'methods.unknown': 'Ein anderer Dienst',
  'methods.since': 'verknüpft {time}',
  'methods.unlink': 'Verknüpfung aufheben',
  'methods.unlink-named': 'Verknüpfung mit {provider} aufheben',
  'methods.no-password':
    'Um die Verknüpfung aufzuheben, brauchst du dein Passwort, und es ist keines festgelegt. Um eines festzulegen, melde dich ab und wähle „Passwort vergessen“: Das hebt auch alle Verknüpfungen auf.',
  'methods.unlink-title': 'Verknüpfung mit {provider} aufheben?',
  'methods.unlink-text':
    'Mit {provider} kann sich dann niemand mehr in deinem Konto anmelden, und alle anderen Geräte und Programme müssen sich neu anmelden. Dieses Panel bleibt angemeldet. Dein Konto bei {provider} bleibt, wie es ist.',
  'methods.unlinked': 'Die Verknüpfung mit {provider} ist aufgehoben, alle anderen Anmeldungen sind beendet.',

  'details.title': 'Dein Konto',
  'details.name': 'Name',
  'details.email': 'E-Mail: {email}',
  'details.name-long': 'Höchstens 80 Zeichen.',
  'details.name-line': 'Ein Name darf keine Zeilenumbrüche oder Steuerzeichen enthalten.',
  'details.language': 'Sprache der E-Mails',
  'details.language-none': 'Nicht gewählt',
  'details.unchanged': 'Es wurde noch nichts geändert.',
  'details.saved': 'Dein Konto wurde gespeichert.',

  'sessions.title': 'Wo du angemeldet bist',
  'sessions.text':
    'Beende Sitzungen, die du nicht kennst, und ändere danach das Passwort, mit dem du dich anmeldest. Jedes Gerät nennt seinen Namen selbst.',
  'sessions.none': 'Der Dienst hat kein Gerät genannt.',
  'sessions.this': 'Dieses Panel',
  'sessions.unknown': 'Unbekanntes Gerät',
  'sessions.used': 'zuletzt benutzt {time}',
  'sessions.begun': 'angemeldet {time}',
  'sessions.left-out': {
    one: 'Eine Sitzung konnte nicht gelesen werden.',
    other: '{count} Sitzungen konnten nicht gelesen werden.',
  },
  'sessions.perhaps-more': 'Vielleicht gibt es mehr Sitzungen, als angezeigt werden.',
  'sessions.end': 'Beenden',
  'sessions.end-named': 'Sitzung von {device} beenden',
  'sessions.ended': 'Die Sitzung von {device} ist beendet.',
  'sessions.all': 'Alle {count} zeigen',
  'sessions.end-others': 'Alle anderen Sitzungen beenden',
  'sessions.end-others-title': 'Alle anderen Sitzungen beenden?',
  'sessions.end-others-text':
    'Alle anderen Geräte und Programme müssen sich neu anmelden. Dieses Panel bleibt angemeldet.',
  'sessions.others-ended': 'Alle anderen Sitzungen sind beendet.',

  'my-data.title': 'Deine Daten',
  'my-data.text':
    'Alles, was der Dienst nach eigener Angabe über dein Konto hat, als JSON-Datei in deinem Ordner für Downloads.',
  'my-data.save': 'Meine Daten speichern',
  'my-data.saved': 'Gespeichert als {path}',
} as const
