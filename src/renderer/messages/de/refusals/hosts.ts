/** Über Hoster mit einer eigenen API, die das Panel übersetzt. */
export const hostRefusals = {
  'refused.host.aternos':
    'Aternos lässt keine anderen Programme zu. Lade deine Welt dort herunter und hole sie dann hierher.',
  'refused.host.page':
    'Statt einer Antwort kam eine Webseite ({status}), wie sie der Schutz vor einem Panel schickt. Öffne das Panel im Browser und versuche es dann noch einmal.',
  'refused.host.application-key':
    'Das ist ein Anwendungsschlüssel, mit dem sich weder Konsolen noch Dateien öffnen lassen. Erstelle im Panel einen Schlüssel unter deinem Konto, API Credentials.',
  'refused.host.key-address':
    'Das Panel nimmt diesen Schlüssel von deiner Netzwerkadresse nicht an. Erstelle einen Schlüssel ohne erlaubte Adressen.',
  'refused.host.second-factor':
    'Dieses Panel verlangt einen zweiten Faktor für dein Konto. Richte ihn dort ein und versuche es dann noch einmal.',
  'refused.host.node-away':
    'Das Panel antwortet, der Rechner dieses Servers aber nicht. Versuche es in ein paar Minuten noch einmal.',
  'refused.host.other-api':
    'Etwas anderes als das Panel hat geantwortet ({status}). Prüfe die Adresse oder frage deinen Hoster nach der seines Panels.',
  'refused.host.said': 'Das Panel hat abgelehnt: „{text}“ Sieh dir den Server im Panel selbst an.',
  'refused.host.busy':
    'Das Panel hat vorerst abgelehnt: „{text}“ Versuche es später noch einmal, oder frage deinen Hoster.',
  'refused.host.offline': 'Der Server läuft nicht, deshalb wurde nichts gesendet. Starte ihn zuerst.',
  'refused.host.not-found':
    'Das Panel hat keinen solchen Server oder keine solche Datei, oder du darfst sie nicht mehr sehen. Lade die Seite neu.',
  'refused.host.moved': 'Dieses Panel ist nach {address} umgezogen. Melde dich dort an.',
  'refused.host.unreadable':
    'Die Antwort des Panels war nicht zu verstehen ({field}). Aktualisiere das Panel, oder sag uns Bescheid.',
  'refused.host.too-long':
    'Die Antwort des Hosters ist zu lang zum Lesen. Sieh im Panel des Hosters selbst nach.',
  'refused.host.endless':
    'Der Hoster hat seine Antwort nicht rechtzeitig beendet. Versuche es in ein paar Minuten noch einmal.',
  'refused.host.text-size':
    'Bei diesem Hoster werden Texte bis {most} MB gespeichert. Lade die Datei stattdessen hoch.',
  'refused.host.origin':
    'Der Rechner dieses Servers lehnt Konsolen von außerhalb des Panels ab. Bitte deinen Hoster, die Adresse {address} zu erlauben (allowed_origins). Nennt er eine andere, trage sie hier in deinem Konto ein.',
  'refused.host.sockets':
    'Beim Hoster sind zu viele Konsolen dieses Servers offen. Schließe einige und versuche es dann noch einmal.',
  'refused.host.upload-size':
    'Dieser Hoster nimmt auf diesem Weg Dateien bis {most} MB an, und über SFTP kam das Panel nicht hinein. Nimmt sein Rechner keine SSH-Schlüssel an, gib dein Passwort hier in deinem Konto unter „Dateien über SFTP“ ein; sonst mach die Datei kleiner.',
  'refused.host.upload-size.unknown':
    'Diese Datei ist größer, als dieser Hoster auf diesem Weg annimmt, und über SFTP kam das Panel nicht hinein. Nimmt sein Rechner keine SSH-Schlüssel an, gib dein Passwort hier in deinem Konto unter „Dateien über SFTP“ ein; sonst mach die Datei kleiner.',
  'refused.host.host-key':
    'Der Rechner dieses Servers zeigt einen anderen Schlüssel ({key}) als zuvor. Wenn dein Hoster sagt, dass er sich geändert hat, vergiss den früheren hier in deinem Konto unter „Dateien über SFTP“; sonst ist vielleicht jemand dazwischen.',
  'refused.host.host-key.other-kind':
    'Der Rechner dieses Servers hat den Schlüssel nicht mehr, den er zuvor zeigte. Wenn dein Hoster sagt, dass er sich geändert hat, vergiss den früheren hier in deinem Konto unter „Dateien über SFTP“; sonst ist vielleicht jemand dazwischen.',
  'refused.host.ssh-key':
    'Der Rechner dieses Servers lässt dich nicht mehr über SFTP zu. Versuche es noch einmal. Wenn das öfter vorkommt, frag deinen Hoster.',
  'refused.host.machine-password':
    'Der Rechner dieses Servers nimmt dein Passwort nicht mehr an. Gib es hier in deinem Konto unter „Dateien über SFTP“ noch einmal ein.',
  'refused.host.machine-password.wrong':
    'Der Rechner deiner Server hat dieses Passwort nicht angenommen. Prüfe es und gib es noch einmal ein.',
  'refused.host.no-keychain':
    'Der Schlüsselbund dieses Computers hat das Passwort nicht angenommen, also wurde es nicht behalten. Sieh nach, ob es einen gibt und ob er offen ist.',
  'refused.host.no-machine':
    'Kein Rechner deiner Server konnte gefragt werden, ob das Passwort stimmt. Versuche es in ein paar Minuten noch einmal.',
  'refused.host.archive-format': 'Dieser Hoster erstellt nur Archive der Art tar.gz. Wähle diese.',
  'refused.host.archive-name':
    'Das Archiv liegt als {path} da, konnte aber nicht umbenannt werden. Benenne es unter „Dateien“ um.',
  'refused.host.archive-late':
    'Es ist nicht bekannt, ob der Hoster fertig wurde: Er hat es nicht rechtzeitig gesagt. Sieh in ein paar Minuten in den Ordner.',
  'refused.host.archive-encoding':
    'Dieser Hoster findet selbst heraus, wie die Namen in Archiven geschrieben sind. Überlass ihm ihre Kodierung.',
  'refused.host.archives-busy':
    'Der Hoster arbeitet noch an Archiven dieses Servers. Versuche es noch einmal, wenn eines fertig ist.',
  'refused.host.extract-replaces':
    'Beim Entpacken ersetzt dieser Hoster, was gleich heißt. Entpacke in einen neuen Ordner, oder wähle „Ersetzen“.',
  'refused.host.no-cancel':
    'Der Hoster bringt ein Archiv zu Ende, wenn er es begonnen hat. Lösche danach, was du nicht brauchst.',
  'refused.host.copy-file':
    'Ohne SFTP kopiert dieser Hoster nur Dateien. Kopiere die Dateien in diesem Ordner.',
  'refused.host.copy-many':
    'Bei diesem Hoster werden bis zu {most} Dateien auf einmal kopiert. Wähle weniger aus.',
  'refused.host.copy-unsure':
    'Der Hoster sollte eine Kopie anlegen, aber es ist unklar, welche Datei das ist. Lade den Ordner neu.',
  'refused.host.copy-name':
    'Die Kopie liegt als {path} da, konnte aber nicht verschoben werden. Verschiebe sie unter „Dateien“.',
  'refused.host.key-stays':
    'Der eingegebene Schlüssel bleibt beim Panel gültig. Um ihn zu beenden, lösche ihn dort.',
  'refused.host.no-backups':
    'Dieser Hoster bewahrt keine Backups dieses Servers auf. Kopiere ihn stattdessen auf diesen Computer.',
  'refused.host.backup-name': 'Dieser Hoster benennt Backups nicht um. Erstelle ein neues mit einem Namen.',
  'refused.host.restore-whole': 'Dieser Hoster holt nur ganze Backups zurück. Wähle alles.',
  'refused.host.schedule-time':
    'Dieser Hoster führt Zeitpläne zu Zeiten in seiner eigenen Zeitzone aus und kann nur verlangen, dass der Server online ist. Lass das Übrige weg.',
  'refused.host.schedule-wait':
    'Dieser Hoster wartet höchstens 15 Minuten und nur vor einem weiteren Schritt. Ändere diesen Schritt.',
  'refused.host.schedule-steps':
    'Dieser Zeitplan hat einen Schritt, den nur das Panel ändern kann, deshalb bleiben seine Schritte, wie sie sind. Ändere sie dort.',
  'refused.host.backup-whole': 'Dieser Hoster gibt nur ganze Backups her. Speichere alles davon.',
  'refused.host.unsafe-address':
    'Das Panel nennt eine unverschlüsselte Adresse des Rechners dieses Servers. Bitte deinen Hoster, dort TLS einzuschalten.',
  'refused.host.cut': 'Die Verbindung brach vorher ab. Prüfe dein Netz und versuche es noch einmal.',
  'refused.host.jars-unread':
    'Noch sind nicht alle Jars dieses Servers gelesen, was bei einem Hoster etwas dauert. Versuche es in einer Minute noch einmal.',
  'refused.host.software-unknown':
    'Die Dateien dieses Servers verraten nicht, welche Software und Version er hat, also auch nicht, was zu ihm passt. Lege Jars unter Dateien ab.',
  'refused.host.not-written':
    'Der Hoster hat die Datei angenommen, führt sie aber nicht auf. Lade den Ordner neu.',
  'refused.host.ban-end':
    'Die Konsole eines laufenden Servers gibt einem Bann kein Ende. Banne ohne Ende, oder stoppe den Server zuerst.',
  'refused.host.file-changing': '{file} dieses Servers wird gerade geändert. Versuche es gleich noch einmal.',
  'refused.host.elsewhere': 'Das wird beim Hoster eingestellt. Nimm dessen eigene Seite.',
  'refused.host.not-now':
    'Der Hoster ist mit diesem Server beschäftigt. Versuche es wieder, wenn er online oder offline ist.',
  'refused.exaroton.page':
    'Statt einer Antwort kam von exaroton eine Webseite ({status}). Versuche es in ein paar Minuten noch einmal.',
  'refused.exaroton.forbidden':
    'exaroton hat abgelehnt: „{text}“ Sieh auf exaroton.com nach, ob der Besitzer des Servers dir das erlaubt und ob Credits dafür da sind.',
  'refused.exaroton.said': 'exaroton hat abgelehnt: „{text}“ Sieh dir den Server auf exaroton.com an.',
  'refused.exaroton.failed':
    'exaroton konnte das gerade nicht: „{text}“ Versuche es in ein paar Minuten noch einmal.',
  'refused.exaroton.not-found':
    'exaroton hat keinen solchen Server oder keine solche Datei, oder du darfst sie nicht mehr sehen. Lade die Seite neu.',
  'refused.exaroton.unreadable':
    'Die Antwort von exaroton war nicht zu verstehen ({field}). Aktualisiere dieses Panel.',
  'refused.exaroton.moving-files':
    'Solange ein Server bei exaroton startet, stoppt oder speichert, werden seine Dateien von hier aus nicht geändert. Versuche es wieder, wenn er online oder offline ist.',
  'refused.exaroton.moving-files.upload':
    'Solange ein Server bei exaroton startet, stoppt oder speichert, warten Uploads auf ihn, höchstens 10 Minuten. Sende die fehlgeschlagenen noch einmal, wenn er online oder offline ist.',
  'refused.exaroton.no-kill':
    'Ein Server bei exaroton lässt sich von hier aus nicht sofort beenden. Stoppe ihn.',
  'refused.exaroton.memory':
    'Ein Server bei exaroton hat {least} bis {most} GB Speicher, in ganzen GB. Wähle eine andere Größe.',
  'refused.exaroton.no-stats':
    'exaroton hat noch keine Statistik dieses Servers gesendet. Versuche es in einer Minute noch einmal.',
} as const
