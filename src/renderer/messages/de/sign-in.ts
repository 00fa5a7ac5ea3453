export const signIn = {
  'sign-in.no-keychain':
    'Nach dem Schließen von Wheelhouse musst du dich neu anmelden: Dieser Computer hat keinen nutzbaren Schlüsselbund.',
  'sign-in.title': 'Bei einem Dienst anmelden',
  'sign-in.base-url': 'Adresse des Dienstes',
  'sign-in.base-url-hint': 'Zum Beispiel panel.example.com oder sftp://benutzer@node.example.com:2022',
  'sign-in.use-token': 'Ein Zugangstoken verwenden',
  'sign-in.use-password': 'E-Mail und Passwort verwenden',
  'sign-in.token': 'Zugangstoken',
  'sign-in.token-hint': 'Beim Dienst erstellen und hier einfügen. Es wird nur an diese Adresse gesendet.',
  'sign-in.key': 'API-Schlüssel',
  'sign-in.key-hint':
    'Im Panel unter deinem Konto, API Credentials, erstellen. Er wird nur an diese Adresse gesendet und darf alles, was du darfst.',
  'sign-in.key-application':
    'Das ist ein Anwendungsschlüssel. Erstelle stattdessen einen unter deinem Konto, API Credentials.',
  'sign-in.host-text':
    'Ein Panel von Pterodactyl oder Pelican: Konsole, Dateien, Backups, Status und Ein/Aus gehen hier, alles andere im Panel selbst.',
  'sign-in.exaroton-key-hint':
    'Unter exaroton.com/account → API kopieren. Er wird nur an exaroton gesendet und darf alles, was du darfst, auch deine Credits ausgeben.',
  'sign-in.exaroton-text':
    'exaroton: Konsole, Dateien, Spieler, Status und Ein/Aus gehen hier, alles andere auf exaroton.com.',
  'sign-in.sftp-text':
    'Ein Server, der per SFTP erreicht wird: Dateien, Konsole und Status gehen hier, Befehle mit RCON. Gestartet und gestoppt wird er beim Hoster.',
  'sign-in.host-key':
    'Dieser Hoster zeigt den folgenden Schlüssel, der ab jetzt gilt. Vergleiche ihn, falls dein Hoster einen nennt.',
  'sign-in.host-key-asked': 'Der Hoster wird nach seinem Schlüssel gefragt …',
  'sign-in.user': 'Benutzer',
  'sign-in.secret': 'Passwort oder privater Schlüssel',
  'sign-in.secret-hint': 'Wird nur an diesen Hoster gesendet. Ein privater Schlüssel wird nicht gesendet.',
  'sign-in.passphrase': 'Passphrase des privaten Schlüssels',
  'sign-in.passphrase-hint':
    'Bleibt mit dem Schlüssel im Schlüsselbund dieses Computers und wird nicht gesendet.',
  'sign-in.register': 'Konto erstellen',
  'sign-in.forgot': 'Passwort vergessen',
  'sign-in.have-account': 'Ich habe schon ein Konto',
  'sign-in.wanted':
    'Dieser Dienst erwartet das Gesendete unter anderen Namen: {names}. Das Programm kann sie ab jetzt verwenden; sie stehen dann im API-Profil des Dienstes.',
  'sign-in.use-names': 'Diese Namen verwenden',
  'sign-in.refused':
    'Der Dienst lässt dieses Konto nicht hinein. Vielleicht ist die E-Mail-Adresse noch nicht bestätigt.',
  'sign-in.again': 'Neu anmelden bei {connection}',
  'sign-in.again-text': 'Was schon geladen wurde, ist noch da.',

  'register.title': 'Konto erstellen',
  'register.name': 'Name',
  'register.submit': 'Konto erstellen',
  'confirm.title': 'E-Mail bestätigen',
  'confirm.text': 'Gib den Code aus der E-Mail an {email} ein.',
  'confirm.text-perhaps':
    'Gib den Code ein, der an {email} geschickt wurde, oder lass dir einen neuen schicken.',
  'confirm.code': 'Code',
  'confirm.done': 'Die E-Mail-Adresse ist bestätigt. Melde dich nun an.',
  'confirm.have-code': 'Ich habe einen Code',
  'confirm.submit': 'Bestätigen',
  'confirm.resend': 'Neuen Code senden',
  'confirm.resend-wait': {
    one: 'Der Dienst nimmt die nächste Anfrage in {count} Sekunde an.',
    other: 'Der Dienst nimmt die nächste Anfrage in {count} Sekunden an.',
  },
  'confirm.resend-soon': {
    one: 'Die E-Mail braucht vielleicht einen Moment. Eine weitere gibt es in {count} Sekunde.',
    other: 'Die E-Mail braucht vielleicht einen Moment. Eine weitere gibt es in {count} Sekunden.',
  },
  'confirm.resent': 'Wenn es dieses Konto gibt, ist ein neuer Code unterwegs.',

  'forgot.title': 'Passwort vergessen',
  'forgot.text':
    'Wenn es ein Konto zu deiner E-Mail-Adresse gibt, bekommst du einen Code für ein neues Passwort.',
  'forgot.submit': 'Code senden',

  'reset.title': 'Neues Passwort festlegen',
  'reset.text': 'Wenn es ein Konto für {email} gibt, ist ein Code unterwegs.',
  'reset.new-password': 'Neues Passwort',
  'reset.submit': 'Passwort festlegen',
  'reset.done': 'Dein neues Passwort ist festgelegt. Melde dich damit an.',

  'register.password-hint': 'Mindestens 10 Zeichen. Ein Satz ist ein gutes Passwort.',

  'second-factor.sign-in': 'Code eingeben',
  'second-factor.sign-in-text': 'Dein Passwort stimmt. Dieses Konto fragt auch nach einem Code.',
  'second-factor.code': 'Code aus deiner App',
  'second-factor.code-hint': 'Sechs Ziffern aus deiner Authenticator-App oder ein Wiederherstellungscode.',
  'second-factor.code-hint-app': 'Sechs Ziffern.',

  'password.title': 'Passwort ändern',
  'password.current': 'Aktuelles Passwort',
  'password.new': 'Neues Passwort',
  'password.submit': 'Passwort ändern',
  'password.done': 'Passwort geändert. Auf anderen Geräten musst du dich vielleicht neu anmelden.',

  'sign-in.email': 'E-Mail',
  'sign-in.password': 'Passwort',
  'sign-in.submit': 'Anmelden',
  'sign-in.wrong': 'E-Mail oder Passwort ist falsch. Prüfe beides und versuche es noch einmal.',
  'field.port': 'Gib einen Port von 1024 bis 65535 ein.',
  'field.email': 'Gib eine gültige E-Mail-Adresse ein.',
  'field.password-short': 'Verwende mindestens 10 Zeichen.',
  'field.code': 'Gib den Code genau so ein, wie er in der E-Mail steht, ohne Leerzeichen.',
} as const
