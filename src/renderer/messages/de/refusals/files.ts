export const fileRefusals = {
  'refused.files.not-found': '„{path}“ wurde nicht gefunden. Vielleicht wurde es verschoben oder gelöscht.',
  'refused.files.not-found.trash': 'Das ist nicht mehr im Papierkorb. Lade den Papierkorb neu.',
  'refused.files.exists': '„{path}“ gibt es schon. Wähle einen anderen Namen, oder ersetze es.',
  'refused.files.not-folder': '„{path}“ ist kein Ordner.',
  'refused.files.is-folder': '„{path}“ ist ein Ordner; gebraucht wird hier eine Datei.',
  'refused.files.not-file': '„{path}“ ist weder Datei noch Ordner und lässt sich deshalb nicht lesen.',
  'refused.files.not-file.batch':
    'Eine Sendung kann nur Dateien und Ordner enthalten, keine Links oder Geräte.',
  'refused.files.into-itself':
    '„{path}“ lässt sich nicht in sich selbst verschieben oder kopieren. Wähle einen anderen Ordner.',
  'refused.files.changed': 'Die Datei wurde inzwischen geändert. Lade sie neu, und ändere sie dann.',
  'refused.files.changed.copied': '„{path}“ wurde ersetzt, während es kopiert wurde. Kopiere es noch einmal.',
  'refused.files.outside':
    '„{path}“ führt aus dem Ordner des Servers hinaus, und das ist nicht erlaubt. Wähle einen Pfad darin.',
  'refused.files.name-invalid': '„{name}“ ist kein möglicher Name: {why:part}. Wähle einen anderen.',
  'refused.files.too-deep':
    '„{path}“ liegt zu tief: Ein Pfad kann hier bis zu {most} Namen haben. Wähle einen Ordner weiter oben.',
  'refused.files.too-deep.inside':
    '„{path}“ enthält Ordner, die dort zu tief liegen würden: Ein Pfad kann bis zu {most} Namen haben. Wähle einen Ordner weiter oben.',
  'refused.files.cancelled': 'Es wurde abgebrochen.',
  'refused.files.denied':
    '„{path}“ lässt sich nicht verwenden: Das System lässt den Dienst nicht daran. Vielleicht benutzt es ein anderes Programm.',
  'refused.files.denied.other-disk':
    '„{path}“ liegt auf einem anderen Datenträger als der Datenordner des Dienstes, deshalb lässt sich nichts in einem Schritt dorthin verschieben.',
  'refused.files.quota':
    'Dafür reicht der Speicherplatz nicht: Dieser Server darf {quota:bytes} haben; Papierkorb und unfertige Uploads zählen mit. Lösche etwas, oder leere den Papierkorb.',
  'refused.files.disk-full':
    'Der Datenträger des Dienstes ist voll. Schaffe dort Platz, und versuche es dann noch einmal.',
  'refused.files.disk-full.unpacked':
    'Für den Inhalt dieses Archivs reicht der Platz nicht: {free:bytes} sind frei. Schaffe Platz, und versuche es dann noch einmal.',
  'refused.files.too-large':
    'Eine Datei darf hier bis zu {most:bytes} groß sein. Sende eine kleinere, oder frag den Betreiber des Dienstes.',
  'refused.files.too-large.announced':
    'Es kamen mehr Bytes an, als zu Beginn dieses Uploads angekündigt waren.',
  'refused.files.range': 'Die Datei hat {size} Bytes und damit keinen solchen Teil. Lies sie von vorn.',
  'refused.files.stalled':
    '{seconds} Sekunden lang kam nichts mehr davon an, deshalb wurde es aufgegeben. Sende es noch einmal.',
  'refused.files.cut-off': 'Die Verbindung endete, bevor alles gesendet war. Sende es noch einmal.',
  'refused.files.cut-off.form': 'Das Formular endete zu früh oder ist keines. Es wurde nichts geschrieben.',
  'refused.files.busy':
    'Diese Datei wird gerade über eine andere Verbindung gesendet. Versuche es gleich noch einmal.',
  'refused.files.checksum':
    'Was ankam, ist nicht, was gesendet wurde: Die Prüfsummen sind verschieden. Es wurde nichts geschrieben. Sende die Datei noch einmal.',
  'refused.files.checksum.batch':
    'Was ankam, ist nicht, was gesendet wurde: Die SHA-256-Summe ist anders. Sende es noch einmal.',
  'refused.files.checksum-missing':
    'Alle Bytes sind da, aber keine Prüfsumme: Sende das letzte Byte noch einmal mit dem Header Upload-Checksum (sha256 der ganzen Datei).',
  'refused.files.upload-not-found':
    'Dieser Upload wurde nicht gefunden oder ruhte zu lange. Beginne ihn neu.',
  'refused.files.upload-not-found.unknown': 'Dieser Upload wurde nicht gefunden. Beginne ihn neu.',
  'refused.files.upload-offset':
    'Der Upload ist an einer anderen Stelle. Frag mit HEAD danach, und sende dort weiter.',
  'refused.files.upload-invalid': 'Das folgt nicht dem Protokoll tus, Version 1.0.0: {why}.',
  'refused.files.too-many-uploads':
    '{most} Uploads zu diesem Server sind nicht fertig. Beende zuerst einen davon, oder brich ihn ab.',
  'refused.files.batch-too-large':
    'Eine Sendung kann bis zu {files} Dateien und {bytes:bytes} enthalten. Sende den Rest in einer weiteren.',
  'refused.files.batch-invalid': 'Die Sendung ist kein lesbarer Tar-Strom. Sende sie noch einmal.',
  'refused.files.archive-unknown':
    'Dieses Archiv lässt sich hier nicht entpacken. Möglich sind zip, tar und tar.gz.',
  'refused.files.archive-unknown.method':
    '„{name}“ ist auf eine Weise komprimiert, die hier nicht möglich ist. Komprimiere es noch einmal als gewöhnliches Zip.',
  'refused.files.archive-encrypted':
    'Dieses Archiv ist mit einem Passwort geschützt. Entpacke es auf deinem Computer, und lade den Inhalt hoch.',
  'refused.files.archive-broken':
    'Dieses Archiv lässt sich nicht lesen: Es ist beschädigt oder unvollständig. Es wurde nichts entpackt. Lade es noch einmal hoch.',
  'refused.files.archive-bomb':
    'Dieses Archiv wurde nicht entpackt: Es wächst auf mehr als das {ratio}-Fache seiner Größe, was gewöhnliche Archive nicht tun.',
  'refused.files.archive-bomb.beside':
    'Dieses Archiv wurde nicht entpackt: Was es außer seinen Dateien enthält, ist größer als in gewöhnlichen Archiven. Komprimiere es neu, und versuche es dann noch einmal.',
  'refused.files.archive-too-many':
    'Dieses Archiv enthält mehr als {files} Dateien, mehr als {inFolder} in einem Ordner oder sehr lange Namen. Es wurde nichts entpackt. Teile es auf mehrere Archive auf.',
  'refused.files.jobs-full':
    '{most} deiner Archive werden schon komprimiert oder entpackt. Warte, bis eines fertig ist.',
  'refused.files.job-not-found': 'Dieser Auftrag wurde nicht gefunden. Vielleicht ist er schon lange fertig.',
  'refused.files.job-ending': 'Das ist fast fertig und lässt sich nicht mehr abbrechen.',
  'refused.files.search-too-long':
    'Diese Suche wurde nach {seconds} Sekunden beendet. Suche in einem Unterordner oder nur nach dem Namen.',
  'refused.files.search-ended':
    'Der Dienst hat diese Suche beendet. Versuche es noch einmal, oder suche nach weniger.',

  'refused.part.control-character': 'Er enthält ein Steuerzeichen',
  'refused.part.backslash': 'Er enthält einen Backslash',
  'refused.part.ending': 'Er endet mit einem Punkt oder Leerzeichen',
  'refused.part.device': 'Windows verwendet ihn für ein Gerät',
  'refused.part.windows-character': 'Er enthält ein Zeichen, das Windows nicht erlaubt',
  'refused.part.no-unicode': 'Er ist kein gültiges Unicode',
  'refused.part.long-name': 'Er ist länger als {most} Bytes',
  'refused.part.empty-name': 'Ein Teil des Pfads ist leer',
  'refused.part.blank-name': 'Ein Teil des Pfads besteht nur aus Leerzeichen',
  'refused.part.too-long': 'Er ist zu lang',
}
