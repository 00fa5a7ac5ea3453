/** Über Server, die per SFTP erreicht werden. */
export const sftpRefusals = {
  'refused.sftp.sign-in':
    'Der Hoster nimmt diesen Benutzer und dieses Passwort oder diesen Schlüssel nicht an. Sieh im Panel deines Hosters nach und melde dich neu an.',
  'refused.sftp.key':
    'Dieser private Schlüssel lässt sich nicht lesen. Füge ihn ganz ein, wie ssh-keygen ihn schreibt.',
  'refused.sftp.passphrase': 'Dieser private Schlüssel hat eine Passphrase. Gib sie auch ein.',
  'refused.sftp.passphrase.wrong':
    'Das ist nicht die Passphrase des privaten Schlüssels. Gib sie noch einmal ein.',
  'refused.sftp.host-key':
    'Der Hoster zeigt einen anderen Schlüssel ({key}) als bei deiner Anmeldung. Bestätigt dein Hoster den Wechsel, melde dich unter dieser Adresse neu an; sonst könnte jemand dazwischen sein.',
  'refused.sftp.host-key.other-kind':
    'Der Hoster hat den Schlüssel nicht mehr, den er bei deiner Anmeldung gezeigt hat. Bestätigt dein Hoster den Wechsel, melde dich unter dieser Adresse neu an; sonst könnte jemand dazwischen sein.',
  'refused.sftp.no-ssh': 'Was dort antwortet, spricht nicht wie erwartet SSH. Prüfe Adresse und Port.',
  'refused.sftp.no-sftp':
    'Der Hoster lässt dich herein, aber nicht zu SFTP. Bitte ihn, SFTP für diesen Benutzer zu erlauben.',
  'refused.sftp.silent':
    'Der Hoster hat nicht rechtzeitig geantwortet. Versuche es in ein paar Minuten noch einmal.',
  'refused.sftp.not-found': 'Beim Hoster gibt es diese Datei oder diesen Ordner nicht. Lade den Ordner neu.',
  'refused.sftp.denied': 'Der Hoster erlaubt das diesem Benutzer nicht. Prüfe dort die Berechtigungen.',
  'refused.sftp.said':
    'Der Hoster hat abgelehnt: „{text}“ Vielleicht ist sein Speicher voll oder der Name vergeben.',
  'refused.sftp.folder-size':
    'Dieser Ordner enthält mehr, als sich auflisten lässt. Sieh ihn dir bei deinem Hoster an.',
  'refused.sftp.too-deep':
    'Diese Ordner sind zu tief verschachtelt, um sie hier zu löschen. Lösche zuerst einige davon.',
  'refused.sftp.name':
    '„{name}“ hat einen Namen, der sich hier nicht verwenden lässt. Lösche es bei deinem Hoster.',
  'refused.sftp.copy-file':
    '„{path}“ ist weder Datei noch Ordner und lässt sich nicht kopieren. Kopiere den Rest ohne das.',
  'refused.sftp.copy-size':
    'Per SFTP lassen sich höchstens {items} Dateien und {mib} MB auf einmal kopieren. Wähle weniger aus oder kopiere bei deinem Hoster.',
  'refused.sftp.link-out':
    'Das ist ein Link, der aus dem Ordner des Servers hinausführt. Öffne sein Ziel bei deinem Hoster.',
  'refused.sftp.not-file': '„{path}“ ist keine Datei. Öffne etwas anderes.',
  'refused.sftp.shorter': 'Die Datei wurde beim Lesen kürzer. Öffne sie noch einmal.',
  'refused.sftp.lost': 'Der Hoster hat die Datei nicht so, wie sie gesendet wurde. Sende sie noch einmal.',
  'refused.sftp.cut-short': 'Die Datei kam nicht ganz an. Sende sie noch einmal.',
  'refused.sftp.no-ping':
    'Das Spiel antwortet nicht, darum ist unbekannt, ob der Server läuft. Sieh in seine Konsole.',
  'refused.sftp.no-rcon':
    'RCON ist aus, darum kommen keine Befehle hinein. Setze enable-rcon und rcon.password in server.properties und starte den Server neu.',
  'refused.sftp.no-tunnel':
    'Dieser Hoster stellt keine Verbindungen durch SSH her, und RCON selbst ist unverschlüsselt. Es wurde nichts gesendet; erlaube es auf der Seite dieses Kontos, oder nimm die Konsole deines Hosters.',
  'refused.sftp.rcon-silent':
    'RCON antwortet nicht. Starte den Server, oder prüfe rcon.port in server.properties.',
  'refused.sftp.rcon-password':
    'RCON nimmt das Passwort aus server.properties nicht an. Starte den Server neu, denn er liest es beim Start.',
  'refused.sftp.rcon-long': 'RCON nimmt Befehle bis {most} Bytes. Kürze ihn.',
  'refused.sftp.no-line': 'Dafür ist kein Befehl hinterlegt. Trage einen auf der Seite dieses Kontos ein.',
  'refused.sftp.no-commands':
    'Dieser Hoster führt über SSH keine Befehle aus. Es lief nichts; nimm die Seite deines Hosters.',
  'refused.sftp.line-failed': 'Der Befehl endete mit {code}. Probiere ihn in einem Terminal des Hosters.',
  'refused.sftp.line-said':
    'Der Befehl endete mit {code}: „{text}“ Probiere ihn in einem Terminal des Hosters.',
  'refused.sftp.line-slow':
    'Der Befehl war nach 90 Sekunden nicht zu Ende, darum ist hier unbekannt, was daraus wird. Sieh in die Konsole.',
} as const
