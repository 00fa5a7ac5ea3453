export const peopleRefusals = {
  'refused.access.scope-not-known': 'Dieser Dienst hat keine Berechtigung {scope}. Wähle aus seinem Katalog.',
  'refused.access.owner-only':
    'Nur der Besitzer kann {scopes} vergeben: Damit lassen sich Programme auf dem Computer des Servers ausführen.',
  'refused.access.beyond-own':
    'Du kannst {scopes} nicht vergeben, weil du das selbst nicht darfst. Frag den Besitzer des Servers.',
  'refused.access.own-grant':
    'Deine eigenen Berechtigungen kannst du nicht ändern. Frag den Besitzer des Servers.',
  'refused.access.outranked':
    'Diese Person hat Berechtigungen, die du nicht hast. Bitte den Besitzer des Servers, sie zu ändern.',
  'refused.access.too-many':
    'Ein Server lässt sich mit bis zu {most} Personen teilen; Einladungen zählen mit. Entferne zuerst eine.',
  'refused.access.owner': 'Der Zugriff des Besitzers lässt sich nicht ändern oder entfernen.',
  'refused.access.owner.leave':
    'Dieser Server gehört dir, deshalb kannst du ihn nicht verlassen. Um ihn loszuwerden, lösche ihn.',
  'refused.access.not-found':
    'Diese Person hat keinen Zugriff mehr und ist nicht eingeladen. Lade die Liste neu.',
  'refused.access.not-found.invitation': 'Diese Einladung ist nicht mehr offen. Bitte um eine neue.',
  'refused.access.already-shared': 'Diese Person hat schon Zugriff. Ändere ihre Berechtigungen in der Liste.',

  'refused.account.wrong-credentials': 'E-Mail oder Passwort ist falsch.',
  'refused.account.wrong-credentials.secret': 'Dieses Geheimnis ist falsch oder wurde schon verwendet.',
  'refused.account.unconfirmed':
    'Dieses Konto ist noch nicht bestätigt. Gib den Code ein, der per E-Mail kam.',
  'refused.account.confirmed': 'Diese E-Mail ist schon bestätigt. Melde dich wie gewohnt an.',
  'refused.account.registration-off':
    'Dieser Dienst nimmt keine neuen Konten an. Bitte den Betreiber um eines.',
  'refused.account.registration-off.identity':
    'Dieser Dienst nimmt keine neuen Konten an, und mit dieser Identität hat sich noch niemand angemeldet. Bitte den Betreiber um ein Konto mit dieser E-Mail.',
  'refused.account.local-off': 'Nur das Programm, das diesen Dienst gestartet hat, kann sich so anmelden.',
  'refused.account.no-password':
    'Der Besitzer dieses Computers meldet sich ohne Passwort an, deshalb gibt es keines.',
  'refused.account.no-password.yet':
    'Dieses Konto hat noch kein Passwort. Wähle bei der Anmeldung „Passwort vergessen“: Dann kommt per E-Mail ein Code, mit dem du eines festlegst.',
  'refused.account.wrong-password': 'Das aktuelle Passwort ist falsch.',
  'refused.account.password-changed':
    'Das Passwort dieses Kontos wurde gerade geändert. Versuche es mit dem neuen noch einmal.',
  'refused.account.session-not-found': 'Diese Anmeldung ist schon beendet.',
  'refused.account.second-factor-on':
    'Die Zwei-Faktor-Authentifizierung ist schon an. Schalte sie zuerst aus, um sie neu einzurichten.',
  'refused.account.second-factor-not-begun':
    'Das Einrichten der Zwei-Faktor-Authentifizierung hat zu lange gedauert oder wurde anderswo neu begonnen. Beginne noch einmal.',
  'refused.account.identity-not-found': 'Das ist nicht mehr mit deinem Konto verknüpft.',
  'refused.account.google-changed':
    'Dieses Konto wurde in diesem Moment geändert. Beginne die Anmeldung noch einmal.',
  'refused.account.google-no-email':
    'Der Anbieter hat nicht gesagt, welche E-Mail-Adresse deine ist, und ohne sie gibt es kein Konto. Erlaube, dass sie weitergegeben wird, und beginne noch einmal.',
  'refused.account.google-unverified':
    'Der Anbieter hat nicht bestätigt, dass {email} deine ist. Bestätige sie dort, und beginne noch einmal.',
  'refused.account.google-code':
    'Diese Anmeldung wurde schon verwendet, zu oft versucht oder hat zu lange gedauert. Beginne noch einmal.',
  'refused.account.mail-full':
    'Zu viele E-Mails warten darauf, gesendet zu werden. Versuche es später noch einmal.',
  'refused.auth.google-off':
    'Dieser Dienst bietet keine Anmeldung mit Google an. Nutze einen anderen Weg, oder frag den Betreiber.',
  'refused.auth.token-missing': 'Melde dich zuerst an: Dafür ist ein Konto nötig.',
  'refused.auth.token-invalid': 'Diese Anmeldung gilt nicht mehr. Melde dich neu an.',
  'refused.service.busy':
    'Gerade melden sich zu viele Leute an. Versuche es in ein paar Sekunden noch einmal.',

  'refused.players.list-damaged':
    '{file} dieses Servers lässt sich nicht lesen, deshalb wurde darin nichts geändert. Repariere die Datei, oder lösche sie, und versuche es dann noch einmal.',
  'refused.players.file-full':
    '{file} dieses Servers würde zu groß, deshalb wurde darin nichts geändert. Entferne Einträge, die niemand mehr braucht.',
  'refused.players.settings-damaged':
    '{file} dieses Servers lässt sich nicht lesen, deshalb wurde die Whitelist nicht geändert. Repariere die Datei, und versuche es dann noch einmal.',
  'refused.players.stats-damaged':
    'Die Datei mit der Statistik dieses Spielers ist beschädigt oder zu groß und lässt sich deshalb nicht lesen. Sieh sie dir bei den Dateien des Servers an.',

  'refused.config.changed':
    'Die Einstellungen wurden inzwischen geändert. Lade sie neu, und ändere sie dann.',
  'refused.config.settings-damaged':
    '{file} dieses Servers lässt sich nicht lesen oder würde zu groß, deshalb wurde darin nichts geändert. Repariere die Datei, und versuche es dann noch einmal.',

  'refused.request.too-large':
    'Diese Anfrage ist größer als {most:bytes}, und mehr wird hier nicht angenommen. Sende weniger auf einmal.',
  'refused.request.too-large.values':
    'Diese Anfrage enthält mehr Werte oder ist tiefer verschachtelt, als hier angenommen wird.',
  'refused.request.too-large.form':
    'Das Formular enthält außer seiner Datei mehr als 1 MiB. Es wurde nichts geschrieben. Sende nur die Datei und ihre Felder.',
  'refused.request.not-json': 'Eine Anfrage muss JSON enthalten (application/json).',
  'refused.request.not-json.unsaid': 'Die Anfrage sagt nicht, dass sie application/json enthält.',
  'refused.request.malformed': 'Der Inhalt der Anfrage ist kein lesbares JSON in UTF-8.',
  'refused.request.stalled': 'Die Anfrage war nach einer Minute nicht vollständig. Sende sie noch einmal.',
  'refused.request.gone': 'Die Verbindung wurde getrennt.',
  'refused.request.invalid.cursor': 'Diese Stelle gehört nicht zu dieser Liste. Beginne sie von vorn.',
  'refused.request.invalid.what': 'Gib ein, wonach du suchst: einen Namen, einen Text oder beides.',
  'refused.request.invalid.one-or-all':
    'Verlange eine Erweiterung (`project`) oder alle Aktualisierungen (`update=all`).',
  'refused.request.invalid.checksum':
    'Upload-Checksum muss lauten: sha256, ein Leerzeichen, die Prüfsumme in Base64.',
  'refused.request.invalid.no-file': 'Das Formular enthält keinen Teil namens „file“.',

  'refused.account.google-password':
    'Es gibt schon ein Konto mit dieser E-Mail. Gib einmal sein Passwort ein, um zu zeigen, dass es deines ist; wenn es keines hat oder du es vergessen hast, wähle „Passwort vergessen“ und lege zuerst ein neues fest.',
  'refused.account.code-wrong':
    'Das ist nicht der Code aus der neuesten E-Mail, oder er wurde schon verwendet. Prüfe ihn, oder fordere einen neuen an.',
  'refused.account.code-expired': 'Ein Code gilt {minutes} Minuten. Fordere einen neuen an.',
  'refused.account.code-used-up':
    'Für diesen Code gibt es keine Versuche mehr. Fordere einen neuen an, und zwar auf dem Gerät, auf dem du ihn eingibst.',
  'refused.auth.second-factor':
    'Gib den Code ein, den deine Authenticator-App zeigt, oder einen deiner Wiederherstellungscodes.',
  'refused.auth.second-factor-wrong':
    'Dieser Code ist falsch oder wurde schon verwendet. Gib den nächsten ein, den deine App zeigt.',
  'refused.promocode.unknown':
    'Diesen Code gibt es bei diesem Dienst nicht. Prüfe ihn Zeichen für Zeichen, oder kopiere ihn noch einmal.',
  'refused.promocode.already-used':
    'Dieses Konto hat diesen Code schon verwendet. Was er gebracht hat, steht bei deinen Promocodes.',
  'refused.promocode.used-up':
    'Dieser Code wurde schon so oft verwendet wie möglich. Bitte die Person, von der du ihn hast, um einen anderen.',
  'refused.promocode.expired':
    'Dieser Code galt bis {day}. Bitte die Person, von der du ihn hast, um einen anderen.',
  'refused.promocode.expired.withdrawn':
    'Dieser Code wurde zurückgezogen und gilt nicht mehr. Frag die Person, von der du ihn hast.',

  'refused.players.unconfirmed':
    'Der Server hat den Befehl bekommen, aber nicht gesagt, was daraus wurde. Sieh in seine Konsole, und versuche es noch einmal, wenn die Whitelist wie vorher ist.',
  'refused.players.refused': 'Der Server hat geantwortet: „{answer}“.',
  'refused.players.refused.away': 'Dieser Spieler ist nicht auf dem Server. Warte, bis er beigetreten ist.',
  'refused.players.refused.not-found':
    'Der Server hat diesen Spieler nicht gefunden, deshalb wurde nichts geändert. Prüfe, wie der Name geschrieben wird.',
  'refused.players.refused.stayed':
    'Der Server hat die Änderung angenommen, aber der Spieler steht noch auf seiner Liste. Sieh in seine Konsole.',
  'refused.players.name-unknown': '„{name}“ kann kein Name eines Spielers sein.',
  'refused.players.name-unknown.uuid':
    'Der Name dieses Spielers ist hier nicht bekannt, und ein laufender Server nimmt nur Namen. Stoppe den Server, um das zu ändern.',
  'refused.players.name-unknown.command':
    'Die Konsole eines laufenden Servers nimmt keine Namen wie „{name}“ an, deshalb wurde nichts gesendet. Stoppe den Server, und versuche es dann noch einmal.',
  'refused.players.not-running': 'Der Server läuft nicht, deshalb ist niemand da. Starte ihn zuerst.',
  'refused.players.no-end':
    '{name} ist gesperrt, aber das Ende der Sperre konnte nicht festgehalten werden. Heb die Sperre selbst auf, wenn sie vorbei ist.',
  'refused.players.no-end.other':
    'Der Spieler ist gesperrt, aber der Server nennt ein anderes Ende der Sperre. Heb die Sperre selbst auf, wenn sie vorbei ist.',

  'refused.route.not-found': 'Unter dieser Adresse gibt es nichts.',
  'refused.route.not-found.base':
    'Unter dieser Adresse gibt es nichts. Jeder Pfad dieses Dienstes beginnt mit {base}.',
  'refused.route.wrong-method': '{method} ist hier nicht möglich. Möglich sind: {allow}.',
  'refused.route.wrong-method.stream': 'Ein Strom muss mit GET gelesen werden.',
  'refused.console.too-many-streams':
    'Für dieses Konto sind schon {most} Ereignisströme offen. Schließe einen, und versuche es dann noch einmal.',
  'refused.request.too-many':
    '{most} Anfragen dieses Kontos werden schon beantwortet. Warte, bis eine fertig ist.',
  'refused.request.too-often':
    'Das wurde in kurzer Zeit zu oft angefragt. Warte einen Moment, und versuche es dann noch einmal.',
  'refused.request.wait.seconds': {
    one: '{what:part} Versuche es in einer Sekunde noch einmal.',
    other: '{what:part} Versuche es in {count} Sekunden noch einmal.',
  },
  'refused.request.wait.minutes': {
    one: '{what:part} Versuche es in einer Minute noch einmal.',
    other: '{what:part} Versuche es in {count} Minuten noch einmal.',
  },
  'refused.request.wait.hours': {
    one: '{what:part} Versuche es in einer Stunde noch einmal.',
    other: '{what:part} Versuche es in {count} Stunden noch einmal.',
  },

  'refused.part.codes-requested': 'Es wurden zu viele Codes angefordert.',
  'refused.part.codes-tried': 'Es wurden zu viele Codes versucht.',
  'refused.part.wrong-passwords': 'Das waren zu viele falsche Passwörter.',
  'refused.part.wrong-passwords-by-all':
    'Für diese E-Mail wurden zu viele falsche Passwörter versucht, einige davon aus diesem Netzwerk. Du kannst auch einen Code anfordern und ein neues Passwort festlegen.',
  'refused.part.wrong-codes': 'Das waren zu viele falsche Codes.',
  'refused.part.sign-ins-begun': 'Es wurden zu viele Anmeldungen begonnen.',
  'refused.part.attempts': 'Das waren zu viele Versuche.',
  'refused.part.invitations-sent': 'Es wurden zu viele Einladungen gesendet.',
  'refused.part.codes-that-do-not-exist': 'Es wurden zu viele Codes versucht, die es nicht gibt.',

  'refused.players.unknown':
    '{name} war noch nie auf diesem Server, deshalb ist die ID dieses Spielers hier nicht bekannt. Starte den Server, und versuche es dann noch einmal.',
  'refused.players.unknown.join':
    '{name} war noch nie auf diesem Server, deshalb ist die ID dieses Spielers hier nicht bekannt. Lass ihn einmal beitreten, und versuche es dann noch einmal.',
  'refused.players.unknown.name': '„{name}“ kann kein Name eines Spielers sein.',
  'refused.players.unknown.uuid':
    'Der Name dieses Spielers ist hier nicht bekannt, und die Liste braucht ihn.',
}
