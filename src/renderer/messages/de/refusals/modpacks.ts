export const modpackRefusals = {
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
    'Dieses Modpack lässt sich nicht lesen: {reason:part}. Es wurde nichts geändert. Lade es noch einmal herunter, oder wähle eine andere Version.',
  'refused.modpacks.broken.curseforge':
    'Das ist ein Modpack von CurseForge, das hier nicht installiert werden kann. Wähle stattdessen ein Modpack von Modrinth (.mrpack), oder lade seine Server-Dateien bei CurseForge herunter und übernimm sie als Server.',
  'refused.modpacks.unsafe':
    'Dieses Modpack wird nicht installiert, weil es nicht sicher ist: {reason:part}. Es wurde nichts geändert. Wähle ein anderes, und sag es dem Autor.',
  'refused.modpacks.too-large':
    'Dieses Modpack ist zu groß: {reason:part}. Es wurde nichts geändert. Wähle ein anderes.',
  'refused.modpacks.software':
    'Dieses Modpack braucht {wanted}, was dieser Dienst nicht anbietet. Wähle eine andere Version des Modpacks.',
  'refused.modpacks.needs-internet':
    'Das Modpack „{name}“ nennt Dateien, die aus dem Internet geladen werden, und dieser Dienst lädt keine. Bitte den Betreiber, seine Kataloge einzuschalten, oder wähle ein Modpack, das alle seine Dateien enthält.',
  'refused.modpacks.file-wrong':
    '„{path}“ ist nicht die Datei, die das Modpack nennt: Ihre Prüfsumme ist anders. Es wurde nichts geändert. Versuche es später noch einmal, oder wähle eine andere Version.',
  'refused.modpacks.not-installed':
    'Das Modpack {name} ist auf diesem Server noch nicht installiert. Öffne seine Mods und wähle „Noch einmal versuchen“, oder lösche den Server.',
  'refused.modpacks.owners': 'Nur der Besitzer dieses Servers kann {what:part}. Bitte ihn darum.',
  'refused.modpacks.changed':
    'Gerade hat jemand Dateien geändert, die ersetzt oder entfernt würden: {files}. Es ist nichts geschehen, und diese Änderungen bleiben. Versuche es noch einmal.',
  'refused.modpacks.changed.more':
    'Gerade hat jemand Dateien geändert, die ersetzt oder entfernt würden: {files} und {more} weitere. Es ist nichts geschehen, und diese Änderungen bleiben. Versuche es noch einmal.',

  'refused.imports.not-offered': 'Auf diesem Dienst lassen sich keine eigenen Server übernehmen.',
  'refused.imports.changed':
    'Diese Dateien wurden inzwischen noch einmal geprüft. Sieh dir an, was jetzt gefunden wurde, und erstelle dann den Server.',
  'refused.imports.no-jar':
    'Bei diesem Server war keine Jar-Datei, die sich ausführen lässt. Wähle stattdessen eine Software aus der Liste.',
  'refused.imports.archive': 'Sende das Archiv selbst, keinen Ordner, in dem es liegt.',
  'refused.imports.bedrock':
    'Das ist ein Server oder eine Welt der Bedrock Edition. Wheelhouse betreibt Server der Java Edition, die damit nichts anfangen können. Wähle einen Java-Server oder wandle die Welt vorher um.',
  'refused.imports.nothing-found':
    'In diesen Dateien wurde kein Minecraft-Server gefunden. Wähle den Ordner, in dem server.properties oder die Jar-Datei des Servers liegt, oder ein Archiv davon.',
  'refused.imports.too-many':
    'Alle deine Uploads werden gerade gebraucht. Warte, bis einer davon fertig ist.',
  'refused.imports.too-many.extracted':
    '{most} deiner Server werden schon entpackt. Warte, bis einer davon fertig ist.',
  'refused.imports.not-found':
    'Was für diesen Server hochgeladen wurde, ist nicht mehr da: Es wurde gelöscht, oder ein Server wurde daraus erstellt. Beginne noch einmal.',
  'refused.imports.not-ready': 'Diese Dateien müssen zuerst geprüft werden.',
  'refused.imports.busy': 'Daraus wird gerade ein Server erstellt, oder es wird gerade gelöscht.',
  'refused.imports.busy.checked': 'Diese Dateien werden schon geprüft. Warte, bis das fertig ist.',
  'refused.imports.busy.pack':
    'Daraus wird gerade ein Modpack installiert, oder ein Server wartet noch darauf. Es wird danach von selbst gelöscht.',

  'refused.part.agree-to-its-license': 'der Lizenz dieser Software zustimmen',
  'refused.part.replace-its-copy': 'die Kopie ersetzen',
  'refused.part.no-pack': 'Es ist keine .mrpack-Datei',
  'refused.part.no-pack-name': 'Sein Name endet nicht auf .mrpack',
  'refused.part.no-index': 'Es enthält kein {index}',
  'refused.part.damaged-list': 'Seine Liste der Dateien ist beschädigt',
  'refused.part.encrypted': 'Es ist verschlüsselt',
  'refused.part.contains-twice': 'Es enthält „{path}“ zweimal',
  'refused.part.has-twice': 'Es nennt „{path}“ zweimal',
  'refused.part.unreadable-file': 'Eine Datei darin lässt sich nicht lesen',
  'refused.part.damaged-file': '„{path}“ darin ist beschädigt',
  'refused.part.file-and-folder': 'Eine Datei und ein Ordner darin heißen gleich',
  'refused.part.unknown-file': 'Sein Index beschreibt eine Datei auf unbekannte Weise ({at})',
  'refused.part.no-json': 'Sein Index ist kein JSON',
  'refused.part.unknown-index': 'Sein Index hat eine unbekannte Form ({at})',
  'refused.part.too-many-entries': 'Es enthält mehr als {most} Dateien',
  'refused.part.too-many-files': 'Es nennt mehr als {most} Dateien',
  'refused.part.too-much-within': 'Was darin liegt, ist größer als bei jedem anderen',
  'refused.part.large-index': 'Sein Index ist größer als bei jedem anderen',
  'refused.part.larger-than-listed': 'Eine Datei darin ist größer, als seine Liste angibt',
  'refused.part.larger-than-taken': 'Die Datei hat mehr als {most:bytes}',
  'refused.part.too-many-bytes': 'Seine Dateien brauchen mehr als {most:bytes}',
  'refused.part.link': '„{path}“ darin ist ein Link',
  'refused.part.fetches': 'Es lädt „{path}“ von {host}',
  'refused.part.path': 'Es nennt den Pfad „{path}“',
  'refused.modpacks.software.loaders':
    'Dieses Modpack braucht mehrere Loader zugleich, was dieser Dienst nicht anbietet. Wähle eine andere Version des Modpacks.',
  'refused.part.files-over-each-other': 'Dateien darin liegen übereinander',
  'refused.part.long-index': 'Sein Index nennt mehr als jeder andere',
}
