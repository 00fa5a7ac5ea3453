/**
 * Was der eigene Dienst zu Modpacks und mitgebrachten Servern ablehnt, nach seinen Codes: Er selbst sagt es auf Englisch.
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
}
