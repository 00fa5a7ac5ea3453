import { copySentences } from './copy-sentences.ts'
import { desktopSentences } from './desktop-sentences.ts'
import { externalEditorSentences } from './external-editor-sentences.ts'
import { reachSentences } from './reach-sentences.ts'
import { updateSentences } from './update-sentences.ts'

/** Sentences of the main process; English in `src/contract/messages/sentences.ts`. */
export const sentences = {
  ...copySentences,
  ...desktopSentences,
  ...externalEditorSentences,
  ...updateSentences,
  ...reachSentences,

  'trust.expired':
    '{host} kann nicht vertraut werden: Das Zertifikat ist abgelaufen. Der Betreiber muss es erneuern.',
  'trust.too-early':
    '{host} kann nicht vertraut werden: Das Zertifikat gilt noch nicht. Prüfe die Uhr dieses Computers.',
  'trust.revoked':
    '{host} kann nicht vertraut werden: Das Zertifikat wurde widerrufen. Melde dich nicht an; frage den Betreiber.',
  'trust.self-signed':
    '{host} kann nicht vertraut werden: Das Zertifikat ist selbst signiert. Wenn es deines ist, füge es denen hinzu, denen dieser Computer vertraut.',
  'trust.unknown-root':
    '{host} kann nicht vertraut werden: Das Zertifikat kommt von einer Stelle, die dieser Computer nicht kennt. Wenn es deine ist, füge sie denen hinzu, denen er vertraut.',
  'trust.no-chain':
    '{host} kann nicht vertraut werden: Dem Zertifikat fehlt die Zertifikatskette. Der Betreiber muss die vollständige Kette einrichten.',
  'trust.unknown-issuer':
    '{host} kann nicht vertraut werden: Die Stelle hinter dem Zertifikat ist hier unbekannt.',
  'trust.other-name':
    '{host} kann nicht vertraut werden: Das Zertifikat gilt für einen anderen Hostnamen. Prüfe die Adresse.',
  'trust.bad-signature': '{host} kann nicht vertraut werden: Die Signatur des Zertifikats ist falsch.',
  'trust.untrusted':
    '{host} kann nicht vertraut werden: Das Zertifikat gilt auf diesem Computer als nicht vertrauenswürdig.',
  'trust.rejected':
    '{host} kann nicht vertraut werden: Das Zertifikat gilt auf diesem Computer als abgelehnt.',
  'trust.long-chain': '{host} kann nicht vertraut werden: Die Kette des Zertifikats ist zu lang.',
  'trust.bad-authority':
    '{host} kann nicht vertraut werden: Eine Stelle in der Kette des Zertifikats ist ungültig.',
  'trust.other-purpose':
    '{host} kann nicht vertraut werden: Das Zertifikat wurde für einen anderen Zweck ausgestellt.',

  'base-address.empty': 'Gib die Adresse des Dienstes ein, etwa https://panel.example.com/api/v1.',
  'base-address.none':
    'Das ist keine gültige Adresse. Sie sollte so aussehen: https://panel.example.com/api/v1.',
  'base-address.password':
    'Lass Namen und Passwort in der Adresse weg. Du gibst sie in den Feldern darunter ein.',
  'base-address.query': 'Die Adresse endet auf /api/v1. Lass alles ab dem „?“ oder „#“ weg.',
  'base-address.scheme': 'Die Adresse muss mit https:// beginnen, nicht mit {scheme}.',
  'base-address.unencrypted':
    'Über http würde dein Zugangstoken unverschlüsselt gesendet. Verwende {address}; http ist nur für diesen Computer.',
  'base-address.ending': 'Die Adresse muss auf /api/v1 enden. Meintest du {address}?',
  'base-address.sftp':
    'Das ist keine gültige Adresse. Sie sollte wie sftp://benutzer@node.example.com:2022 aussehen.',
  'base-address.slashes': 'In der Adresse stehen zwei Schrägstriche hintereinander. Entferne einen.',

  'answer.unavailable': 'Dieser Dienst bietet das nicht an.',
  'answer.page':
    'Die Antwort des Dienstes konnte nicht gelesen werden: Sie ist eine Webseite. An dieser Adresse oder dazwischen ist etwas anderes.',
  'answer.no-stream': 'Die Antwort des Dienstes konnte nicht gelesen werden: Sie ist kein Datenstrom.',
  'answer.no-list': 'Die Antwort des Dienstes konnte nicht gelesen werden: Die Liste „items“ fehlt.',
  'answer.field':
    'Die Antwort des Dienstes konnte nicht gelesen werden: Das Feld „{field}“ fehlt oder hat einen anderen Typ.',
  'answer.cut': 'Die Antwort des Dienstes ist unvollständig: Sie bricht mittendrin ab.',
  'answer.no-json': 'Die Antwort des Dienstes konnte nicht gelesen werden: Sie ist kein gültiges JSON.',
  'answer.not-done': 'Die Antwort spricht von einem Fehler, obwohl ihr Status Erfolg meldet.',
  'answer.not-accepted': 'Der Dienst hat das nicht angenommen.',
  'answer.not-accepted-unsaid': 'Der Dienst hat das nicht angenommen und keinen Grund genannt.',
  'answer.too-long': 'Der Dienst hat eine Antwort von mehr als {most:bytes} gesendet.',
  'answer.unreadable-size': 'Die Antwort des Dienstes ist zu groß zum Lesen.',
  'answer.event-too-long': 'Der Dienst hat ein Ereignis von mehr als {most:bytes} gesendet.',
  'answer.credentials': 'Der Dienst hat diese Anmeldedaten nicht angenommen.',
  'answer.signed-out': 'Der Dienst nimmt diese Anmeldung nicht mehr an. Melde dich neu an.',
  'answer.forbidden': 'Dieses Konto darf das nicht.',
  'answer.gone': 'Das wurde nicht gefunden.',
  'answer.not-there-now':
    'Der Dienst meldet, dass es unter dieser Adresse nichts gibt, obwohl er dort eben noch geantwortet hat. Versuche es gleich noch einmal.',
  'answer.invalid': 'Der Dienst hat diese Eingabe nicht angenommen.',
  'answer.too-large': 'Das ist größer, als der Dienst erlaubt.',
  'answer.conflict': 'Im aktuellen Zustand ist das nicht möglich.',
  'answer.changed': 'Es wurde inzwischen anderswo geändert. Lade es neu.',
  'answer.slow-down': 'Der Dienst hat zu viele Anfragen erhalten.',
  'answer.no-room': 'Der Dienst hat dafür keinen Speicherplatz mehr.',
  'answer.failed': 'Beim Dienst ist ein Fehler aufgetreten (Status {status}).',
  'answer.status': 'Der Dienst hat mit Status {status} geantwortet.',
  'answer.redirects-change':
    'Der Dienst leitet eine Anfrage um, die etwas ändert; dem folgt das Programm nicht.',
  'answer.redirects-nowhere':
    'Der Dienst leitet zu einer ungültigen Adresse um; dem folgt das Programm nicht.',
  'answer.redirects-away':
    'Der Dienst leitet zu {where} um. Das Token ist nur für {host} bestimmt, darum folgt das Programm dem nicht.',
  'answer.redirects-in-circle': 'Der Dienst leitet im Kreis um.',
  'answer.sent-nowhere': 'Der Dienst nennt zum Fortsetzen eine ungültige Adresse.',
  'answer.sent-away':
    'Der Dienst nennt zum Fortsetzen {where}. Das Token ist nur für {base} bestimmt, darum folgt das Programm dem nicht.',
  'answer.ended-early': 'Der Dienst hat seine Antwort zu früh beendet.',

  'servers.not-known':
    'Der Dienst scheint keinen Server mit der ID „{id}“ zu kennen. Prüfe die ID oder füge ihn trotzdem hinzu.',
  'rail.changed': 'Ein anderes Fenster hat die Serverliste gerade umsortiert. Versuche es noch einmal.',
  'servers.too-many-added':
    'Zu dieser Verbindung wurden {most} Server hinzugefügt, mehr geht nicht. Entferne zuerst einen.',

  'account.sign-in-first': 'Melde dich zuerst bei diesem Dienst an.',
  'account.signed-out': 'Diese Verbindung wurde abgemeldet.',
  'power-line.changed':
    'Dieser Befehl wurde inzwischen geändert, darum lief nichts. Sieh ihn dir noch einmal an.',
  'account.no-sign-out': 'Auf diesem Computer gibt es kein Konto, von dem du dich abmelden könntest.',
  'account.gone': 'Diese Verbindung gibt es nicht mehr.',
  'account.token-form':
    'Ein Zugangstoken ist ein einziges Wort aus Buchstaben, Ziffern und Symbolen. Kopiere es noch einmal, ohne Zeilenumbrüche.',
  'account.sftp-refused':
    'Der Hoster nimmt diesen Benutzer und dieses Passwort oder diesen Schlüssel nicht an. Sieh im Panel deines Hosters nach.',
  'account.token-refused':
    'Der Dienst nimmt dieses Zugangstoken nicht an. Es ist vielleicht abgelaufen oder gehört zu einem anderen Dienst.',
  'activity.no-export':
    'Die Aktivität, die der Dienst gesendet hat, lässt sich nicht lesen; gespeichert wurde nichts. Versuche es noch einmal.',
  'activity.too-large': 'Die Aktivität ist größer, als sich hier speichern lässt.',
  'account.no-export':
    'Der Dienst hat mit etwas geantwortet, das keine Angaben zu einem Konto enthält. Es wurde keine Datei gespeichert.',
  'account.token-useless':
    'Der Dienst hat die Anmeldung angenommen und ein Token gegeben, das er selbst nicht gelten lässt. Sag dem Betreiber Bescheid.',
  'account.no-service':
    'Diese Adresse antwortet, bietet aber weder Konten noch Server an. Prüfe die Adresse, oder schreibe ein API-Profil für sie.',

  'local.not-running': 'Der Dienst auf diesem Computer läuft noch nicht.',
  'local.restarted': 'Der Dienst auf diesem Computer wurde neu gestartet.',
  'local.stopped': 'Der Dienst auf diesem Computer wurde gestoppt.',
  'local.too-slow': 'Der Dienst auf diesem Computer ist nach {seconds} Sekunden noch nicht gestartet.',
  'local.killed': 'Der Dienst auf diesem Computer wurde von außen beendet.',
  'local.ended': 'Der Dienst auf diesem Computer endete mit Code {code}.',
  'local.ended-saying': 'Der Dienst auf diesem Computer endete mit Code {code}: {words}',

  'local.data-damaged':
    'Die Datenbank des Dienstes, {file}, lässt sich nicht verwenden. Sie enthält die Konten und die Liste der Server; die Dateien deiner Server sind nicht betroffen. Es gibt eine Kopie vom {when}: Stelle sie wieder her, oder lege eine eigene Sicherung an ihre Stelle. Was nach der Kopie geändert wurde, fehlt dann.',
  'local.restored':
    'Der Dienst auf diesem Computer verwendet die Kopie seiner Datenbank vom {when}. Was danach geändert wurde, fehlt in der Liste der Server; Dateien von Servern wurden nicht geändert.',
  'local.older-runs':
    'Deine Server laufen im Hintergrund mit Version {theirs} von Wheelhouse; diese hier ist {ours}. Sie laufen unverändert weiter. Stoppe sie, beende dann Wheelhouse und öffne es wieder: Version {ours} übernimmt sie.',
  'local.newer-runs':
    'Deine Server laufen im Hintergrund mit der neueren Version {theirs} von Wheelhouse; diese hier ist {ours}. Sie laufen weiter, und was dort neu ist, wird vielleicht nicht angezeigt. Öffne oder installiere stattdessen die neuere Version.',
  'local.orphans':
    'Einige Ordner in {folder} gehören zu keinem Server: {names}. Nichts wurde gelöscht. Um einen zu verwenden, erstelle einen Server und lade die Dateien dorthin hoch.',
  'local.emptied':
    'Die Ordner dieser Server in {folder} fehlten und sind jetzt leer: {names}. Starte sie nicht, bevor du weißt, warum. Wurden die Ordner verschoben oder war ihr Datenträger nicht verbunden, beende das Programm, lege sie an die Stelle der leeren zurück und starte es neu.',

  'local.leftovers':
    'Einige Dateien gelöschter Server ließen sich nicht löschen. Sie liegen in diesen Ordnern von {folder}: {names}. Wahrscheinlich gehören sie einem anderen Benutzer dieses Computers. Lösche die Ordner selbst; bis dahin versucht der Dienst es bei jedem Start noch einmal.',

  'kept.cache-anew':
    '{file} ließ sich nicht lesen und wurde ersetzt. Melde dich neu an und wähle deine Einstellungen neu; nicht gespeicherte Texte fehlen. Server und ihre Dateien sind nicht betroffen. Die alte Datei liegt jetzt in {aside}.',
  'kept.transfers-anew':
    '{file} ließ sich nicht lesen und wurde ersetzt. Übertragungen, die nicht fertig waren, stehen nicht mehr in der Liste: Starte sie neu. Angekommene Dateien sind nicht betroffen. Die alte Datei liegt jetzt in {aside}.',
  'kept.damaged':
    'Das Programm kann {file} nicht mehr lesen. Beende es und starte es neu: Dann sagt es, was zu tun ist.',

  'keychain.not-installed':
    'Die Komponente für den Schlüsselbund des Systems ist nicht installiert. Anmeldungen gelten, bis das Programm endet. Installiere unter Linux libsecret und dann das Programm neu.',
  'keychain.no-bus':
    'In dieser Sitzung gibt es keinen Schlüsselbund: D-Bus fehlt. Anmeldungen gelten, bis das Programm endet. Starte es aus einer Desktop-Sitzung, damit sie bleiben.',
  'keychain.no-keyring':
    'Das System hat keinen Schlüsselbund für Anmeldungen. Sie gelten, bis das Programm endet. Lege einen an, etwa mit „Passwörter und Schlüssel“, und melde dich neu an.',
  'keychain.unusable':
    'Der Schlüsselbund des Systems kann nicht verwendet werden. Anmeldungen gelten, bis das Programm endet. Prüfe, ob ein Schlüsselbunddienst läuft.',
  'keychain.locked':
    'Der Schlüsselbund ist gesperrt oder antwortet nicht. Entsperre ihn und versuche es noch einmal; bis dahin gelten neue Anmeldungen, bis das Programm endet.',

  'profile.other-service': 'Dieses Profil ist für {theirs}, und diese Verbindung führt zu {ours}.',
  'profile.no-header': 'Das Profil nennt keinen Header „{name}“.',
  'profile.no-json': 'Das Profil ist kein gültiges JSON.',
  'profile.too-many-characters': 'Ein Profil kann bis zu {most} Zeichen lang sein.',
  'profile.too-long': 'Höchstens {most} Zeichen sind möglich.',
  'profile.path-begin': 'Beginne den Pfad mit genau einem „/“.',
  'profile.path-query': 'Lass „?“ und „#“ weg: Ein Pfad hat weder Abfrage noch Fragment.',
  'profile.path-signs': 'Lass Backslashes, Leerzeichen und „@“ weg.',
  'profile.path-empty-part': 'Lass „//“ weg: Kein Teil eines Pfads ist leer.',
  'profile.path-dots': 'Lass „.“ und „..“ als Teile des Pfads weg.',
  'profile.path-params': 'Der Pfad muss genau einmal enthalten, und sonst keine: {names}.',
  'profile.path-no-params': 'Dieser Pfad hat keine Parameter. Lass Namen weg, die mit „:“ beginnen.',
  'profile.place': 'Gib einen Namen ein, oder bis zu sechs mit Punkten dazwischen.',
  'profile.plain-name': 'Möglich sind nur Buchstaben, Ziffern, „_“, „.“ und „-“.',
  'profile.place-space': 'Lass Leerzeichen weg.',
  'profile.place-of-all': 'So heißt etwas in jedem Objekt. Gib einen anderen Namen ein.',
  'profile.same-place': 'Dorthin geht schon „{name}“. Gib einen anderen Ort ein.',
  'profile.too-many-names': 'Höchstens {most} Felder sind möglich.',
  'profile.header-name': 'Das ist kein Name eines Headers.',
  'profile.header-taken': 'Dieser Header hat in HTTP eine eigene Bedeutung. Nimm einen anderen.',
  'profile.header-is-token': 'Das ist der Header des Tokens.',
  'profile.header-twice': 'Dieser Header ist zweimal genannt.',
  'profile.too-many-headers': 'Höchstens {most} Header sind möglich.',
  'profile.scheme': 'Gib ein Wort aus Buchstaben, Ziffern und Bindestrichen ein.',
  'profile.no-operation': 'Es gibt keine Operation „{id}“.',
  'profile.no-list': 'Diese Operation antwortet nicht mit einer Liste.',
  'profile.no-value': 'Diese Operation antwortet nicht mit einem einzelnen Wert.',
  'profile.no-answer-field': 'Die Antwort dieser Operation hat kein Feld „{name}“.',
  'profile.no-request-field': 'Diese Operation sendet kein Feld „{name}“.',
  'profile.unknown-field': 'Hier kennt ein Profil den Namen {names} nicht.',
  'profile.wrong-kind': 'Hier wird ein Wert anderer Art erwartet.',
  'profile.method': 'Möglich sind GET, POST, PUT, PATCH und DELETE.',
  'profile.twice': 'Für {address} gibt es ein anderes Profil; dieses wird nicht verwendet.',
  'profile.no-folder': 'Der Ordner der Profile ist nicht lesbar.',
  'profile.no-file': 'Diese Datei ist nicht lesbar.',
  'profile.header-value':
    'Ein Header enthält eine Zeile aus Buchstaben, Ziffern und Zeichen, höchstens 4.000 davon.',

  'settings-transfer.not-ours': 'Das ist keine Datei mit Einstellungen von Wheelhouse.',
  'settings-transfer.newer':
    'Diese Datei stammt von einer neueren Version von Wheelhouse. Aktualisiere Wheelhouse zuerst auf diesem Computer.',
  'settings-transfer.too-many':
    'Du hast mehr Verbindungen, als in eine Datei passen: etwa {most}. Melde dich bei denen ab, die du nicht brauchst.',
  'settings-transfer.damaged':
    'Diese Datei ist beschädigt und lässt sich nicht verwenden. Speichere sie auf dem anderen Computer neu.',
  'diagnostics.gone':
    'Diese Diagnose wurde vor zu langer Zeit angezeigt und lässt sich nicht mehr speichern. Stelle sie neu zusammen.',

  'panel.closing': 'Das Programm wird beendet.',
  'panel.failed': 'Im Programm ist etwas schiefgegangen.',
  'panel.unknown-call': 'Das Programm kennt keinen Aufruf namens {name}.',
  'panel.not-from-page': 'Hier darf nur das Programm selbst anfragen.',
  'panel.unnamed-call': 'Ein Aufruf braucht einen Namen.',
  'panel.unreadable-input': 'Diese Eingabe kann nicht verwendet werden.',
  'panel.bad-value': '„{value}“ kann nicht als Name verwendet werden.',
  'panel.leaves-service': 'Die Anfrage würde die Adresse ihres Dienstes verlassen.',
  'panel.silent':
    'Das Programm auf diesem Computer antwortet nicht. Diese Seite versucht es weiter; starte das Programm neu, wenn es beendet wurde.',

  'file.search-empty': 'Gib ein, was gesucht werden soll: ein Name, ein Text oder beides.',
  'file.deleted': 'Die Datei wurde inzwischen gelöscht. Sie wird nicht von selbst neu erstellt.',
  'file.changed': 'Die Datei wurde inzwischen geändert. Vergleiche beide, bevor du speicherst.',
  'file.name-taken': 'Eine Datei mit diesem Namen ist schon vorhanden.',
  'file.too-large': 'Der Editor speichert Texte bis {most:bytes}. Lade die Datei stattdessen hoch.',
  'file.no-icon':
    'Das ist kein Bild mit 64×64 Pixeln und kann deshalb nicht das Symbol des Servers sein. Wähle ein anderes Bild.',
  'file.half-character':
    'Dieser Text enthält ein unvollständiges Zeichen, das sich nicht in einer Datei speichern lässt. Entferne es.',
  'file.broke-off': 'Der Dienst hat mitten in der Datei aufgehört.',
  'file.former-no-text': 'Diese frühere Fassung ist kein Text und lässt sich hier nicht anzeigen.',
  'file.former-gone': 'Diese frühere Fassung wird nicht mehr aufbewahrt.',
  'file.no-trash': 'Dieser Dienst hat keinen Papierkorb, darum wurde nichts gelöscht.',
  'file.not-proven':
    'Der Dienst hat es angenommen, aber nichts sagt oder zeigt, dass er es hat. Was hier liegt, bleibt bis dahin.',
  'file.unconfirmed':
    'Der Dienst hat den Auftrag angenommen, sagt aber nicht, was daraus wurde. Sieh nach, was jetzt da ist.',

  'here.full':
    'Der Datenträger dieses Computers ist voll, darum konnte „{name}“ nicht gespeichert werden. Schaffe Platz und versuche es noch einmal.',
  'here.gone': '„{name}“ ist nicht mehr auf diesem Computer. Wähle es neu aus.',
  'here.forbidden':
    'Dieser Computer verweigert dem Programm den Zugriff auf „{name}“. Ändere die Rechte und versuche es noch einmal.',
  'here.held': 'Ein anderes Programm verwendet „{name}“. Schließe es dort und versuche es noch einmal.',
  'here.folder-now': '„{name}“ ist jetzt ein Ordner. Wähle ihn neu aus.',
  'here.unusable': 'Dieser Computer kann „{name}“ nicht verwenden ({code}).',
  'here.unreadable': '„{name}“ lässt sich nicht lesen ({code}).',
  'here.kept-changing':
    '„{name}“ hat sich beim Senden immer wieder geändert. Schließe das Programm, das hineinschreibt, und versuche es noch einmal.',
  'here.no-room-to-wait':
    '„{name}“ muss auf diesem Computer warten, bis es gesendet ist, weil der Dienst es nicht in Teilen annimmt. Das braucht {needed:bytes}, frei sind {free:bytes}. Schaffe Platz und versuche es noch einmal.',
  'here.no-room-for-upload':
    'Das braucht auf diesem Computer {needed:bytes}, bis es gesendet ist; frei sind {free:bytes}. Schaffe Platz, oder nimm die App statt des Browsers: Sie sendet von dort, wo die Dateien liegen.',

  'name.here-path':
    '„{name}“ kann auf diesem Computer nicht als Name verwendet werden: Er würde an einen anderen Ort führen. Benenne es auf dem Server um und lade es noch einmal herunter.',
  'name.here-length':
    '„{name}“ kann auf diesem Computer nicht als Name verwendet werden: Er ist zu lang. Benenne es auf dem Server um und lade es noch einmal herunter.',
  'name.here-characters':
    '„{name}“ kann auf diesem Computer nicht als Name verwendet werden: Er enthält Zeichen, die hier in Namen nicht erlaubt sind. Benenne es auf dem Server um und lade es noch einmal herunter.',
  'name.here-ending':
    '„{name}“ kann auf diesem Computer nicht als Name verwendet werden: Windows erlaubt am Ende weder Punkt noch Leerzeichen. Benenne es auf dem Server um und lade es noch einmal herunter.',
  'name.here-reserved':
    '„{name}“ kann auf diesem Computer nicht als Name verwendet werden: Windows reserviert ihn für ein Gerät. Benenne es auf dem Server um und lade es noch einmal herunter.',
  'name.here-alike':
    '„{name}“ kann auf diesem Computer nicht als Name verwendet werden: Ein anderer Name im selben Ordner unterscheidet sich nur in Großbuchstaben oder Akzenten, und der Datenträger hält beide für denselben. Benenne es auf dem Server um und lade es noch einmal herunter.',
  'name.there-path':
    '„{name}“ kann auf dem anderen Server nicht als Name verwendet werden: Er würde an einen anderen Ort führen. Benenne es auf seinem Server um und kopiere es noch einmal.',
  'name.there-alike':
    '„{name}“ kann auf dem anderen Server nicht als Name verwendet werden: Ein anderer Name im selben Ordner unterscheidet sich nur in Großbuchstaben oder Akzenten, und der Datenträger hält beide für denselben. Benenne es auf seinem Server um und kopiere es noch einmal.',
  'name.nowhere': '„{name}“ kann anderswo nicht als Name verwendet werden.',

  'page.gone':
    'Das Fenster, aus dem diese Datei kam, wurde geschlossen oder neu geladen. Zieh sie noch einmal herein.',
  'page.panel-closed':
    'Das Programm wurde beendet, bevor diese Datei von der Seite angekommen war. Zieh sie noch einmal herein.',
  'page.closed':
    'Die Seite wurde geschlossen, bevor diese Datei angekommen war. Zieh sie noch einmal herein, und lass die Seite offen, bis sie gesendet ist.',
  'page.unreadable':
    'Der Browser kann diese Datei nicht mehr lesen: Sie wurde verschoben, geändert oder gelöscht. Zieh sie noch einmal herein.',
  'page.differs': '„{name}“ hat sich geändert, seit es hereingezogen wurde. Zieh es noch einmal herein.',
  'page.not-awaited': 'Das Programm erwartet diese Datei nicht.',
  'page.being-sent': 'Diese Datei wird schon gesendet.',
  'page.unusable': 'Das lässt sich nicht hochladen.',
  'page.too-many':
    'Zu viele Uploads werden gleichzeitig vorbereitet. Versuche es noch einmal, wenn einige davon fertig sind.',
  'page.no-answer':
    'Das Programm auf diesem Computer antwortet nicht, darum wurde nichts eingereiht. Versuche es noch einmal, wenn es wieder antwortet.',
  'page.not-of-here': 'Nur Dateien auf diesem Computer können hochgeladen werden.',

  'job.not-shown':
    'Der Dienst hat es nicht aufgelistet, und seine Liste ist vielleicht nicht vollständig. Sieh nach, was da ist, bevor du es neu startest.',
  'job.lost': 'Der Dienst weiß nichts mehr davon. Sieh nach, was da ist, und starte es bei Bedarf neu.',

  'send.nothing': 'In der Auswahl ist nichts, was sich hochladen lässt.',
  'send.too-many': 'Das sind mehr als {most} Dateien und Ordner. Lade sie in mehreren Teilen hoch.',
  'send.over': 'Diese Übertragung ist beendet oder existiert nicht mehr.',
  'send.damaged':
    'Die Prüfsumme der angekommenen Datei ist falsch, deshalb wurde die Datei verworfen. Versuche es erneut.',
  'send.backup-gone': 'Dieses Backup gibt es nicht mehr oder noch nicht. Lade die Liste neu.',
  'send.source-gone': '„{name}“ existiert nicht mehr.',
  'send.from-gone': 'Die Verbindung, von der das kopiert wird, gibt es nicht mehr.',
  'send.endless': 'Die Liste des Dienstes von „{name}“ nimmt kein Ende.',
  'send.partial':
    'In „{name}“ kann mehr sein, als der Dienst aufgelistet hat: Er teilt die Liste so auf, dass das Programm ihr nicht folgen kann. Prüfe, was fehlt.',
  'send.unread':
    'Der Dienst hat in „{name}“ Einträge aufgelistet, die nicht gelesen werden konnten ({count}). Prüfe, was fehlt.',
  'send.too-large': '„{name}“ ist {size:bytes} groß. Dieser Dienst nimmt Dateien bis {most:bytes} an.',
  'send.may-not-read':
    'Dieses Konto darf die Dateien von „{server}“ nicht lesen. Bitte den Besitzer um die Berechtigung.',
  'send.may-not-change':
    'Dieses Konto darf die Dateien von „{server}“ nicht ändern. Bitte den Besitzer um die Berechtigung.',
  'send.quota':
    'Das braucht {needed:bytes}, und vom Kontingent des Servers sind noch {left:bytes} übrig. Lösche dort etwas und versuche es noch einmal.',
  'send.disk-full':
    'Das braucht {needed:bytes}, und beim Dienst sind nur noch {free:bytes} frei. Schaffe dort Platz und versuche es noch einmal.',
  'send.begins-anew': 'Der Dienst kennt diese Übertragung nicht mehr, darum beginnt sie von vorn.',
  'send.no-offset': 'Der Dienst sagt nicht, wie viel er von der Datei hat.',
  'send.busy': 'Der Dienst ist noch mit dieser Übertragung beschäftigt.',
  'send.refused': 'Der Dienst hat diese Datei nicht angenommen.',
  'send.not-now': 'In seinem aktuellen Zustand konnte der Dienst diese Datei nicht annehmen.',
  'send.not-kept': 'Der Dienst konnte diese Datei nicht speichern.',
  'send.unanswered': 'Der Dienst hat nicht gesagt, was aus dieser Datei geworden ist.',

  'update.browser':
    'Wheelhouse ist in einem Browser geöffnet und aktualisiert sich hier nicht selbst. Aktualisiere es so, wie es installiert wurde.',
} as const
