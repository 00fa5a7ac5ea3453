export const softwareRefusals = {
  'refused.software.not-found': 'Diese Software wird hier nicht angeboten. Im Katalog steht, welche es gibt.',
  'refused.software.not-known':
    'Dieser Dienst bietet diese Software nicht an. Wähle eine aus seinem Katalog.',
  'refused.software.not-offered':
    'Die Software dieses Servers, „{software}“, bietet der Dienst gerade nicht an. Das bestimmt, wer den Dienst betreibt, etwa mit --catalogs. Die Dateien des Servers sind unverändert.',
  'refused.software.version-not-known':
    'Diese Version von {software} wird nicht angeboten. Wähle eine aus der Liste.',
  'refused.software.no-build':
    'Von {software} gibt es für {version} noch keinen Build. Wähle eine andere Version.',
  'refused.software.build-not-known':
    'Für {software} {version} gibt es den Build {build} nicht. Wähle einen aus der Liste.',
  'refused.software.build-not-known.here':
    'Diesen Build gibt es für diese Version nicht. Wähle einen aus der Liste.',
  'refused.software.no-server':
    'Für {version} bietet Mojang keinen Server an: Die Version ist zu alt. Wähle 1.2.5 oder eine spätere.',
  'refused.software.license':
    'Um diese Software zu nutzen, musst du zuerst ihrer Lizenz zustimmen ({license}): {url}',
  'refused.software.license-other':
    'Das ist nicht die Lizenz der Software dieses Servers. Lade neu, und lies sie dann noch einmal.',
  'refused.software.owners-license':
    'Der Lizenz dieser Software kann nur der Besitzer des Servers zustimmen. Bitte ihn, die Software zu wechseln.',
  'refused.software.owners-copy':
    'Der Besitzer dieses Servers hat ihn zurückgesetzt. Solange die Kopie von vorher aufgehoben wird, kann nur er zu ihr zurück oder die Software wechseln.',
  'refused.software.same': 'Der Server läuft schon mit dieser Software in dieser Version.',
  'refused.software.no-copy': 'Von diesem Server gibt es keine Kopie, zu der es zurückgehen könnte.',
  'refused.software.no-room':
    'Zuerst wird eine Kopie des Servers erstellt. Sie braucht {needed:bytes}, und auf dem Datenträger des Dienstes sind dafür {free:bytes} übrig. Schaffe dort Platz, und versuche es dann noch einmal.',
  'refused.software.unsettled':
    'Eine frühere Änderung dieses Servers konnte nicht abgeschlossen werden, und bis dahin geschieht nichts mit ihm. Prüfe Datenträger und Log des Dienstes, und versuche es dann noch einmal.',
  'refused.software.unsettled.now':
    'Die Änderung dieses Servers konnte nicht abgeschlossen werden, und bis dahin geschieht nichts mit ihm. Prüfe Datenträger und Log des Dienstes, und versuche es dann noch einmal.',
  'refused.software.no-safe-start':
    'Diese Software lässt sich nicht ohne Datenpakete starten. Starte sie wie sonst.',
  'refused.software.proxy':
    'Das ist ein Proxy: Er hat keine Welt, keine Operatoren, keine Whitelist und keine Sperren. Mach das bei den Servern dahinter.',
  'refused.software.memory':
    'Die Grenze von {limit} MiB ist größer als der Arbeitsspeicher dieses Computers, der {there} MiB hat. Setze eine niedrigere, und lass dem System und anderen Servern etwas übrig.',
  'refused.software.arguments.zgc':
    'Die Argumente für ZGC brauchen Java {since} oder neuer, und dieser Server läuft mit Java {major}. Wähle andere.',
  'refused.software.arguments.too-many':
    'Das sind {count} Argumente, und höchstens {most} sind möglich. Entferne einige.',
  'refused.software.arguments.too-long':
    'Das Argument „{argument}“ ist nicht möglich: Es hat mehr als {most} Zeichen.',
  'refused.software.arguments.heap':
    'Das Argument „{argument}“ ist nicht möglich: Die Größe des Heaps folgt aus der Grenze für den Arbeitsspeicher. Ändere stattdessen die Grenze des Servers.',
  'refused.software.arguments.file':
    'Das Argument „{argument}“ ist nicht möglich: Dateien mit Argumenten werden nicht gelesen. Gib die Argumente selbst ein.',
  'refused.software.arguments.code':
    'Das Argument „{argument}“ ist nicht möglich: Es würde Code in den Server laden. Entferne es.',
  'refused.software.arguments.what-runs':
    'Das Argument „{argument}“ ist nicht möglich: Was der Server ausführt, wird hier nicht geändert. Entferne es.',
  'refused.software.arguments.program':
    'Das Argument „{argument}“ ist nicht möglich: Es würde ein Programm ausführen. Entferne es.',
  'refused.software.arguments.unknown':
    'Das Argument „{argument}“ ist nicht möglich: Es gehört nicht zu denen, die als sicher bekannt sind. Entferne es.',
  'refused.software.arguments.collectors':
    '„{first}“ und „{second}“ schließen sich gegenseitig aus. Behalte eines davon.',
  'refused.software.arguments.set':
    'Das Argument „{argument}“ verträgt sich nicht mit der gewählten Vorlage, die ihre eigene Speicherbereinigung mitbringt. Entferne es, oder wähle die Vorlage „Javas eigene“.',
  'refused.software.folder-name':
    'Diese Software läuft nicht in einem Ordner, dessen Pfad ! oder + enthält, und der des Servers ist {folder}. Verschiebe den Datenordner an einen Pfad ohne diese Zeichen, und starte den Server dann noch einmal.',
  'refused.software.settings-damaged':
    '{file} dieses Servers lässt sich nicht lesen, deshalb kann sein Start nicht vorbereitet werden. Repariere oder lösche die Datei, und versuche es dann noch einmal.',
  'refused.software.jar-missing':
    '{jar}, die Jar-Datei dieses Servers, ist nicht in seinem Ordner. Lade sie unter diesem Namen dorthin hoch, und starte den Server dann noch einmal.',
  'refused.software.jar-missing.unknown':
    'Es ist nicht mehr bekannt, welche Jar-Datei dieser Server ausführt. Wähle eine andere Software für ihn, oder übernimm ihn noch einmal aus einer Kopie seiner Dateien.',
  'refused.software.jar-broken':
    '{jar} lässt sich nicht ausführen: Die Datei ist beschädigt oder keine Jar-Datei. Ersetze sie durch eine unbeschädigte.',
  'refused.software.jar-broken.no-file':
    '{jar}, die Jar-Datei dieses Servers, ist ein Ordner oder ein Link. Lege die Jar-Datei selbst dorthin, und starte den Server dann noch einmal.',
  'refused.software.jar-not-runnable':
    '{jar} lässt sich nicht ausführen: Die Datei sagt nicht, was zu starten ist (sie hat keine Hauptklasse). Vielleicht ist sie ein Plugin oder ein Mod. Lade unter diesem Namen stattdessen die Jar-Datei eines Servers hoch.',

  'refused.software.catalogue-slow':
    'Der Katalog von {name} braucht gerade zu lange für eine Antwort. Versuche es gleich noch einmal.',
  'refused.software.catalogue-unreachable':
    'Der Katalog von {name} ist gerade nicht erreichbar. Prüfe die Internetverbindung des Dienstes, und versuche es dann noch einmal.',
  'refused.software.catalogue-busy': {
    one: 'Der Katalog von {name} nimmt im Moment keine weiteren Anfragen an. Versuche es in einer Sekunde noch einmal.',
    other:
      'Der Katalog von {name} nimmt im Moment keine weiteren Anfragen an. Versuche es in {count} Sekunden noch einmal.',
  },
  'refused.software.catalogue-busy.minutes': {
    one: 'Der Katalog von {name} nimmt im Moment keine weiteren Anfragen an. Versuche es in einer Minute noch einmal.',
    other:
      'Der Katalog von {name} nimmt im Moment keine weiteren Anfragen an. Versuche es in {count} Minuten noch einmal.',
  },
  'refused.software.catalogue-unreadable':
    'Die Antwort des Katalogs von {name} war nicht lesbar. Versuche es später noch einmal; wenn das so bleibt, aktualisiere Wheelhouse.',
  'refused.software.catalogue-missing':
    'Im Katalog von {name} fehlt etwas, das dort sein sollte. Versuche es später noch einmal; wenn das so bleibt, aktualisiere Wheelhouse.',

  'refused.software.download-failed':
    '„{file}“ konnte nicht von {host} heruntergeladen werden: {reason:part}. Versuche es später noch einmal.',
  'refused.software.download-failed.tried':
    '„{file}“ konnte nicht von {host} heruntergeladen werden: {reason:part} ({times} Versuche). Versuche es später noch einmal.',
  'refused.software.download-failed.kept':
    '„{file}“ konnte nicht von {host} heruntergeladen werden: {reason:part} ({times} Versuche). Was angekommen ist, bleibt: Versuche es noch einmal, dann geht es dort weiter.',
  'refused.software.download-wrong':
    '„{file}“ von {host} ist nicht die Datei, die der Katalog nennt: Größe oder Prüfsumme waren zweimal anders. Sie wurde gelöscht, und es wurde nichts geändert. Versuche es später noch einmal, oder wähle eine andere Version.',
  'refused.software.download-too-large':
    '„{file}“ ist {bytes:bytes} groß, und Dateien über {most:bytes} werden nicht heruntergeladen. Wähle eine andere Version.',
  'refused.software.download-unreadable':
    'Die Kopie von „{file}“, die hier aufbewahrt wird, lässt sich nicht lesen. Prüfe den Datenträger des Dienstes, und versuche es dann noch einmal.',
  'refused.software.download-other':
    'Was heruntergeladen wurde, ist nicht {name} für diese Version. Versuche es später noch einmal.',
  'refused.software.disk-full':
    'Auf dem Datenträger des Dienstes ist zu wenig Platz für „{file}“: Nötig sind {needed:bytes} und {spare:bytes} Reserve, und {free:bytes} sind frei. Schaffe dort Platz, und versuche es dann noch einmal.',

  'refused.software.java-not-built':
    'Adoptium bietet Java {major} für diesen Computer nicht an ({os}, {architecture}). Installiere Java {major} selbst, oder wähle eine andere Version des Servers.',
  'refused.software.java-catalogue.unencrypted':
    'Java konnte bei {host} nicht nachgeschlagen werden. Die genannte Adresse ist unverschlüsselt. Du kannst Java auch selbst installieren.',
  'refused.software.java-catalogue.no-checksum':
    'Java konnte bei {host} nicht nachgeschlagen werden. Für {release} ist keine Prüfsumme genannt. Du kannst Java auch selbst installieren.',
  'refused.software.java-catalogue.unreachable':
    'Java konnte bei {host} nicht nachgeschlagen werden. {host} ist gerade nicht erreichbar. Prüfe die Internetverbindung des Dienstes, und versuche es dann noch einmal. Du kannst Java auch selbst installieren.',
  'refused.software.java-catalogue.busy':
    'Java konnte bei {host} nicht nachgeschlagen werden. Dort werden im Moment keine weiteren Anfragen angenommen. Versuche es später noch einmal. Du kannst Java auch selbst installieren.',
  'refused.software.java-catalogue.unreadable':
    'Java konnte bei {host} nicht nachgeschlagen werden. Die Antwort war nicht brauchbar. Versuche es später noch einmal. Du kannst Java auch selbst installieren.',
  'refused.software.java-too-old':
    'Dieser Server braucht Java {wanted} oder neuer, und für ihn ist Java {chosen} gewählt. Wähle in seinen Einstellungen ein anderes.',
  'refused.software.java-too-old.exact':
    'Dieser Server braucht Java {wanted}, und für ihn ist Java {chosen} gewählt. Wähle in seinen Einstellungen ein anderes.',
  'refused.software.java-broken':
    'Java {major} ({release}) wurde heruntergeladen, ließ sich aber nicht installieren. Sein Archiv ist nicht brauchbar ({why}). Versuche es später noch einmal, oder installiere Java selbst.',
  'refused.software.java-broken.not-found':
    'Java {major} ({release}) wurde heruntergeladen, ließ sich aber nicht installieren. Nach dem Entpacken war es nicht zu finden. Versuche es später noch einmal, oder installiere Java selbst.',

  'refused.software.installer-not-started':
    'Der Installer von {name} ließ sich nicht starten ({why}). Versuche es noch einmal; wenn das so bleibt, wähle für diesen Server ein anderes Java.',
  'refused.software.installer-slow':
    'Der Installer von {name} brauchte länger als {minutes} Minuten und wurde beendet. Versuche es später noch einmal.',
  'refused.software.installer-failed':
    'Der Installer von {name} ist fehlgeschlagen (Code {code}). Die Konsole zeigt, was er geschrieben hat. Er braucht eine Internetverbindung: Versuche es später noch einmal, oder wähle eine andere Version.',
  'refused.software.installer-failed.no-code':
    'Der Installer von {name} ist fehlgeschlagen. Die Konsole zeigt, was er geschrieben hat. Er braucht eine Internetverbindung: Versuche es später noch einmal, oder wähle eine andere Version.',
  'refused.software.installer-left-too-much':
    'Der Installer hat mehr Dateien hinterlassen, als irgendein Server hat. Versuche eine andere Version.',
  'refused.software.installer-left-nothing':
    'Der Installer von {name} hat keinen Server hinterlassen. Versuche eine andere Version.',
  'refused.software.unexpected':
    'Etwas Unerwartetes ist geschehen. Die Konsole des Servers sagt mehr. Sieh dort nach, und versuche es dann noch einmal.',

  'refused.part.bad-address': 'Der Katalog nennt eine ungültige Adresse',
  'refused.part.refuses': 'Die Verbindung wird dort abgelehnt',
  'refused.part.cut': 'Die Verbindung ist abgebrochen',
  'refused.part.no-host': 'Die Adresse wurde nicht gefunden; gibt es eine Internetverbindung?',
  'refused.part.no-way': 'Es führt kein Weg dorthin; gibt es eine Internetverbindung?',
  'refused.part.silent': 'Von dort kommt keine Antwort',
  'refused.part.certificate': 'Dem Zertifikat wird nicht vertraut ({code})',
  'refused.part.network': 'Das Netzwerk hat versagt ({code})',
  'refused.part.packed': 'Die Antwort kam komprimiert, was nicht verlangt war',
  'refused.part.redirects': 'Es wird zu oft weitergeleitet',
  'refused.part.redirects-nowhere': 'Es wird an eine ungültige Adresse weitergeleitet',
  'refused.part.redirects-elsewhere':
    'Es wird an eine Adresse weitergeleitet, an der keine Dateien liegen sollten ({to})',
  'refused.part.redirects-open':
    'Es wird an eine unverschlüsselte oder unbekannte Adresse weitergeleitet ({to})',
  'refused.part.gone': 'Die Datei ist nicht mehr dort ({status})',
  'refused.part.too-often': 'Es wird dort zu oft angefragt (429)',
  'refused.part.status': 'Die Antwort war ein Fehler ({status})',
  'refused.part.idle': '{seconds} Sekunden lang ist nichts angekommen',
  'refused.part.other-part': 'Es kam ein anderer Teil als verlangt',
  'refused.part.too-much': 'Es kommt mehr, als der Katalog angibt',
  'refused.software.second-try':
    'Die Änderung musste in einem zweiten Anlauf abgeschlossen werden. Sieh dir den Server an, bevor du ihn startest.',

  'refused.software.memory.given':
    'Die Grenze von {limit} MiB ist größer als der Arbeitsspeicher, den dieser Dienst verwenden darf, nämlich {there} MiB: Sein Container oder das System setzt diese Grenze. Erhöhe sie, oder setze hier eine niedrigere, und lass dem System und anderen Servern etwas übrig.',
  'refused.software.catalogue-proxy-name':
    'Der Katalog von {name} ist nicht erreichbar: Der Proxy des Netzwerks verlangt Namen und Passwort. Setze HTTPS_PROXY auf seine Adresse mit beidem, und starte den Dienst neu.',
  'refused.software.catalogue-proxy':
    'Der Katalog von {name} ist nicht erreichbar: Der Proxy des Netzwerks lässt den Dienst nicht zu ihm durch. Frag den Betreiber des Netzwerks.',
  'refused.software.catalogue-proxy-kind':
    'Der Katalog von {name} ist nicht erreichbar: Der Proxy des Netzwerks ist von einer Art, die Wheelhouse nicht verwenden kann. HTTP-, HTTPS- und SOCKS-Proxys funktionieren.',
  'refused.part.proxy-name': 'Der Proxy des Netzwerks verlangt Namen und Passwort',
  'refused.part.proxy-refuses': 'Der Proxy des Netzwerks lässt den Dienst nicht durch',
  'refused.part.proxy-kind': 'Der Proxy des Netzwerks ist von einer Art, die nicht verwendet werden kann',
  'refused.part.asks-for-a-pause': '{to} nimmt im Moment keine weiteren Anfragen an',
  'refused.part.asks-for-minutes': '{to} nimmt {minutes} Minuten lang keine weiteren Anfragen an',
}
