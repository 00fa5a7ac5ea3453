/**
 * Was der eigene Dienst zu Software, Java, Erweiterungen, Modpacks und mitgebrachten Servern ablehnt, nach seinen Codes: Er
 * selbst sagt es auf Englisch. Am Ende stehen andere, auf die man dabei trifft: kein Platz, kein Port, zu viele Server.
 * Wo sein Satz mehr weiß als der Code, steht er als `{said}` dabei.
 */
export const refusals: Readonly<Record<`refused.${string}`, string>> = {
  'refused.modpacks.no-catalog':
    'Dieser Dienst fragt keine Kataloge nach Modpacks. Bitte den Betreiber, seine Kataloge einzuschalten.',
  'refused.modpacks.not-found':
    'Modrinth kennt dieses Modpack nicht oder bietet es nicht mehr an. Suche noch einmal danach.',
  'refused.modpacks.none':
    'Auf diesem Server ist kein Modpack installiert. Installiere eines, um zu sehen, was Spieler brauchen.',
  'refused.modpacks.nothing-wanted':
    'Dieser Server wartet auf kein Modpack. Sieh bei seinen Mods nach, was jetzt installiert ist, oder wähle ein Modpack.',
  'refused.modpacks.one-wish': 'Nötig ist entweder eine Version eines Modpacks oder eine .mrpack-Datei.',
  'refused.modpacks.broken':
    'Dieses Modpack lässt sich nicht lesen. Es wurde nichts geändert. Lade es noch einmal herunter, oder wähle eine andere Version. Der Dienst schreibt dazu: {said}',
  'refused.modpacks.unsafe':
    'Dieses Modpack ist nicht sicher und wird deshalb nicht installiert. Es wurde nichts geändert. Wähle ein anderes, und sag es dem Autor. Der Dienst schreibt dazu: {said}',
  'refused.modpacks.too-large':
    'Dieses Modpack ist zu groß. Es wurde nichts geändert. Wähle ein anderes. Der Dienst schreibt dazu: {said}',
  'refused.modpacks.software':
    'Dieser Dienst bietet die Software nicht an, die das Modpack braucht. Wähle eine andere Version des Modpacks. Der Dienst schreibt dazu: {said}',
  'refused.modpacks.needs-internet':
    'Dieses Modpack nennt Dateien, die aus dem Internet geladen werden, und dieser Dienst lädt keine. Bitte den Betreiber, seine Kataloge einzuschalten, oder wähle ein Modpack, das alle seine Dateien enthält.',
  'refused.modpacks.file-wrong':
    'Eine Datei ist nicht die, die das Modpack nennt: Ihre Prüfsumme ist anders. Es wurde nichts geändert. Versuche es später noch einmal, oder wähle eine andere Version. Der Dienst schreibt dazu: {said}',
  'refused.modpacks.not-installed':
    'Das Modpack ist auf diesem Server noch nicht installiert. Öffne seine Mods und wähle „Noch einmal versuchen“, oder lösche den Server.',
  'refused.modpacks.owners': 'Das kann nur der Besitzer des Servers. Bitte ihn darum.',
  'refused.modpacks.changed':
    'Gerade hat jemand Dateien geändert, die ersetzt oder entfernt würden. Es ist nichts geschehen, und diese Änderungen bleiben. Versuche es noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.imports.not-offered': 'Auf diesem Dienst lassen sich keine eigenen Server übernehmen.',
  'refused.imports.changed':
    'Diese Dateien wurden inzwischen noch einmal geprüft. Sieh dir an, was jetzt gefunden wurde, und erstelle dann den Server.',
  'refused.imports.no-jar':
    'Bei diesem Server war keine Jar-Datei, die sich ausführen lässt. Wähle stattdessen eine Software aus der Liste.',
  'refused.imports.archive': 'Sende das Archiv selbst, keinen Ordner, in dem es liegt.',
  'refused.imports.nothing-found':
    'In diesen Dateien wurde kein Minecraft-Server gefunden. Wähle den Ordner, in dem server.properties oder die Jar-Datei des Servers liegt, oder ein Archiv davon.',
  'refused.imports.too-many':
    'Du hast schon so viele Uploads in Arbeit, wie gleichzeitig möglich sind. Warte, bis einer davon fertig ist.',
  'refused.imports.not-found':
    'Was für diesen Server hochgeladen wurde, ist nicht mehr da: Es wurde gelöscht, oder ein Server wurde daraus erstellt. Beginne noch einmal.',
  'refused.imports.not-ready': 'Diese Dateien müssen zuerst geprüft werden.',
  'refused.imports.busy':
    'Mit diesen Dateien geschieht gerade schon etwas: Sie werden geprüft, installiert oder gelöscht. Warte, bis das fertig ist.',
  'refused.extensions.not-found':
    'Diese Erweiterung gibt es nicht oder nicht mehr. Lade die Liste neu, oder suche noch einmal danach.',
  'refused.extensions.no-catalog':
    'Dieser Dienst fragt keine Kataloge nach Erweiterungen. Jars kannst du weiterhin bei den Dateien des Servers hochladen.',
  'refused.extensions.not-supported':
    'Die Software dieses Servers lädt weder Plugins noch Mods. Erstelle einen Server mit Paper oder Fabric, um Erweiterungen zu nutzen.',
  'refused.extensions.busy':
    'Auf diesem Server werden gerade Erweiterungen installiert. Warte, bis das fertig ist, oder brich es ab, und versuche es dann noch einmal.',
  'refused.extensions.not-running': 'Auf diesem Server wird gerade nichts installiert.',
  'refused.extensions.name-taken':
    'Eine andere Datei hat hier schon diesen Namen. Benenne bei den Dateien des Servers eine der beiden um, oder entferne sie, und versuche es dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.extensions.nothing-to-undo':
    'Auf diesem Server gibt es keine Änderung, die sich rückgängig machen lässt.',
  'refused.extensions.nothing-new':
    'Es wurde nichts installiert: Alles davon ist in der gewählten Version schon auf dem Server.',
  'refused.extensions.too-many-wait':
    'Zu viele Änderungen warten auf den nächsten Start des Servers. Starte ihn neu, und mach dann diese.',
  'refused.extensions.changed-since':
    'Die letzte Änderung lässt sich nicht mehr rückgängig machen: Ihre Dateien wurden seitdem geändert, gelöscht oder aus dem Papierkorb entfernt. Installiere stattdessen die Versionen, die du möchtest.',
  'refused.extensions.cannot':
    'Es wurde nichts installiert, weil sich nicht alles davon für diesen Server herunterladen lässt. Wähle andere Versionen, oder lass es weg. Der Dienst schreibt dazu: {said}',
  'refused.extensions.not-a-jar':
    'Es wurde nichts installiert, weil eine heruntergeladene Datei keine lesbare Jar-Datei ist. Versuche es später noch einmal, oder wähle eine andere Version. Der Dienst schreibt dazu: {said}',
  'refused.extensions.canceled': 'Die Installation wurde abgebrochen. Es wurde nichts geändert.',
  'refused.extensions.too-many-files':
    'Hangar gibt immer nur über eine Datei Auskunft und konnte noch nicht nach allen gefragt werden. Versuche es in einer Minute noch einmal.',
  'refused.software.not-found': 'Diese Software wird hier nicht angeboten. Im Katalog steht, welche es gibt.',
  'refused.software.not-known':
    'Dieser Dienst bietet diese Software nicht an. Wähle eine aus seinem Katalog.',
  'refused.software.not-offered':
    'Die Software dieses Servers bietet der Dienst gerade nicht an. Das bestimmt, wer den Dienst betreibt, etwa mit --catalogs. Die Dateien des Servers sind unverändert.',
  'refused.software.version-not-known': 'Diese Version wird nicht angeboten. Wähle eine aus der Liste.',
  'refused.software.no-build': 'Für diese Version gibt es noch keinen Build. Wähle eine andere Version.',
  'refused.software.build-not-known':
    'Diesen Build gibt es für diese Version nicht. Wähle einen aus der Liste.',
  'refused.software.no-server':
    'Für diese Version bietet Mojang keinen Server an: Sie ist zu alt. Wähle 1.2.5 oder eine spätere Version.',
  'refused.software.license':
    'Um diese Software zu nutzen, musst du zuerst ihrer Lizenz zustimmen. Der Dienst schreibt dazu: {said}',
  'refused.software.license-other':
    'Das ist nicht die Lizenz der Software dieses Servers. Lade neu, und lies sie dann noch einmal.',
  'refused.software.owners-license':
    'Der Lizenz dieser Software kann nur der Besitzer des Servers zustimmen. Bitte ihn, die Software zu wechseln.',
  'refused.software.owners-copy':
    'Der Besitzer dieses Servers hat ihn zurückgesetzt. Solange die Kopie von vorher aufgehoben wird, kann nur er zu ihr zurück oder die Software wechseln.',
  'refused.software.same': 'Der Server läuft schon mit dieser Software in dieser Version.',
  'refused.software.no-copy': 'Von diesem Server gibt es keine Kopie, zu der es zurückgehen könnte.',
  'refused.software.no-room':
    'Zuerst wird eine Kopie des Servers gemacht, und dafür hat der Datenträger des Dienstes zu wenig Platz. Schaffe dort Platz, und versuche es dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.unsettled':
    'Eine Änderung dieses Servers konnte nicht abgeschlossen werden, und bis dahin geschieht nichts mit ihm. Prüfe den Datenträger des Dienstes und sein Protokoll, und versuche es dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.no-safe-start':
    'Diese Software lässt sich nicht ohne Datenpakete starten. Starte sie wie sonst.',
  'refused.software.proxy':
    'Das ist ein Proxy: Er hat keine Welt, keine Operatoren, keine Whitelist und keine Sperren. Mach das bei den Servern dahinter.',
  'refused.software.memory':
    'Diese Grenze ist größer als der Arbeitsspeicher, den Server hier haben können. Setze eine niedrigere, und lass dem System und anderen Servern etwas übrig. Der Dienst schreibt dazu: {said}',
  'refused.software.arguments':
    'Diese Argumente für Java lassen sich nicht verwenden. Ändere oder entferne, was genannt ist. Der Dienst schreibt dazu: {said}',
  'refused.software.folder-name':
    'Diese Software läuft nicht in einem Ordner, dessen Pfad ! oder + enthält. Verschiebe den Datenordner des Dienstes an einen Pfad ohne diese Zeichen, und starte den Server dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.settings-damaged':
    'Eine Datei dieses Servers lässt sich nicht lesen, deshalb kann sein Start nicht vorbereitet werden. Repariere oder lösche sie, und versuche es dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.jar-missing':
    'Die Jar-Datei dieses Servers fehlt, oder es ist nicht mehr bekannt, welche es war. Der Dienst schreibt dazu: {said}',
  'refused.software.jar-broken':
    'Die Jar-Datei dieses Servers lässt sich nicht ausführen. Lade sie noch einmal hoch, und starte den Server dann. Der Dienst schreibt dazu: {said}',
  'refused.software.jar-not-runnable':
    'Diese Jar-Datei sagt nicht, was zu starten ist; vielleicht ist sie ein Plugin oder eine Mod. Lade unter ihrem Namen stattdessen die Jar-Datei eines Servers hoch. Der Dienst schreibt dazu: {said}',
  'refused.software.catalogue-slow':
    'Der Katalog braucht gerade zu lange für eine Antwort. Versuche es gleich noch einmal.',
  'refused.software.catalogue-unreachable':
    'Der Katalog ist gerade nicht erreichbar. Prüfe die Internetverbindung des Dienstes, und versuche es dann noch einmal.',
  'refused.software.catalogue-proxy-name':
    'Der Katalog ist nicht erreichbar: Der Proxy des Netzwerks verlangt Namen und Passwort. Setze HTTPS_PROXY auf seine Adresse mit beidem, und starte den Dienst neu.',
  'refused.software.catalogue-proxy':
    'Der Katalog ist nicht erreichbar: Der Proxy des Netzwerks lässt den Dienst nicht zu ihm durch. Frage, wer das Netzwerk betreibt.',
  'refused.software.catalogue-proxy-kind':
    'Der Katalog ist nicht erreichbar: Der Proxy des Netzwerks ist von einer Art, die Wheelhouse nicht verwenden kann. HTTP-, HTTPS- und SOCKS-Proxys funktionieren.',
  'refused.software.catalogue-busy':
    'Der Katalog nimmt im Moment keine weiteren Anfragen an. Versuche es später noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.catalogue-unreadable':
    'Die Antwort des Katalogs war nicht lesbar. Versuche es später noch einmal; wenn das so bleibt, aktualisiere Wheelhouse.',
  'refused.software.catalogue-missing':
    'Im Katalog fehlt etwas, das dort sein sollte. Versuche es später noch einmal; wenn das so bleibt, aktualisiere Wheelhouse.',
  'refused.software.download-failed':
    'Eine Datei konnte nicht heruntergeladen werden. Versuche es noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.download-wrong':
    'Eine heruntergeladene Datei ist nicht die, die der Katalog nennt: Größe oder Prüfsumme waren zweimal anders. Sie wurde gelöscht, und es wurde nichts geändert. Versuche es später noch einmal, oder wähle eine andere Version. Der Dienst schreibt dazu: {said}',
  'refused.software.download-too-large':
    'Eine Datei ist größer, als dieser Dienst herunterlädt. Wähle eine andere Version. Der Dienst schreibt dazu: {said}',
  'refused.software.download-unreadable':
    'Eine aufgehobene heruntergeladene Datei lässt sich nicht lesen. Prüfe den Datenträger des Dienstes, und versuche es dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.disk-full':
    'Auf dem Datenträger des Dienstes ist zu wenig Platz für diesen Download. Schaffe dort Platz, und versuche es dann noch einmal. Der Dienst schreibt dazu: {said}',
  'refused.software.java-not-built':
    'Adoptium bietet dieses Java für den Computer des Dienstes nicht an. Installiere es dort selbst, oder wähle eine andere Version des Servers. Der Dienst schreibt dazu: {said}',
  'refused.software.java-catalogue':
    'Nach Java konnte im Katalog nicht gesucht werden. Versuche es später noch einmal, oder installiere Java selbst. Der Dienst schreibt dazu: {said}',
  'refused.software.java-too-old':
    'Das Java, das für diesen Server gewählt ist, ist zu alt für ihn. Wähle in seinen Einstellungen ein anderes. Der Dienst schreibt dazu: {said}',
  'refused.software.installer-not-started':
    'Der Installer ließ sich nicht starten. Versuche es noch einmal; wenn das so bleibt, wähle für diesen Server ein anderes Java. Der Dienst schreibt dazu: {said}',
  'refused.software.installer-slow':
    'Der Installer brauchte zu lange und wurde beendet. Versuche es später noch einmal.',
  'refused.software.installer-failed':
    'Der Installer ist fehlgeschlagen. Die Konsole zeigt, was er geschrieben hat. Er braucht eine Internetverbindung: Versuche es später noch einmal, oder wähle eine andere Version. Der Dienst schreibt dazu: {said}',
  'refused.software.installer-left-too-much':
    'Der Installer hat mehr Dateien hinterlassen, als irgendein Server hat. Versuche eine andere Version.',
  'refused.software.installer-left-nothing':
    'Der Installer hat keinen Server hinterlassen. Versuche eine andere Version.',
  'refused.software.download-other':
    'Was heruntergeladen wurde, ist nicht diese Software in dieser Version. Versuche es später noch einmal.',
  'refused.software.unexpected':
    'Etwas Unerwartetes ist geschehen. Die Konsole des Servers sagt mehr. Sieh dort nach, und versuche es dann noch einmal.',
  'refused.software.java-broken':
    'Java wurde heruntergeladen, ließ sich aber nicht installieren. Versuche es später noch einmal, oder installiere Java selbst. Der Dienst schreibt dazu: {said}',
  'refused.service.disk-full':
    'Der Dienst konnte nicht auf seinen Datenträger schreiben: Wahrscheinlich ist er voll. Schaffe dort Platz, und versuche es dann noch einmal.',
  'refused.service.data-busy':
    'Die Datenbank des Dienstes (service.db) ist von einem anderen Programm gesperrt, etwa einer Datensicherung oder einem Betrachter für Datenbanken. Schließe es, oder warte, bis es fertig ist, und versuche es dann noch einmal.',
  'refused.files.disk-full':
    'Auf dem Datenträger des Dienstes ist dafür zu wenig Platz. Schaffe dort Platz, und versuche es dann noch einmal.',
  'refused.files.denied':
    'Das System lässt den Dienst nicht an eine Datei. Vielleicht benutzt sie ein anderes Programm. Der Dienst schreibt dazu: {said}',
  'refused.files.is-folder':
    'Das ist ein Ordner; gebraucht wird hier eine Datei. Der Dienst schreibt dazu: {said}',
  'refused.files.not-folder': 'Das ist kein Ordner. Der Dienst schreibt dazu: {said}',
  'refused.files.quota':
    'Dafür reicht der Speicherplatz des Servers nicht; Papierkorb und unfertige Uploads zählen mit. Lösche etwas, oder leere den Papierkorb. Der Dienst schreibt dazu: {said}',
  'refused.server.no-port': 'Es ist kein Port mehr frei. Lösche einen Server, den niemand mehr braucht.',
  'refused.server.port-taken':
    'Der Port dieses Servers lässt sich nicht verwenden. Stoppe, was ihn belegt, oder wähle einen anderen. Der Dienst schreibt dazu: {said}',
  'refused.server.memory-limit':
    'So viel Arbeitsspeicher dürfen die Server dieses Kontos zusammen nicht haben. Wähle weniger, oder gib einem anderen Server weniger. Der Dienst schreibt dazu: {said}',
  'refused.server.too-many':
    'Dieses Konto hat schon so viele Server, wie es haben darf. Lösche zuerst einen. Der Dienst schreibt dazu: {said}',
  'refused.server.folder-missing':
    'Der Ordner dieses Servers fehlt: Er wurde verschoben oder gelöscht, oder er liegt auf einem Datenträger, der nicht angeschlossen ist. Bring ihn zurück, und versuche es dann noch einmal.',
  'refused.server.changed':
    'Der Server wurde geändert, während er kopiert wurde, deshalb gibt es keine Kopie. Dupliziere ihn noch einmal.',
}
